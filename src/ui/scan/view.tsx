import { memo } from 'react';
import { type ScanWidths, scanColumns } from '../../board/scan/scan-columns.ts';
import { scanDetail } from '../../board/scan/scan-detail.ts';
import { type ScanLineInput, scanHeadingLine, scanLine, signCells } from '../../board/scan/scan-line.ts';
import { scanSummary } from '../../board/scan/scan-summary.ts';
import type { Line } from '../../board/text/line.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Painted } from '../pane/painted.tsx';
import { Lines, Pane } from '../pane/pane.tsx';
import { type Scroll, scrollWithin } from '../pane/scroll.ts';
import type { ShownScan } from './shown-scan.ts';

/** How the rows inside the frame are divided. */
interface Division {
  readonly hasHeadings: boolean;
  /** Rows of the list. */
  readonly rows: number;
  /** Rows below it about the selected number, the rule above them included. */
  readonly detail: number;
}

/** With fewer rows than this inside the frame, the list needs them all. */
const detailFrom = 11;
const headingsFrom = 7;

/** Divides the inside of the pane: the summary, headings, the list, and what is known of the selected number. */
function divisionOf(height: number): Division {
  const detail = height >= detailFrom ? Math.min(6, Math.floor(height / 3)) : 0;
  const hasHeadings = height >= headingsFrom;
  return { detail, hasHeadings, rows: Math.max(1, height - 1 - (hasHeadings ? 1 : 0) - detail) };
}

/** Rows of found numbers that a pane of this size shows. */
const scanRowsOf = (size: PaneSize): number => divisionOf(innerSize(size).height).rows;

/** Which rows of found numbers are in sight: the selected one always is. */
export function scanScroll(scan: Pick<ShownScan, 'index' | 'rows'> | null, wanted: number, size: PaneSize): Scroll {
  const rows = scanRowsOf(size);
  const { index, rows: all } = scan ?? { index: 0, rows: [] };
  return scrollWithin(all.length, Math.min(Math.max(wanted, index - rows + 1), index), rows);
}

/** What the pane is drawn from. */
interface ScanPaneProps {
  readonly board: Board;
  readonly scan: ShownScan;
  readonly size: PaneSize;
}

/** The numbers that were found in a text, before they are added and while they are. Only what is in sight is drawn. */
export function ScanPane({ board, scan, size }: ScanPaneProps) {
  const { height, width } = innerSize(size);
  const { detail, hasHeadings, rows } = divisionOf(height);
  const widths = scanColumns(scan.needs, width - signCells);
  const { offset } = board.scroll;
  const { length } = scan.shown;
  const status = length === 0 ? {} : { status: `${scan.index + 1} of ${length}` };
  return (
    <Pane texts={{ title: 'Numbers found', titleRight: scan.source, ...status }} size={size} isFocused>
      <Painted line={scanSummary({ ...scan, left: board.monitor.registrationsLeft(), width })} />
      {hasHeadings && <Painted line={length === 0 ? [{ text: ' ' }] : scanHeadingLine(widths, width)} />}
      {length === 0 && <Lines lines={emptyLines(scan)} />}
      {scan.shown.slice(offset, offset + rows).map(({ cells, row }, at) => (
        <FoundRow
          key={row.key}
          row={row}
          cells={cells}
          progress={scan.progress.get(row.key) ?? null}
          widths={widths}
          selected={offset + at === scan.index}
          width={width}
        />
      ))}
      {detail > 0 && <Filler rows={rows - Math.min(rows, Math.max(length - offset, length === 0 ? 1 : 0))} />}
      {detail > 0 && <Lines lines={detailLines(scan, width, detail)} />}
    </Pane>
  );
}

/** One number. A row of which nothing changed is not written again. */
const FoundRow = memo(function FoundRow(input: ScanLineInput & { readonly widths: ScanWidths }) {
  return <Painted line={scanLine(input)} />;
}, isSameRow);

/** Widths are made anew for each frame, and so are found alike by what they say. */
function isSameRow(before: ScanLineInput, after: ScanLineInput): boolean {
  return (
    before.row === after.row &&
    before.progress === after.progress &&
    before.selected === after.selected &&
    before.width === after.width &&
    JSON.stringify(before.cells) === JSON.stringify(after.cells) &&
    JSON.stringify(before.widths) === JSON.stringify(after.widths)
  );
}

function emptyLines({ stage }: ShownScan): readonly Line[] {
  return [[{ text: stage.kind === 'reading' ? ' Looking for numbers…' : ' No number was found.', tone: 'quiet' }]];
}

function Filler({ rows }: { readonly rows: number }) {
  return <Lines lines={Array.from({ length: Math.max(0, rows) }, () => [])} />;
}

function detailLines({ names, progress, selected }: ShownScan, width: number, rows: number): readonly Line[] {
  const rule: Line = [{ text: '─'.repeat(width), tone: 'quiet' }];
  if (selected === null) return [rule];
  const about = scanDetail({ row: selected, progress: progress.get(selected.key) ?? null, names, width });
  return [rule, ...about.slice(0, rows - 1)];
}

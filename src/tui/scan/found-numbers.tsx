import { scanDetail, scanSummary } from '../../board/scan/scan-detail.ts';
import { scanColumns, scanHeadingLine, scanLine, symbolCells } from '../../board/scan/scan-lines.ts';
import type { Line } from '../../lib/paint.ts';
import type { ShownScan } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize, type Scroll, scrollWithin } from '../pane/frame.ts';
import { Pane } from '../pane/pane.tsx';
import { emptyScan } from './state.ts';

const minHeightWithDetail = 11;
const minHeightWithHeadings = 7;

/** Divides the pane. `rows` are for the list; `detail` includes the rule above the details of the selected number. */
function divide(height: number) {
  const detail = height >= minHeightWithDetail ? Math.min(6, Math.floor(height / 3)) : 0;
  const hasHeadings = height >= minHeightWithHeadings;
  return { detail, hasHeadings, rows: Math.max(1, height - 1 - (hasHeadings ? 1 : 0) - detail) };
}

/** Returns the row of the first number in the pane. The summary is row 0. */
export const firstNumberRow = (size: PaneSize): number => (divide(innerSize(size).height).hasHeadings ? 2 : 1);

export function scanScroll(scan: Pick<ShownScan, 'index' | 'rows'> | null, wanted: number, size: PaneSize): Scroll {
  const { rows } = divide(innerSize(size).height);
  const { index, rows: all } = scan ?? emptyScan;
  return scrollWithin(all.length, Math.min(Math.max(wanted, index - rows + 1), index), rows);
}

interface FoundNumbersProps {
  readonly scan: ShownScan;
  readonly offset: number;
  /** Registrations left in the budget. Null means no limit. */
  readonly left: number | null;
  readonly size: PaneSize;
}

export function FoundNumbers({ left, offset, scan, size }: FoundNumbersProps) {
  const { height, width } = innerSize(size);
  const { detail, hasHeadings, rows } = divide(height);
  const widths = scanColumns(scan.needs, width - symbolCells);
  const { length } = scan.shown;
  const status = length === 0 ? {} : { status: `${scan.index + 1} of ${length}` };
  const nothing = scan.stage.kind === 'reading' ? ' Looking for numbers…' : ' No numbers found.';
  const visible = scan.shown.slice(offset, offset + rows).map(({ cells, row }, at) => {
    const progress = scan.progress.get(row.key) ?? null;
    return scanLine({ row, cells, progress, widths, selected: offset + at === scan.index, width });
  });
  const list: readonly Line[] = length === 0 ? [[{ text: nothing, tone: 'quiet' }]] : visible;
  const lines = [
    scanSummary({ ...scan, registrationsLeft: left, width }),
    ...(hasHeadings ? [length === 0 ? [] : scanHeadingLine(widths, width)] : []),
    ...Array.from({ length: rows }, (_, row) => list[row] ?? []),
    ...(detail > 0 ? detailLines(scan, width, detail) : []),
  ];
  const texts = { title: 'Numbers found', titleRight: scan.source, ...status };
  return <Pane texts={texts} size={size} isFocused lines={lines} />;
}

function detailLines({ names, progress, selected }: ShownScan, width: number, rows: number): readonly Line[] {
  const rule: Line = [{ text: '─'.repeat(width), tone: 'quiet' }];
  if (selected === null) return [rule];
  const about = scanDetail({ row: selected, progress: progress.get(selected.key) ?? null, names, width });
  return [rule, ...about.slice(0, rows - 1)];
}

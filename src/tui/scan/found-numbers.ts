import { scanDetail, scanSummary } from '../../board/scan/scan-detail.ts';
import { scanColumns, scanHeadingLine, scanLine, symbolCells } from '../../board/scan/scan-lines.ts';
import type { Line } from '../../lib/paint.ts';
import type { OverlayContent, ShownScan } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize, scrollWithin } from '../pane/frame.ts';

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

/** @param left registrations left in the budget; null means no limit */
export function scanOverlay(scan: ShownScan, offset: number, size: PaneSize, left: number | null): OverlayContent {
  const { height, width } = innerSize(size);
  const { detail, hasHeadings, rows } = divide(height);
  const widths = scanColumns(scan.needs, width - symbolCells);
  const { index, shown } = scan;
  const { length } = shown;
  const scroll = scrollWithin(length, Math.min(Math.max(offset, index - rows + 1), index), rows);
  const status = length === 0 ? {} : { status: `${index + 1} of ${length}` };
  const nothing = scan.stage.kind === 'reading' ? ' Looking for numbers…' : ' No numbers found.';
  const visible = shown.slice(scroll.offset, scroll.offset + rows).map(({ cells, row }, at) => {
    const progress = scan.progress.get(row.key) ?? null;
    return scanLine({ row, cells, progress, widths, selected: scroll.offset + at === index, width });
  });
  const list: readonly Line[] = length === 0 ? [[{ text: nothing, tone: 'quiet' }]] : visible;
  const lines = [
    scanSummary({ ...scan, registrationsLeft: left, width }),
    ...(hasHeadings ? [length === 0 ? [] : scanHeadingLine(widths, width)] : []),
    ...Array.from({ length: rows }, (_, row) => list[row] ?? []),
    ...(detail > 0 ? detailLines(scan, width, detail) : []),
  ];
  const texts = { title: 'Numbers found', titleRight: scan.source, ...status };
  return { texts, lines, scroll };
}

function detailLines({ names, progress, selected }: ShownScan, width: number, rows: number): readonly Line[] {
  const rule: Line = [{ text: '─'.repeat(width), tone: 'quiet' }];
  if (selected === null) return [rule];
  const about = scanDetail({ row: selected, progress: progress.get(selected.key) ?? null, names, width });
  return [rule, ...about.slice(0, rows - 1)];
}

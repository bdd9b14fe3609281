import { useMemo } from 'react';
import { createCourierCheck } from '../../board/courier-search.ts';
import { canBeSelected, createParcelFinder, type JudgedRow, judgeRows, scanCost } from '../../board/scan/judge-rows.ts';
import { isSettled, type RowProgress, scanNotes } from '../../board/scan/row-words.ts';
import {
  scanCells,
  scanColumns,
  scanDetail,
  scanHeadingLine,
  scanLine,
  scanNeeds,
  scanSummary,
  symbolCells,
} from '../../board/scan/scan-lines.ts';
import { rowsFromScan, type ScanRow } from '../../board/scan/scan-row.ts';
import type { Line } from '../../lib/paint.ts';
import type { MonitorState } from '../../polling/state.ts';
import { courierNamer } from '../../service/couriers.ts';
import type { InitialScan } from '../../settings/session/context.ts';
import type { LoadedCouriers, OverlayContent, ShownScan } from '../board.ts';
import { showOverlay } from '../help/keys.ts';
import { innerSize, type PaneSize, scrollWithin } from '../layout.ts';
import type { OpenScan, UiState } from '../ui-state.ts';

export const showScan = (scan: OpenScan): Partial<UiState> => ({ ...showOverlay('scan'), scan });

export const emptyScan: OpenScan = {
  id: 1,
  source: 'pasted text',
  stage: { kind: 'choosing' },
  rows: [],
  index: 0,
  progress: new Map(),
  notes: [],
};

export const showFound = ({ scan, source }: InitialScan): Partial<UiState> =>
  showScan({ ...emptyScan, source, rows: rowsFromScan(scan), notes: scanNotes(scan) });

/** Changes the list with this id, unless a different one has been opened. */
export const changeScan =
  (id: number, change: (scan: OpenScan) => Partial<OpenScan>) =>
  ({ scan }: Pick<UiState, 'scan'>): Partial<UiState> =>
    scan === null || scan.id !== id ? {} : { scan: { ...scan, ...change(scan) } };

/** Changes a row and forgets its progress. */
export const editRow = (id: number, key: number, edit: (row: ScanRow) => ScanRow) =>
  changeScan(id, ({ progress, rows }) => ({
    rows: rows.map((row) => (row.key === key ? edit(row) : row)),
    progress: new Map([...progress].filter(([row]) => row !== key)),
  }));

export const isChoosing = (scan: OpenScan | null): boolean =>
  scan !== null && (scan.stage.kind === 'choosing' || scan.stage.kind === 'ended');

export function useScan(
  scan: OpenScan | null,
  { parcels }: Pick<MonitorState, 'parcels'>,
  { couriers, stale }: Pick<LoadedCouriers, 'couriers' | 'stale'>,
): ShownScan | null {
  const { progress: reported, rows } = scan ?? emptyScan;
  const view = useMemo(() => {
    const names = courierNamer(couriers);
    const check = createCourierCheck({ couriers, stale });
    const judgedRows = judgeRows(rows, createParcelFinder(rows.length === 0 ? [] : parcels), check);
    const progress = dropRemovedProgress(reported, judgedRows);
    const displayRows = judgedRows.map((row) => ({ row, cells: scanCells(row, progress.get(row.key) ?? null, names) }));
    return {
      names,
      progress,
      displayRows,
      needs: scanNeeds(displayRows.map(({ cells }) => cells)),
      cost: scanCost(judgedRows),
    };
  }, [rows, reported, parcels, couriers, stale]);
  return scan === null ? null : { ...scan, ...view, selected: view.displayRows[scan.index]?.row ?? null };
}

/** Drops the progress of numbers that were removed from the board after they were added. */
function dropRemovedProgress(
  progress: ReadonlyMap<number, RowProgress>,
  rows: readonly JudgedRow[],
): ReadonlyMap<number, RowProgress> {
  const selectableKeys = new Set(rows.flatMap(({ key, state }) => (canBeSelected(state) ? [key] : [])));
  return new Map([...progress].filter(([key, rowProgress]) => !(isSettled(rowProgress) && selectableKeys.has(key))));
}

const minHeightWithDetail = 11;
const minHeightWithHeadings = 7;

/** Divides the pane. `rows` are for the list; `detailRows` include the rule above the details of the selected number. */
function dividePane(height: number) {
  const detailRows = height >= minHeightWithDetail ? Math.min(6, Math.floor(height / 3)) : 0;
  const hasHeadings = height >= minHeightWithHeadings;
  return { detailRows, hasHeadings, rows: Math.max(1, height - 1 - (hasHeadings ? 1 : 0) - detailRows) };
}

/** Returns the row of the first number in the pane. The summary is row 0. */
export const firstNumberRow = (size: PaneSize): number => (dividePane(innerSize(size).height).hasHeadings ? 2 : 1);

/** @param registrationsLeft registrations left in the budget; null means no limit */
export function scanOverlay(
  scan: ShownScan,
  offset: number,
  size: PaneSize,
  registrationsLeft: number | null,
): OverlayContent {
  const { height, width } = innerSize(size);
  const { detailRows, hasHeadings, rows } = dividePane(height);
  const widths = scanColumns(scan.needs, width - symbolCells);
  const { index, displayRows } = scan;
  const { length } = displayRows;
  const scroll = scrollWithin(length, Math.min(Math.max(offset, index - rows + 1), index), rows);
  const status = length === 0 ? {} : { status: `${index + 1} of ${length}` };
  const emptyText = scan.stage.kind === 'reading' ? ' Looking for numbers…' : ' No numbers found.';
  const visible = displayRows.slice(scroll.offset, scroll.offset + rows).map(({ cells, row }, at) => {
    const progress = scan.progress.get(row.key) ?? null;
    return scanLine({ row, cells, progress, widths, selected: scroll.offset + at === index, width });
  });
  const list: readonly Line[] = length === 0 ? [[{ text: emptyText, tone: 'quiet' }]] : visible;
  const lines = [
    scanSummary({ ...scan, registrationsLeft: registrationsLeft, width }),
    ...(hasHeadings ? [length === 0 ? [] : scanHeadingLine(widths, width)] : []),
    ...Array.from({ length: rows }, (_, row) => list[row] ?? []),
    ...(detailRows > 0 ? detailLines(scan, width, detailRows) : []),
  ];
  const texts = { title: 'Numbers found', titleRight: scan.source, ...status };
  return { texts, lines, scroll };
}

function detailLines({ names, progress, selected }: ShownScan, width: number, rows: number): readonly Line[] {
  const rule: Line = [{ text: '─'.repeat(width), tone: 'quiet' }];
  if (selected === null) return [rule];
  const details = scanDetail({ row: selected, progress: progress.get(selected.key) ?? null, names, width });
  return [rule, ...details.slice(0, rows - 1)];
}

import { useMemo } from 'react';
import { courierCheck } from '../../board/courier-search.ts';
import { canBeSelected, createFindKnown, type JudgedRow, judgeRows, scanCost } from '../../board/scan/judge-rows.ts';
import { isSettled, type RowProgress, scanNotes } from '../../board/scan/row-words.ts';
import { scanCells, scanNeeds } from '../../board/scan/scan-lines.ts';
import { rowsOfScan, type ScanRow } from '../../board/scan/scan-row.ts';
import type { MonitorState } from '../../polling/state.ts';
import { courierNamer } from '../../service/couriers.ts';
import type { AlreadyFound } from '../../settings/session/context.ts';
import type { LoadedCouriers, ShownScan } from '../board.ts';
import { showOverlay } from '../help/keys.ts';
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

export const showFound = ({ scan, source }: AlreadyFound): Partial<UiState> =>
  showScan({ ...emptyScan, source, rows: rowsOfScan(scan), notes: scanNotes(scan) });

/** Changes the list with this id, unless a different one has been opened. */
export const changedScan =
  (id: number, change: (scan: OpenScan) => Partial<OpenScan>) =>
  ({ scan }: Pick<UiState, 'scan'>): Partial<UiState> =>
    scan === null || scan.id !== id ? {} : { scan: { ...scan, ...change(scan) } };

/** Changes a row and forgets its progress. */
export const withRowEdited = (id: number, key: number, edit: (row: ScanRow) => ScanRow) =>
  changedScan(id, ({ progress, rows }) => ({
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
  const drawn = useMemo(() => {
    const names = courierNamer(couriers);
    const check = courierCheck({ couriers, stale });
    const judged = judgeRows(rows, createFindKnown(rows.length === 0 ? [] : parcels), check);
    const progress = withoutRemoved(reported, judged);
    const shown = judged.map((row) => ({ row, cells: scanCells(row, progress.get(row.key) ?? null, names) }));
    return { names, progress, shown, needs: scanNeeds(shown.map(({ cells }) => cells)), cost: scanCost(judged) };
  }, [rows, reported, parcels, couriers, stale]);
  return scan === null ? null : { ...scan, ...drawn, selected: drawn.shown[scan.index]?.row ?? null };
}

/** Drops the progress of numbers that were removed from the board after they were added. */
function withoutRemoved(
  progress: ReadonlyMap<number, RowProgress>,
  rows: readonly JudgedRow[],
): ReadonlyMap<number, RowProgress> {
  const open = new Set(rows.flatMap(({ key, state }) => (canBeSelected(state) ? [key] : [])));
  return new Map([...progress].filter(([key, one]) => !(isSettled(one) && open.has(key))));
}

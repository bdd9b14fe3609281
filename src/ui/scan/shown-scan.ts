import { useMemo } from 'react';
import { canBeTaken, createFindKnown, type JudgedRow, judgeRows } from '../../board/scan/judge-rows.ts';
import { isSettled, type RowProgress } from '../../board/scan/row-progress.ts';
import type { CourierNames } from '../../board/scan/row-words.ts';
import { type ScanCells, type ScanWidths, scanNeeds } from '../../board/scan/scan-columns.ts';
import { type ScanCost, scanCost } from '../../board/scan/scan-cost.ts';
import { scanCells } from '../../board/scan/scan-line.ts';
import type { ScanRow } from '../../board/scan/scan-row.ts';
import type { MonitorState } from '../../polling/core/state.ts';
import { courierNamer } from '../../service/record/courier-words.ts';
import type { LoadedCouriers } from '../picker/couriers.ts';
import type { OpenScan } from './state.ts';

/** A row as it is drawn. */
export interface ShownRow {
  readonly row: JudgedRow;
  readonly cells: ScanCells;
}

/** Found numbers with all that the watchlist and the couriers say of them. */
export interface ShownScan extends OpenScan {
  readonly shown: readonly ShownRow[];
  readonly selected: JudgedRow | null;
  /** What the columns could use. */
  readonly needs: ScanWidths;
  readonly cost: ScanCost;
  readonly names: CourierNames;
}

const noRows: readonly ScanRow[] = [];
const noProgress: OpenScan['progress'] = new Map();

/** Puts the open list together; null when there is none. */
export function useScan(
  scan: OpenScan | null,
  { parcels }: Pick<MonitorState, 'parcels'>,
  { check, couriers }: Pick<LoadedCouriers, 'check' | 'couriers'>,
): ShownScan | null {
  const isOpen = scan !== null;
  const rows = scan?.rows ?? noRows;
  const told = scan?.progress ?? noProgress;
  const find = useMemo(() => createFindKnown(isOpen ? parcels : []), [isOpen, parcels]);
  const names = useMemo(() => courierNamer(isOpen ? couriers : []), [isOpen, couriers]);
  const judged = useMemo(() => judgeRows(rows, find, check), [rows, find, check]);
  const progress = useMemo(() => stillTrue(told, judged), [told, judged]);
  const shown = useMemo(
    () => judged.map((row): ShownRow => ({ row, cells: scanCells(row, progress.get(row.key) ?? null, names) })),
    [judged, progress, names],
  );
  const needs = useMemo(() => scanNeeds(shown.map(({ cells }) => cells)), [shown]);
  const cost = useMemo(() => scanCost(judged), [judged]);
  return scan === null ? null : { ...scan, progress, shown, needs, cost, names, selected: judged[scan.index] ?? null };
}

/** Without what was put on the watchlist and has been taken from it since. */
function stillTrue(
  progress: ReadonlyMap<number, RowProgress>,
  rows: readonly JudgedRow[],
): ReadonlyMap<number, RowProgress> {
  if (progress.size === 0) return progress;
  const open = new Set(rows.flatMap(({ key, standing }) => (canBeTaken(standing) ? [key] : [])));
  return new Map([...progress].filter(([key, one]) => !(isSettled(one) && open.has(key))));
}

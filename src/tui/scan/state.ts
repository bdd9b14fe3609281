import { useMemo } from 'react';
import { canBeTaken, createFindKnown, type JudgedRow, judgeRows, scanCost } from '../../board/scan/judge-rows.ts';
import { type CourierNames, isSettled, type RowProgress, scanNotes } from '../../board/scan/row-words.ts';
import { type ScanCells, type ScanWidths, scanCells, scanNeeds } from '../../board/scan/scan-lines.ts';
import { rowsOfScan, type ScanRow } from '../../board/scan/scan-row.ts';
import type { ApplyAdditions } from '../../polling/apply-additions.ts';
import type { CallCost } from '../../polling/gate/call-rules.ts';
import type { MonitorState } from '../../polling/state.ts';
import { courierNamer } from '../../service/couriers.ts';
import type { FoundAlready } from '../../settings/session/context.ts';
import type { FooterState } from '../footer/messages.ts';
import { type HelpState, type OverlayState, showOverlay } from '../help/keys.ts';
import type { Change } from '../keys/binding.ts';
import type { Scrolled } from '../keys/movement.ts';
import type { FilterState, SelectionState } from '../list/state.ts';
import type { LoadedCouriers, PickerState } from '../picker/couriers.ts';
import type { PromptState } from '../prompt/prompt.ts';
import type { BoardServices } from '../services.ts';

type ScanStage =
  | { readonly kind: 'reading'; readonly stop: () => void }
  | { readonly kind: 'choosing' }
  | { readonly kind: 'adding'; readonly doing: string; readonly isStopping: boolean; readonly stop: () => void }
  | { readonly kind: 'ended' };

export interface OpenScan {
  readonly id: number;
  readonly source: string;
  readonly stage: ScanStage;
  readonly rows: readonly ScanRow[];
  readonly index: number;
  readonly progress: ReadonlyMap<number, RowProgress>;
  readonly notes: readonly string[];
}

export interface ScanState {
  /** The open list, or the last one, which V opens again. */
  readonly scan: OpenScan | null;
  /** The last pasted text of several lines without a number. */
  readonly withoutNumber: string | null;
}

export interface ScanBoard extends Scrolled, Pick<BoardServices, 'clock' | 'couriers' | 'foundAlready'> {
  readonly ui: ScanState & OverlayState;
  readonly change: Change<
    ScanState & OverlayState & PickerState & PromptState & FooterState & HelpState & SelectionState & FilterState
  >;
  readonly scan: ShownScan | null;
  readonly applyAdditions: ApplyAdditions;
  readonly courierList: LoadedCouriers;
  readonly quit: (reason?: 'quit' | 'interrupted') => void;
}

export const noScan: ScanState = { scan: null, withoutNumber: null };

export const showScan = (scan: OpenScan): Pick<ScanState, 'scan'> & OverlayState => ({ ...showOverlay('scan'), scan });

export const emptyScan: OpenScan = {
  id: 1,
  source: 'pasted text',
  stage: { kind: 'choosing' },
  rows: [],
  index: 0,
  progress: new Map(),
  notes: [],
};

export const showFound = ({ scan, source }: FoundAlready): Pick<ScanState, 'scan'> & OverlayState =>
  showScan({ ...emptyScan, source, rows: rowsOfScan(scan), notes: scanNotes(scan) });

/** Changes a list unless another one has been opened. */
export const changedScan =
  (id: number, change: (scan: OpenScan) => Partial<OpenScan>) =>
  ({ scan }: Pick<ScanState, 'scan'>): Partial<ScanState> =>
    scan === null || scan.id !== id ? {} : { scan: { ...scan, ...change(scan) } };

/** Changes a row and forgets its progress. */
export const withRowEdited = (id: number, key: number, edit: (row: ScanRow) => ScanRow) =>
  changedScan(id, ({ progress, rows }) => ({
    rows: rows.map((row) => (row.key === key ? edit(row) : row)),
    progress: new Map([...progress].filter(([row]) => row !== key)),
  }));

export const isChoosing = (scan: OpenScan | null): boolean =>
  scan !== null && (scan.stage.kind === 'choosing' || scan.stage.kind === 'ended');

interface ShownRow {
  readonly row: JudgedRow;
  readonly cells: ScanCells;
}

export interface ShownScan extends OpenScan {
  readonly shown: readonly ShownRow[];
  readonly selected: JudgedRow | null;
  readonly needs: ScanWidths;
  readonly cost: CallCost;
  readonly names: CourierNames;
}

export function useScan(
  scan: OpenScan | null,
  { parcels }: Pick<MonitorState, 'parcels'>,
  { check, couriers }: Pick<LoadedCouriers, 'check' | 'couriers'>,
): ShownScan | null {
  const { progress: told, rows } = scan ?? emptyScan;
  const drawn = useMemo(() => {
    const names = courierNamer(couriers);
    const judged = judgeRows(rows, createFindKnown(rows.length === 0 ? [] : parcels), check);
    const progress = stillTrue(told, judged);
    const shown = judged.map((row): ShownRow => ({ row, cells: scanCells(row, progress.get(row.key) ?? null, names) }));
    return { names, progress, shown, needs: scanNeeds(shown.map(({ cells }) => cells)), cost: scanCost(judged) };
  }, [rows, told, parcels, check, couriers]);
  return scan === null ? null : { ...scan, ...drawn, selected: drawn.shown[scan.index]?.row ?? null };
}

/** Drops the progress of numbers that were added and have been removed since. */
function stillTrue(
  progress: ReadonlyMap<number, RowProgress>,
  rows: readonly JudgedRow[],
): ReadonlyMap<number, RowProgress> {
  const open = new Set(rows.flatMap(({ key, standing }) => (canBeTaken(standing) ? [key] : [])));
  return new Map([...progress].filter(([key, one]) => !(isSettled(one) && open.has(key))));
}

import { useMemo } from 'react';
import {
  canBeTaken,
  createFindKnown,
  type JudgedRow,
  judgeRows,
  type ScanCost,
  scanCost,
} from '../../board/scan/judge-rows.ts';
import { type CourierNames, isSettled, type RowProgress, scanNotes } from '../../board/scan/row-words.ts';
import { type ScanCells, type ScanWidths, scanCells, scanNeeds } from '../../board/scan/scan-lines.ts';
import { changeRow, rowsOfScan, type ScanRow } from '../../board/scan/scan-row.ts';
import type { ApplyAdditions } from '../../polling/apply-additions.ts';
import type { MonitorState } from '../../polling/state.ts';
import { courierNamer } from '../../service/couriers.ts';
import type { FoundAlready } from '../../settings/session/board-request.ts';
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
  | {
      readonly kind: 'adding';
      /** How far it is, as half a sentence. */
      readonly doing: string;
      readonly isStopping: boolean;
      readonly stop: () => void;
    }
  | { readonly kind: 'ended' };

export interface OpenScan {
  readonly id: number;
  /** Where the text comes from, such as `the pasted text`. */
  readonly source: string;
  readonly stage: ScanStage;
  readonly rows: readonly ScanRow[];
  readonly index: number;
  readonly progress: ReadonlyMap<number, RowProgress>;
  readonly notes: readonly string[];
}

export interface ScanState {
  /** The list that is open, or was closed last and can be opened again; null when there is none. */
  readonly scan: OpenScan | null;
  /** The text of several lines that was pasted last and holds no number; null when there is none. */
  readonly withoutNumber: string | null;
}

export interface ScanBoard extends Scrolled, Pick<BoardServices, 'clock' | 'couriers' | 'foundAlready'> {
  readonly ui: ScanState & OverlayState;
  readonly change: Change<ScanState & OverlayState & AskedState & FooterState & HelpState & AddedState>;
  readonly scan: ShownScan | null;
  readonly applyAdditions: ApplyAdditions;
  readonly courierList: LoadedCouriers;
  readonly quit: (reason?: 'quit' | 'interrupted') => void;
}

type AskedState = PickerState & PromptState;
type AddedState = SelectionState & FilterState;

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

/** A change of the open list; nothing when another one, or none, is open by now. */
export const changedScan =
  (id: number, change: (scan: OpenScan) => Partial<OpenScan>) =>
  ({ scan }: Pick<ScanState, 'scan'>): Partial<ScanState> =>
    scan === null || scan.id !== id ? {} : { scan: { ...scan, ...change(scan) } };

/** A change of one row as the user wants it: what came of it before does not count any more. */
export const withRowEdited = (
  id: number,
  key: number,
  edit: (row: ScanRow) => ScanRow,
): ((state: Pick<ScanState, 'scan'>) => Partial<ScanState>) =>
  changedScan(id, ({ progress, rows }) => ({
    rows: changeRow(rows, key, edit),
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
  readonly cost: ScanCost;
  readonly names: CourierNames;
}

const noRows: readonly ScanRow[] = [];
const noProgress: OpenScan['progress'] = new Map();

export function useScan(
  scan: OpenScan | null,
  { parcels }: Pick<MonitorState, 'parcels'>,
  { check, couriers }: Pick<LoadedCouriers, 'check' | 'couriers'>,
): ShownScan | null {
  const rows = scan?.rows ?? noRows;
  const told = scan?.progress ?? noProgress;
  const drawn = useMemo(() => {
    const names = courierNamer(couriers);
    const judged = judgeRows(rows, createFindKnown(rows.length === 0 ? [] : parcels), check);
    const progress = stillTrue(told, judged);
    const shown = judged.map((row): ShownRow => ({ row, cells: scanCells(row, progress.get(row.key) ?? null, names) }));
    return { names, progress, shown, needs: scanNeeds(shown.map(({ cells }) => cells)), cost: scanCost(judged) };
  }, [rows, told, parcels, check, couriers]);
  return scan === null ? null : { ...scan, ...drawn, selected: drawn.shown[scan.index]?.row ?? null };
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

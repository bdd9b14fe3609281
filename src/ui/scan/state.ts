import type { RowProgress } from '../../board/scan/row-progress.ts';
import { scanNotes } from '../../board/scan/scan-notes.ts';
import { rowsOfScan, type ScanRow } from '../../board/scan/scan-row.ts';
import type { FoundAlready } from '../../screen/board-request.ts';
import { type OverlayState, showOverlay } from '../overlay/state.ts';

/** How far the list of found numbers is: its text is read, the user chooses, they are added, that has ended. */
export type ScanStage =
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

/** Numbers that were found in a text, before they are added. */
export interface OpenScan {
  /** Tells this list from the ones before it. */
  readonly id: number;
  /** Where the text comes from, such as `the pasted text`. */
  readonly source: string;
  readonly stage: ScanStage;
  readonly rows: readonly ScanRow[];
  /** Which row is selected, from 0. */
  readonly index: number;
  /** What became of rows that were to be added, by their keys. */
  readonly progress: ReadonlyMap<number, RowProgress>;
  /** What the user should know of the text or of what came of it, as sentences. */
  readonly notes: readonly string[];
}

/** The part of the state that holds found numbers. */
export interface ScanState {
  /** The list that is open, or was closed last and can be opened again; null when there is none. */
  readonly scan: OpenScan | null;
  /** The text of several lines that was pasted last and holds no number; null when there is none. */
  readonly withoutNumber: string | null;
}

/** No text was looked through yet. */
export const noScan: ScanState = { scan: null, withoutNumber: null };

/** Opens the list of found numbers in place of the panes. */
export const showScan = (scan: OpenScan): Pick<ScanState, 'scan'> & OverlayState => ({ ...showOverlay('scan'), scan });

/** A list of nothing yet. */
export const emptyScan: OpenScan = {
  id: 1,
  source: 'pasted text',
  stage: { kind: 'choosing' },
  rows: [],
  index: 0,
  progress: new Map(),
  notes: [],
};

/** Opens with numbers that were found already. */
export const showFound = ({ scan, source }: FoundAlready): Pick<ScanState, 'scan'> & OverlayState =>
  showScan({ ...emptyScan, source, rows: rowsOfScan(scan), notes: scanNotes(scan) });

/** A change of the open list; nothing when another one, or none, is open by now. */
export const changedScan =
  (id: number, change: (scan: OpenScan) => Partial<OpenScan>) =>
  ({ scan }: Pick<ScanState, 'scan'>): Partial<ScanState> =>
    scan === null || scan.id !== id ? {} : { scan: { ...scan, ...change(scan) } };

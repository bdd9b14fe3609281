import { createCourierResolver } from '../../board/courier-search.ts';
import type { TextEntry } from '../../board/input/entered-text.ts';
import { isSettled, type RowProgress, resultText, rowProgress, scanNotes } from '../../board/scan/row-words.ts';
import {
  appendRows,
  hasCourierName,
  parcelFromRow,
  rowsFromEntries,
  rowsFromScan,
  type ScanRow,
} from '../../board/scan/scan-row.ts';
import {
  type AdditionProgress,
  type AppliedAddition,
  type AppliedAdditions,
  type ApplyAdditions,
  applyAdditions as applyToMonitor,
} from '../../polling/apply-additions.ts';
import { CancelledError, defaultBatchLimit } from '../../service/port.ts';
import type { Board } from '../board.ts';
import { waitForCouriers } from '../courier-picker.ts';
import { inBackground, showMessage } from '../footer.ts';
import { closeOverlay, showOverlay } from '../help/keys.ts';
import { selectParcel } from '../list/state.ts';
import { emptyEdit } from '../text-edit.ts';
import type { OpenScan } from '../ui-state.ts';
import { changeScan, emptyScan, isChoosing, showScan } from './found-numbers.ts';

const progressText = ({ done, phase, total }: AdditionProgress): string =>
  phase === 'waiting'
    ? `The service asked us to wait: continuing in ${total - done} s…`
    : `${phase === 'registering' ? 'Registering' : 'Checking'} ${done} of ${total}…`;

/**
 * Adds the chosen numbers, and closes the list if all were added. Numbers that failed stay chosen, so that Enter
 * retries them.
 */
export function addFound(board: Board): void {
  const { applyAdditions = createBoardAdditions(board), change, scan } = board;
  if (scan === null) return;
  const chosen = scan.displayRows.flatMap(({ row }) => (row.isSelected ? [row] : []));
  if (chosen.length === 0) {
    closeScan(board);
    return;
  }
  const keys = chosen.map(({ key }) => key);
  const controller = new AbortController();
  const edit = (changes: Parameters<typeof changeScan>[1]): void => change(changeScan(scan.id, changes));
  const stop = (): void => {
    controller.abort();
    edit(({ stage }) => (stage.kind === 'adding' ? { stage: { ...stage, isStopping: true } } : {}));
  };
  edit(({ progress }) => ({
    stage: { kind: 'adding', doing: `Adding ${keys.length}…`, isStopping: false, stop },
    progress: new Map([...progress, ...keys.map((key) => [key, { kind: 'queued' }] as const)]),
    notes: [],
  }));
  inBackground(board, async () => {
    const applied = await applyAdditions(chosen.map(parcelFromRow), {
      signal: controller.signal,
      onProgress: (added) => {
        // On a board, polling checks the numbers.
        if (added.phase === 'checking' && board.initialScan === undefined) return;
        const progress = progressText(added);
        edit(({ stage }) => (stage.kind === 'adding' ? { stage: { ...stage, doing: progress } } : {}));
      },
      onResults: (results) => {
        const found = progressByKey(keys, results, true);
        edit(({ progress }) => ({ progress: new Map([...progress, ...found]) }));
      },
    });
    showResults(board, scan.id, keys, applied);
  });
}

const progressByKey = (
  keys: readonly number[],
  results: readonly AppliedAddition[],
  isRunning: boolean,
): ReadonlyMap<number, RowProgress> =>
  new Map(results.map(({ index, kind, parcel }) => [keys[index] ?? -1, rowProgress(kind, parcel, isRunning)]));

/** Shows the results for the rows with these keys. Closes the list if nothing is left to do. */
function showResults(board: Board, scanId: number, keys: readonly number[], applied: AppliedAdditions): void {
  const { change } = board;
  const { failure, remaining, results } = applied;
  const isStopped = failure instanceof CancelledError;
  const done = progressByKey(keys, results, false);
  const notAdded: RowProgress = { kind: 'failed', reason: failure?.message ?? 'Not added.' };
  const failed = new Map(remaining.map((index) => [keys[index] ?? -1, notAdded]));
  const all = [...done.values(), ...failed.values()];
  const resultSummary = resultText(all);
  const summary = isStopped
    ? `Stopped: ${resultSummary}`
    : failure === null
      ? resultSummary
      : `${resultSummary} ${failure.message}`;
  const isComplete = all.every(isSettled);
  const isRejected = (key: number): boolean => done.get(key)?.kind === 'rejected';
  const last = results.at(-1);
  if (last !== undefined) change((ui) => ({ filter: emptyEdit, ...selectParcel(ui, last.parcel.id, 0) }));
  change(
    changeScan(scanId, ({ index, rows, progress }) => ({
      stage: { kind: 'ended' },
      // The service would reject the number again for the same courier.
      rows: rows.map((row) => (isRejected(row.key) ? { ...row, choice: false } : row)),
      // Rows that were not reached before the user stopped have not failed.
      progress: new Map([...[...progress].filter(([key]) => !failed.has(key)), ...done, ...(isStopped ? [] : failed)]),
      notes: isComplete ? [] : [resultSummary],
      index: isComplete
        ? index
        : Math.max(
            0,
            rows.findIndex(({ key }) => isRejected(key) || failed.has(key)),
          ),
    })),
  );
  showMessage(board, summary, isComplete && failure === null ? {} : { tone: 'attention' });
  if (!isComplete) return;
  change((ui) => (ui.scan?.id === scanId ? closeOverlay('scan')(ui) : {}));
  if (board.initialScan !== undefined) board.quit();
}

export function closeScan(board: Board): void {
  const { change, scan } = board;
  change(showOverlay(null));
  if (board.initialScan !== undefined) board.quit();
  else if (scan === null || scan.rows.length === 0) change({ scan: null });
  else if (scan.cost.numbers > 0)
    showMessage(board, 'The other numbers were not added.', { advice: 'Press V to show the numbers again.' });
}

/** On a board, adds one batch at a time, so that the user can stop in between. Polling then checks the numbers. */
const createBoardAdditions =
  ({ clock, monitor, setup }: Board): ApplyAdditions =>
  (parcels, options) =>
    applyToMonitor(monitor, parcels, {
      ...options,
      registers: setup.kind === 'ready',
      clock,
      batchSize: defaultBatchLimit,
      checks: false,
    });

function openList({ scan, ui }: Board, stage: OpenScan['stage']): OpenScan {
  const isOpen = ui.overlay === 'scan' && isChoosing(scan);
  return { ...((isOpen ? ui.scan : null) ?? emptyScan), id: (ui.scan?.id ?? 0) + 1, stage };
}

/** Lists the numbers of entries, after those of an open list. */
export function showEntries(board: Board, entries: readonly TextEntry[]): void {
  const show = (rows: readonly ScanRow[]): void => {
    const list = openList(board, { kind: 'choosing' });
    board.change(showScan({ ...list, rows: appendRows(list.rows, rows) }));
  };
  if (!entries.some(hasCourierName)) show(rowsFromEntries(entries));
  else
    inBackground(board, async () => {
      const couriers = await waitForCouriers(board);
      show(rowsFromEntries(entries, createCourierResolver({ couriers, stale: false })));
    });
}

interface ScanSource {
  /** Text, or a file's bytes. */
  readonly text: string | Uint8Array;
  /** Where the text comes from. By default, it was pasted. */
  readonly source?: string;
  readonly notes: readonly string[];
  /** Called if the text contains no number. Returns advice as a sentence, or null. */
  readonly onNothingFound: () => string | null;
}

/** Lists the numbers found in text, after those of an open list. */
export function scanPasted(board: Board, { text, notes, onNothingFound, source = emptyScan.source }: ScanSource): void {
  const { change } = board;
  const controller = new AbortController();
  const list = openList(board, { kind: 'reading', stop: () => controller.abort() });
  const isNewList = list.rows.length === 0 && board.initialScan === undefined;
  change(showScan({ ...list, source }));
  const show = (rows: readonly ScanRow[], messages: readonly string[]): void =>
    change(
      changeScan(list.id, () => ({
        stage: { kind: 'choosing' },
        rows: appendRows(list.rows, rows),
        index: rows.length === 0 ? list.index : list.rows.length,
        notes: messages,
      })),
    );
  inBackground(board, async () => {
    try {
      const [{ scanText }, couriers] = await Promise.all([import('../../scan/scan-text.ts'), waitForCouriers(board)]);
      const { signal } = controller;
      const found = await scanText(text, { couriers, signal });
      if (signal.aborted) return;
      if (found.numbers.length > 0) {
        show(rowsFromScan(found), [...notes, ...scanNotes(found)]);
        return;
      }
      if (isNewList) {
        change((ui) => (ui.scan?.id === list.id ? { ...closeOverlay('scan')(ui), scan: null } : {}));
      } else show([], list.notes);
      const advice = isNewList ? onNothingFound() : null;
      const sourceName = source === emptyScan.source ? 'the pasted text' : source;
      const messages = [`No tracking number found in ${sourceName}.`, ...notes].join(' ');
      showMessage(board, messages, advice === null ? {} : { advice });
    } catch (error) {
      if (controller.signal.aborted) return;
      show([], []);
      throw error;
    }
  });
}

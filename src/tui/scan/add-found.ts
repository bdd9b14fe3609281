import { useMemo } from 'react';
import { courierReader } from '../../board/courier-search.ts';
import type { TextEntry } from '../../board/input/entered-text.ts';
import { isSettled, progressOf, type RowProgress, resultWords, scanNotes } from '../../board/scan/row-words.ts';
import {
  namesCourier,
  parcelOfRow,
  rowsBehind,
  rowsOfEntries,
  rowsOfScan,
  type ScanRow,
} from '../../board/scan/scan-row.ts';
import {
  type AdditionProgress,
  type AppliedAddition,
  type AppliedAdditions,
  type ApplyAdditions,
  applyAdditions as applyToMonitor,
} from '../../polling/apply-additions.ts';
import { CancelledError } from '../../service/errors.ts';
import { usualBatchLimit } from '../../service/port.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { showOverlay } from '../help/keys.ts';
import { withSelected } from '../list/state.ts';
import { couriersSoon } from '../picker/couriers.ts';
import type { BoardServices } from '../services.ts';
import { changedScan, emptyScan, isChoosing, type OpenScan, type ScanBoard, showScan } from './state.ts';

const phaseWords: Readonly<Record<Exclude<AdditionProgress['phase'], 'waiting'>, string>> = {
  registering: 'Registering',
  checking: 'Checking',
};

const doingWords = ({ done, phase, total }: AdditionProgress): string =>
  phase === 'waiting'
    ? `The service asked for a pause: going on in ${total - done} s…`
    : `${phaseWords[phase]} ${done} of ${total}…`;

/**
 * Adds the numbers that are taken. Each row says what became of it; when all went well the list closes. What is not added
 * because it was stopped or failed stays in the list, taken, so that Enter tries it again.
 */
export function addFound(board: ScanBoard): void {
  const { applyAdditions, change, scan } = board;
  if (scan === null) return;
  const taken = scan.shown.flatMap(({ row }) => (row.isTaken ? [row] : []));
  if (taken.length === 0) {
    closeScan(board);
    return;
  }
  const keys = taken.map(({ key }) => key);
  const controller = new AbortController();
  const changeScan = (edit: Parameters<typeof changedScan>[1]): void => change(changedScan(scan.id, edit));
  const stop = (): void => {
    controller.abort();
    changeScan(({ stage }) => (stage.kind === 'adding' ? { stage: { ...stage, isStopping: true } } : {}));
  };
  changeScan(({ progress }) => ({
    stage: { kind: 'adding', doing: `Adding ${keys.length}…`, isStopping: false, stop },
    progress: new Map([...progress, ...keys.map((key) => [key, { kind: 'queued' }] as const)]),
    notes: [],
  }));
  inBackground(board, async () => {
    const applied = await applyAdditions(taken.map(parcelOfRow), {
      signal: controller.signal,
      onProgress: (added) => {
        // On a board polling does the checks.
        if (added.phase === 'checking' && board.foundAlready === undefined) return;
        const doing = doingWords(added);
        changeScan(({ stage }) => (stage.kind === 'adding' ? { stage: { ...stage, doing } } : {}));
      },
      onResults: (results) => {
        const found = results.map((result) => progressAt(keys, result, true));
        changeScan(({ progress }) => ({ progress: new Map([...progress, ...found]) }));
      },
    });
    finish(board, scan.id, keys, applied);
  });
}

const keyOf = (keys: readonly number[], index: number): number => keys[index] ?? -1;

const progressAt = (
  keys: readonly number[],
  { index, kind, parcel }: AppliedAddition,
  isUnderWay: boolean,
): readonly [key: number, progress: RowProgress] => [keyOf(keys, index), progressOf(kind, parcel, isUnderWay)];

/** Shows what became of the numbers with these keys; the list closes when there is nothing left to do about them. */
function finish(board: ScanBoard, scanId: number, keys: readonly number[], applied: AppliedAdditions): void {
  const { change } = board;
  const { failure, left, results } = applied;
  const isStopped = failure instanceof CancelledError;
  const done = results.map((result) => progressAt(keys, result, false));
  const notAdded = left.map((index) => {
    const progress: RowProgress = { kind: 'failed', reason: failure?.message ?? 'It was not added.' };
    return [keyOf(keys, index), progress] as const;
  });
  const all = [...done, ...notAdded].map(([, progress]) => progress);
  const words = resultWords(all);
  const said = isStopped ? `Stopped: ${words}` : failure === null ? words : `${words} ${failure.message}`;
  const isOver = all.every(isSettled);
  const rejected = new Set(done.flatMap(([key, progress]) => (progress.kind === 'rejected' ? [key] : [])));
  const tried = new Set(keys);
  const open = new Set([...rejected, ...notAdded.map(([key]) => key)]);
  const last = results.at(-1);
  if (last !== undefined) change((ui) => ({ filter: emptyEdit, ...withSelected(ui, last.parcel.id, 0) }));
  change(
    changedScan(scanId, ({ index, rows, progress }) => ({
      stage: { kind: 'ended' },
      // The same again would be rejected again: it waits for another courier.
      rows: rows.map((row) => (rejected.has(row.key) ? { ...row, wanted: false } : row)),
      // What was stopped has not failed.
      progress: new Map([...[...progress].filter(([key]) => !tried.has(key)), ...done, ...(isStopped ? [] : notAdded)]),
      notes: isOver ? [] : [words],
      index: isOver
        ? index
        : Math.max(
            0,
            rows.findIndex(({ key }) => open.has(key)),
          ),
    })),
  );
  showMessage(board, said, isOver && failure === null ? {} : { tone: 'attention' });
  if (!isOver) return;
  change((ui) => (ui.scan?.id === scanId && ui.overlay === 'scan' ? showOverlay(null) : {}));
  if (board.foundAlready !== undefined) board.quit();
}

export function closeScan(board: ScanBoard): void {
  const { change, scan } = board;
  change(showOverlay(null));
  if (board.foundAlready !== undefined) board.quit();
  else if (scan === null || scan.rows.length === 0) change({ scan: null });
  else if (scan.cost.numbers > 0)
    showMessage(board, 'Nothing more was added.', { advice: 'V shows the numbers again.' });
}

/** How found numbers are added on a board: a batch at a time, so that what is stopped costs no more; polling checks them. */
export function useApplyAdditions({
  applyAdditions: given,
  clock,
  monitor,
  setup,
}: Pick<BoardServices, 'applyAdditions' | 'clock' | 'monitor' | 'setup'>): ApplyAdditions {
  return useMemo(() => {
    if (given !== undefined) return given;
    const registers = setup.kind === 'ready';
    return (parcels, options) =>
      applyToMonitor(monitor, parcels, { ...options, registers, clock, savedTogether: usualBatchLimit, checks: false });
  }, [given, clock, monitor, setup]);
}

const nothingFound = 'No tracking number was found in what was pasted.';

function openList({ scan, ui }: ScanBoard, stage: OpenScan['stage']): OpenScan {
  const isOpen = ui.overlay === 'scan' && isChoosing(scan);
  return { ...((isOpen ? ui.scan : null) ?? emptyScan), id: (ui.scan?.id ?? 0) + 1, stage };
}

/** Shows entries that are many before any of them is added. Names of couriers are looked up first. */
export function showEntries(board: ScanBoard, entries: readonly TextEntry[]): void {
  const show = (rows: readonly ScanRow[]): void => {
    const list = openList(board, { kind: 'choosing' });
    board.change(showScan({ ...list, rows: rowsBehind(list.rows, rows) }));
  };
  if (!entries.some(namesCourier)) {
    show(rowsOfEntries(entries));
    return;
  }
  inBackground(board, async () => {
    const couriers = await couriersSoon(board);
    show(rowsOfEntries(entries, courierReader({ couriers, stale: false })));
  });
}

interface PastedText {
  readonly text: string;
  readonly notes: readonly string[];
  /** What is done when there is no number in it; answers what the user can do then, as a sentence, or null. */
  readonly otherwise: () => string | null;
}

/** Looks for numbers in a pasted text and shows them before any is added; behind those of a list that is open. */
export function scanPasted(board: ScanBoard, { text, notes, otherwise }: PastedText): void {
  const { change } = board;
  const controller = new AbortController();
  const list = openList(board, { kind: 'reading', stop: () => controller.abort() });
  const isNew = list.rows.length === 0 && board.foundAlready === undefined;
  change(showScan(list));
  const show = (rows: readonly ScanRow[], said: readonly string[]): void =>
    change(
      changedScan(list.id, () => ({
        stage: { kind: 'choosing' },
        rows: rowsBehind(list.rows, rows),
        index: rows.length === 0 ? list.index : list.rows.length,
        notes: said,
      })),
    );
  inBackground(board, async () => {
    try {
      const [{ scanText }, couriers] = await Promise.all([import('../../scan/scan-text.ts'), couriersSoon(board)]);
      const { signal } = controller;
      const found = await scanText(text, { couriers, signal });
      if (signal.aborted) return;
      if (found.numbers.length > 0) show(rowsOfScan(found), [...notes, ...scanNotes(found)]);
      else if (isNew) {
        change((ui) =>
          ui.scan?.id === list.id ? { ...(ui.overlay === 'scan' ? { overlay: null } : {}), scan: null } : {},
        );
        const advice = otherwise();
        showMessage(board, [nothingFound, ...notes].join(' '), advice === null ? {} : { advice });
      } else {
        show([], list.notes);
        showMessage(board, [nothingFound, ...notes].join(' '));
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      show([], []);
      throw error;
    }
  });
}

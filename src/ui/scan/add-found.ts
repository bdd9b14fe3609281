import { useMemo } from 'react';
import { isSettled, progressOf, type RowProgress, resultWords } from '../../board/scan/row-progress.ts';
import { parcelOfRow } from '../../board/scan/scan-row.ts';
import {
  type AdditionProgress,
  type AppliedAddition,
  type AppliedAdditions,
  type ApplyAdditions,
  applyAdditions as applyToMonitor,
} from '../../polling/additions/apply-additions.ts';
import { CancelledError } from '../../service/failures/errors.ts';
import { usualBatchLimit } from '../../service/operations.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { withSelected } from '../list/state.ts';
import { showOverlay } from '../overlay/state.ts';
import type { BoardServices } from '../services.ts';
import { changedScan, type ScanBoard } from './state.ts';

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

/** What became of a number, with the key of its row. */
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
  /** Where there is something left to do. */
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

/** Closes the list, which can be opened again. */
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

import { deliveredBeforeToday } from '../../board/list/delivered-before.ts';
import type { RefreshOutcome } from '../../polling/core/state.ts';
import { PartialRefreshError } from '../../polling/schedule/batch-caller.ts';
import { usualBatchLimit } from '../../service/operations.ts';
import { isBeingIndexed } from '../../watchlist/model/indexing.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { confirmThreshold } from '../../watchlist/rules/thresholds.ts';
import { withForgotten } from '../add/state.ts';
import type { Board } from '../board.ts';
import { count, inBackground, showMessage } from '../footer/messages.ts';
import { actOnSeveral, countWords, inOneWrite, namesOf } from '../marks/act-on-several.ts';
import { withoutMarks } from '../marks/state.ts';
import { textPrompt } from '../prompt/state.ts';
import { refreshWords } from './actions.ts';
import { completeLabel } from './prompts.ts';

/** Archives parcels; where all of them are archived, watches them again. */
export function archiveOrRestoreMarked(board: Board, parcels: readonly Parcel[]): void {
  const { monitor } = board;
  const watched = parcels.filter(({ archivedAt }) => archivedAt === null);
  if (watched.length > 0) {
    actOnSeveral(board, watched, {
      doing: 'Archiving',
      done: (what) => `${what} archived`,
      act: (batch) => inOneWrite(batch, (ids) => monitor.archiveAll(ids)),
    });
    return;
  }
  actOnSeveral(board, parcels, {
    doing: 'Restoring',
    done: (what) => `${what} watched again`,
    act: (batch) => inOneWrite(batch, (ids) => monitor.restoreAll(ids)),
  });
}

/** Archives what was delivered before today, marked or not. */
export function archiveDelivered(board: Board): void {
  const { monitor, state } = board;
  actOnSeveral(board, deliveredBeforeToday(state.parcels, board), {
    doing: 'Archiving',
    done: (what) => `${what} archived, delivered before today`,
    act: (batch) => inOneWrite(batch, (ids) => monitor.archiveAll(ids)),
  });
}

/** Asks whether parcels are to be deleted here and at the service. */
export function promptDeleteMarked(board: Board, parcels: readonly Parcel[]): void {
  const { unlisted } = board.marks;
  const hidden = unlisted === 0 ? '' : ` (${unlisted} not listed now)`;
  const what = parcels.length === 1 ? `${countWords(parcels)} and its history` : `${parcels.length} parcels${hidden}`;
  board.change({
    prompt: {
      name: 'delete',
      placeholder: `${what}, here and at the service? y/n`,
      edit: null,
      accept: () =>
        actOnSeveral(board, parcels, {
          batchSize: usualBatchLimit,
          doing: 'Deleting',
          isSlow: true,
          done: (deleted) => `${deleted} deleted`,
          act: async (batch) => {
            const failures = await board.account.deleteTogether(batch.map(({ id }) => id));
            board.change(withForgotten(batch.flatMap(({ id, trackNo }) => (failures.has(id) ? [] : [trackNo]))));
            return failures;
          },
        }),
    },
  });
}

/** Asks for one label for parcels; it begins with the one that they have in common. */
export function promptLabelOfMarked(board: Board, parcels: readonly Parcel[]): void {
  const [first] = parcels;
  const shared = first !== undefined && parcels.every(({ label }) => label === first.label) ? first.label : null;
  const prompt = textPrompt(
    {
      name: `one label for ${countWords(parcels)}`,
      placeholder: parcels.every(({ label }) => label === null)
        ? 'the same for all'
        : 'the same for all; empty removes theirs',
      complete: completeLabel(board),
      accept: (text) => {
        const label = text === '' ? null : text;
        actOnSeveral(board, parcels, {
          doing: 'Labelling',
          done: (what) => (label === null ? `Labels of ${what} removed` : `${what} labelled ${label}`),
          act: (batch) => inOneWrite(batch, (ids) => board.monitor.editAll(ids, { label })),
        });
      },
    },
    shared ?? '',
  );
  board.change({ prompt });
}

/** Checks parcels now; after a question where that costs many registrations. */
export function refreshMarked(board: Board, parcels: readonly Parcel[]): void {
  const { calls, numbers, registrations } = board.monitor.costOf(parcels.map(({ id }) => id));
  if (numbers === 0) {
    showMessage(board, 'Archived parcels are not checked. x watches them again.');
    return;
  }
  if (registrations <= confirmThreshold.board) {
    refreshNow(board, parcels);
    return;
  }
  const cost = `${count(registrations, 'registration', 'registrations')} of the account and ${count(calls, 'call', 'calls')}`;
  const placeholder = `${numbers} parcels? That takes ${cost}. y/n`;
  board.change({ prompt: { name: 'refresh', placeholder, edit: null, accept: () => refreshNow(board, parcels) } });
}

function refreshNow(board: Board, parcels: readonly Parcel[]): void {
  const { change, monitor } = board;
  // A range has come to its end.
  change({ marked: board.marks.ids, rangeFrom: null });
  showMessage(board, `Checking ${count(parcels.length, 'parcel', 'parcels')}…`);
  inBackground(board, async () => {
    let outcome: RefreshOutcome;
    let heldBack: PartialRefreshError | null = null;
    try {
      outcome = await monitor.refresh(parcels.map(({ id }) => id));
    } catch (error) {
      if (!(error instanceof PartialRefreshError)) throw error;
      heldBack = error;
      ({ outcome } = error);
    }
    const failed = unanswered(board, parcels, outcome, heldBack !== null);
    const isFailed = new Set(failed.map(({ id }) => id));
    change((ui) =>
      withoutMarks(
        ui,
        parcels.flatMap(({ id }) => (isFailed.has(id) ? [] : [id])),
      ),
    );
    const words = refreshWords(board, outcome);
    if (failed.length === 0) showMessage(board, words);
    else {
      const why = heldBack === null ? '' : ` ${heldBack.message}`;
      showMessage(board, `${words} Still marked: ${namesOf(failed)}.${why}`, { tone: 'attention' });
    }
  });
}

/** Those that the service rejected or does not know, and all without an answer where the budget held some back. */
function unanswered(
  { monitor }: Board,
  parcels: readonly Parcel[],
  { answered, rejected }: RefreshOutcome,
  isHeldBack: boolean,
): readonly Parcel[] {
  const isAnswered = new Set(answered);
  const isRejected = new Set(rejected);
  const now = new Map(monitor.getState().parcels.map((parcel) => [parcel.id, parcel]));
  return parcels.filter(({ id }) => {
    if (isRejected.has(id)) return true;
    const parcel = now.get(id);
    if (parcel === undefined || isAnswered.has(id) || parcel.archivedAt !== null) return false;
    return isHeldBack || (parcel.error !== null && !isBeingIndexed(parcel));
  });
}

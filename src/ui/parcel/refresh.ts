import { counted } from '../../board/text/counted.ts';
import { clockText } from '../../board/time/zone-time.ts';
import type { RefreshOutcome } from '../../polling/core/state.ts';
import { PartialRefreshError } from '../../polling/schedule/batch-caller.ts';
import { isBeingIndexed } from '../../watchlist/model/indexing.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { confirmThreshold } from '../../watchlist/rules/confirmation-thresholds.ts';
import type { Board } from '../board.ts';
import { inBackground, runWithStatus, showMessage } from '../footer/messages.ts';
import { withoutMarks } from '../marks/state.ts';
import { countWords, namesOf } from './act-on-parcels.ts';

/** What came of a refresh, in words. */
function refreshWords({ clock, monitor, zone }: Board, { answered, changed, rejected }: RefreshOutcome): string {
  const checked = answered.length + rejected.length;
  if (checked === 0) {
    const next = monitor.getState().polling.nextPollAt;
    return next === null ? 'Nothing is due.' : `Nothing is due; next check ${clockText(next, clock.now(), zone)}.`;
  }
  const refused = rejected.length === 0 ? '' : `, ${rejected.length} not accepted`;
  const news = changed.length === 0 ? 'no change' : `${changed.length} changed`;
  return `Checked ${counted(checked, 'parcel')}: ${news}${refused}.`;
}

/** Checks all that are due now. */
export function refreshDue(board: Board): void {
  const { calls, numbers } = board.monitor.costOf('due');
  const beginning =
    calls > 1 ? `Checking ${counted(numbers, 'parcel')} takes ${calls} calls…` : 'Checking all that are due…';
  runWithStatus(board, beginning, async () => refreshWords(board, await board.monitor.refreshDue()));
}

/** Checks parcels now; after a question where that costs many registrations. */
export function refresh(board: Board, parcels: readonly Parcel[]): void {
  const { calls, numbers, registrations } = board.monitor.costOf(parcels.map(({ id }) => id));
  if (numbers === 0) {
    showMessage(board, 'Archived parcels are not checked. x watches them again.');
    return;
  }
  if (registrations <= confirmThreshold.board) {
    refreshNow(board, parcels);
    return;
  }
  const cost = `${counted(registrations, 'registration')} of the account and ${counted(calls, 'call')}`;
  const placeholder = `${numbers} parcels? That takes ${cost}. y/n`;
  board.change({ prompt: { name: 'refresh', placeholder, edit: null, accept: () => refreshNow(board, parcels) } });
}

function refreshNow(board: Board, parcels: readonly Parcel[]): void {
  const { change, marks, monitor } = board;
  // A range has come to its end.
  change({ marked: marks.ids, rangeFrom: null });
  showMessage(board, `Checking ${countWords(parcels)}…`);
  inBackground(board, async () => {
    let outcome: RefreshOutcome;
    let heldBack: PartialRefreshError | null = null;
    try {
      outcome = await monitor.refresh(parcels.map(({ id }) => id));
    } catch (error) {
      if (!(error instanceof PartialRefreshError) || marks.ids.size === 0) throw error;
      heldBack = error;
      ({ outcome } = error);
    }
    const failed = marks.ids.size === 0 ? [] : unanswered(board, parcels, outcome, heldBack !== null);
    const isFailed = new Set(failed);
    change(withoutMarks(parcels.filter((parcel) => !isFailed.has(parcel))));
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

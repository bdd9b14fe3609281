import { clockText } from '../../board/time/zone-time.ts';
import { counted } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isBeingIndexed } from '../../parcels/parcel-stage.ts';
import { confirmThreshold } from '../../polling/gate/call-rules.ts';
import type { RefreshOutcome } from '../../polling/state.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { withoutMarks } from '../list/marks.ts';
import { countText, namesOf } from './act-on-parcels.ts';

function refreshText({ clock, monitor, zone }: Board, outcome: RefreshOutcome): string {
  const { changed, rejected } = outcome;
  const checked = checkedCount(outcome);
  if (checked === 0) {
    const next = monitor.getState().polling.nextPollAt;
    return next === null ? 'All up to date.' : `All up to date. Next check ${clockText(next, clock.now(), zone)}.`;
  }
  const failed = rejected.length === 0 ? '' : `, ${rejected.length} rejected`;
  const news = changed.length === 0 ? 'no change' : `${changed.length} changed`;
  return `Checked ${counted(checked, 'parcel')}: ${news}${failed}.`;
}

const checkedCount = ({ answered, rejected }: RefreshOutcome): number => answered.length + rejected.length;

export function refreshDue(board: Board): void {
  const { calls, numbers } = board.monitor.costOf('due');
  const beginning =
    calls > 1 ? `Checking ${counted(numbers, 'parcel')} in ${calls} calls…` : 'Checking all due parcels…';
  showMessage(board, beginning);
  inBackground(board, async () => {
    const outcome = await board.monitor.refreshDue();
    showOutcome(board, outcome, []);
  });
}

export function refresh(board: Board, parcels: readonly Parcel[]): void {
  const { calls, numbers, registrations } = board.monitor.costOf(parcels.map(({ id }) => id));
  if (numbers === 0) {
    showMessage(board, 'Archived parcels are not checked. Press x to restore them.');
    return;
  }
  if (registrations <= confirmThreshold.board) {
    refreshNow(board, parcels);
    return;
  }
  const cost = `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  const placeholder = `Check ${numbers} parcels? This uses ${cost}. y/n`;
  board.change({ prompt: { name: 'refresh', placeholder, edit: null, accept: () => refreshNow(board, parcels) } });
}

function refreshNow(board: Board, parcels: readonly Parcel[]): void {
  const { change, marks, monitor } = board;
  // Ends the range, keeping its parcels marked.
  change({ marked: marks.ids, rangeFrom: null });
  showMessage(board, `Checking ${countText(parcels)}…`);
  inBackground(board, async () => {
    const outcome = await monitor.refresh(parcels.map(({ id }) => id));
    const failed = marks.ids.size === 0 ? [] : unanswered(board, parcels, outcome);
    const isFailed = new Set(failed);
    change(withoutMarks(parcels.filter((parcel) => !isFailed.has(parcel))));
    showOutcome(board, outcome, failed);
  });
}

/** Shows how many parcels were checked, and why others were not. */
function showOutcome(board: Board, outcome: RefreshOutcome, stillMarked: readonly Parcel[]): void {
  const { failure } = outcome;
  const sentences = [
    failure !== null && checkedCount(outcome) === 0 ? null : refreshText(board, outcome),
    stillMarked.length === 0 ? null : `Still marked: ${namesOf(stillMarked)}.`,
    failure?.message ?? null,
  ].filter((sentence) => sentence !== null);
  const tone = failure === null && stillMarked.length === 0 ? 'plain' : 'attention';
  showMessage(board, sentences.join(' '), { tone });
}

/** Returns the parcels that were rejected or failed, and those without a response if the check was incomplete. */
function unanswered(
  { monitor }: Board,
  parcels: readonly Parcel[],
  { answered, failure, rejected }: RefreshOutcome,
): readonly Parcel[] {
  const isAnswered = new Set(answered);
  const isRejected = new Set(rejected);
  const now = new Map(monitor.getState().parcels.map((parcel) => [parcel.id, parcel]));
  return parcels.filter(({ id }) => {
    if (isRejected.has(id)) return true;
    const parcel = now.get(id);
    if (parcel === undefined || isAnswered.has(id) || parcel.archivedAt !== null) return false;
    return failure !== null || (parcel.error !== null && !isBeingIndexed(parcel));
  });
}

import { clockText } from '../../board/time/zone-time.ts';
import type { MonitorState, RefreshOutcome } from '../../polling/core/state.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { isSameNumber } from '../../service/text/same-number.ts';
import { isBeingIndexed } from '../../watchlist/model/indexing.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStatusText } from '../../watchlist/rules/status-text.ts';
import { withTraceId } from '../session/failure.ts';
import { type Session, say } from '../session/session.ts';
import { zoneOf } from '../session/zone-of.ts';
import { rejectionOf } from './register.ts';

/** Prints a line for each number about which the service has answered; what it rejected goes to standard error. */
export function reportAnswers({ context }: Session, outcome: RefreshOutcome, parcels: readonly Parcel[]): void {
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  const changed = new Set(outcome.changed);
  for (const id of outcome.answered) {
    const parcel = byId.get(id);
    if (parcel === undefined) continue;
    const news = changed.has(id) ? 'changed' : 'no change';
    context.stdout.write(`${nameAmong(parcel, parcels)}  ${parcelStatusText(parcel)}  (${news})\n`);
  }
  for (const id of outcome.rejected) {
    const parcel = byId.get(id);
    if (parcel !== undefined) say(context, rejectionOf(parcel, nameAmong(parcel, parcels)));
  }
}

/**
 * Reports the numbers given about which the service had nothing to say, and when they are checked again, by the clock that all who share
 * the watchlist go by. Answers how
 * many of them are missing there; a number that it has taken and does not know in its queries yet is not.
 */
export function reportUnanswered(
  session: Session,
  outcome: RefreshOutcome,
  ids: readonly string[],
  { now, parcels, polling }: Pick<MonitorState, 'parcels' | 'polling'> & { readonly now: EpochMs },
): number {
  const { context } = session;
  const settled = new Set([...outcome.answered, ...outcome.rejected]);
  const unanswered = parcels.filter(({ id }) => ids.includes(id) && !settled.has(id));
  for (const parcel of unanswered) {
    const { error, nextPollAt } = parcel;
    const again =
      nextPollAt === null
        ? ''
        : polling.paused
          ? ' It is not checked automatically while checks are paused.'
          : ` It is due again at ${clockText(Date.parse(nextPollAt), now, zoneOf(session))}: run "parcel-monitor refresh" then, or keep a board or "parcel-monitor watch" running.`;
    const sentence = `${nameAmong(parcel, parcels)}: ${wordsOf(parcel)}`;
    say(context, withTraceId(`${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`}${again}`, error?.traceId ?? null));
  }
  return unanswered.filter((parcel) => parcel.archivedAt !== null || !isBeingIndexed(parcel)).length;
}

function wordsOf(parcel: Parcel): string {
  if (parcel.archivedAt !== null) return 'it is archived; "parcel-monitor edit NUMBER --restore" watches it again';
  if (isBeingIndexed(parcel)) return 'registered, waiting for the service, which does not know it in its queries yet';
  return parcel.error?.message ?? 'the service says nothing about it';
}

/** The number, with its courier where it is watched under several. */
function nameAmong({ id, trackNo, courierCode }: Parcel, parcels: readonly Parcel[]): string {
  const hasTwin = parcels.some((other) => other.id !== id && isSameNumber(other.trackNo, trackNo));
  return hasTwin ? `${trackNo}@${courierCode ?? ''}` : trackNo;
}

import { type ExpectedDelivery, expectedDelivery } from '../service/expected-delivery.ts';
import type { Checkpoint } from '../service/record.ts';
import { type Stage, subStatusText } from '../service/status.ts';
import type { Parcel, ParcelHistory } from '../watchlist/parcel.ts';
import { parcelStage, parcelStatusText } from './view-stage.ts';

/** The event that tells best where a parcel stands. */
export interface ReachedMilestone {
  readonly checkpoint: Checkpoint;
  /** What happened then, in words. */
  readonly wording: string;
}

/** What of a parcel's way has a place in a calendar. Nothing is guessed: what the service did not tell is null. */
export interface Milestones {
  /** Since when it is delivered or ready to pick up; for other parcels their last event. */
  readonly reached: ReachedMilestone | null;
  /** Null for parcels that are delivered, wait to be picked up, have expired or are archived. */
  readonly expected: ExpectedDelivery | null;
}

/** Sub-statuses of events that bring a parcel into a stage in which it then stays. */
const arrivals: Readonly<Partial<Record<Stage, RegExp>>> = {
  delivered: /^DELIVERED_/,
  pickup: /^WAITING_DELIVERY_02$/,
};

const underWay: readonly Stage[] = ['out-for-delivery', 'in-transit', 'announced', 'attention', 'no-record', 'unknown'];

/** The milestones of a parcel. Its history may be missing: then its last event is all that is known. */
export function milestonesOf(parcel: Parcel, history: ParcelHistory): Milestones {
  if (parcel.record === null || parcel.registration === 'rejected') return { reached: null, expected: null };
  const known = history.checkpoints.length > 0 ? history.checkpoints : [parcel.lastEvent].filter((one) => one !== null);
  const stage = parcelStage(parcel);
  // Who put a parcel away awaits it no more.
  const isAwaited = parcel.archivedAt === null && underWay.includes(stage);
  return {
    reached: reachedMilestone(parcel, stage, known),
    expected: isAwaited && history.received !== null ? expectedDelivery(history.received) : null,
  };
}

function reachedMilestone(parcel: Parcel, stage: Stage, newestFirst: readonly Checkpoint[]): ReachedMilestone | null {
  const arrival = arrivals[stage];
  const arrived = arrival === undefined ? undefined : earliestOfNewestRun(newestFirst, arrival);
  if (arrived !== undefined) return { checkpoint: arrived, wording: parcelStatusText(parcel) };
  const [last] = newestFirst;
  // What the record says now need not be what this event was about.
  return last === undefined
    ? null
    : { checkpoint: last, wording: subStatusText(last.subStatus) ?? last.detail ?? 'Last event' };
}

/** Couriers tell one delivery in several events; the first of them was the delivery. Scans after it change nothing. */
function earliestOfNewestRun(newestFirst: readonly Checkpoint[], arrival: RegExp): Checkpoint | undefined {
  const isArrival = ({ subStatus }: Checkpoint): boolean => arrival.test(subStatus ?? '');
  const begin = newestFirst.findIndex(isArrival);
  if (begin === -1) return undefined;
  const length = newestFirst.slice(begin).findIndex((checkpoint) => !isArrival(checkpoint));
  return newestFirst[length === -1 ? newestFirst.length - 1 : begin + length - 1];
}

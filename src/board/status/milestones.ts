import type { ExpectedDelivery } from '../../service/record/expected-delivery.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import { type Stage, subStatusText } from '../../service/record/status.ts';
import { believed } from '../../service/record/timeline-order.ts';
import { arrivalAmong } from '../../watchlist/merge/arrival.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import { arrivalOf, deliveredLocal } from '../../watchlist/rules/delivery.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { parcelStatusText } from '../../watchlist/rules/status-text.ts';

/** The event that shows best where a parcel stands. */
export interface ReachedMilestone {
  readonly checkpoint: Pick<Checkpoint, 'address' | 'at' | 'certain' | 'detail' | 'local' | 'offset'>;
  /** What happened then, in words. */
  readonly wording: string;
}

/** Events of a parcel for a calendar. Nothing is guessed: what the service did not say is null. */
export interface Milestones {
  /** Since when it is delivered or ready to pick up; for other parcels their last event. */
  readonly reached: ReachedMilestone | null;
  /** Null for parcels that are delivered, wait to be picked up, have expired or are archived. */
  readonly expected: ExpectedDelivery | null;
}

/** Stages that a parcel does not leave by itself. */
const ends: readonly Stage[] = ['delivered', 'pickup'];

/** A delivery of which the record says when it was, and no event. */
const withoutZone = { address: null, at: null, certain: false, detail: null, offset: null };

/** The milestones of a parcel. Its history may be missing: then its last event is all that is known. */
export function milestonesOf(parcel: Parcel, history: ParcelHistory): Milestones {
  if (parcel.record === null || parcel.registration === 'rejected') return { reached: null, expected: null };
  const known =
    history.checkpoints.length > 0 ? believed(history.checkpoints) : [parcel.lastEvent].filter((one) => one !== null);
  const stage = parcelStage(parcel);
  return { reached: reachedMilestone(parcel, stage, known), expected: awaitedDelivery(parcel, history) };
}

function reachedMilestone(parcel: Parcel, stage: Stage, newestFirst: readonly Checkpoint[]): ReachedMilestone | null {
  const arrived = parcel.record !== null && ends.includes(stage) ? arrivalAmong(parcel.record, newestFirst) : null;
  if (arrived !== null) return { checkpoint: arrived, wording: parcelStatusText(parcel) };
  const local = arrivalOf(parcel) === null ? deliveredLocal(parcel) : null;
  if (local !== null) return { checkpoint: { ...withoutZone, local }, wording: parcelStatusText(parcel) };
  const [last] = newestFirst;
  // What the record says now need not be what this event was about.
  return last === undefined
    ? null
    : { checkpoint: last, wording: subStatusText(last.subStatus) ?? last.detail ?? 'Last event' };
}

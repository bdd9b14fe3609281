import type { Parcel } from '../../watchlist/model/parcel.ts';
import { urgencyWithinStage } from '../status/standing.ts';
import type { Viewing } from '../status/status-now.ts';
import { instantOf } from '../status/view-stage.ts';
import { urgencyRank } from './groups.ts';

/** What decides where a parcel stands in a list by urgency. */
export interface Place {
  readonly rank: number;
  readonly urgency: number;
  readonly addedAt: number;
}

/** Finds out where parcels stand on the viewer's day. */
export function placing(viewing: Viewing): (parcel: Parcel) => Place {
  const rankOf = urgencyRank(viewing);
  return (parcel) => ({
    rank: rankOf(parcel),
    urgency: urgencyWithinStage(parcel),
    addedAt: instantOf(parcel.addedAt) ?? Number.NEGATIVE_INFINITY,
  });
}

/** Which of two places comes first: negative for the first, 0 where neither does. */
export function comparePlaces(left: Place, right: Place): number {
  // The difference of two infinities is no number.
  return left.rank - right.rank || right.urgency - left.urgency || right.addedAt - left.addedAt || 0;
}

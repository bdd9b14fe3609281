import { dayMs } from '../../service/clock/clock.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import { rankCheckpoints } from '../../service/record/timeline-order.ts';
import { recordStage } from '../rules/parcel-stage.ts';
import { arrivalAmong, type Standing } from './arrival.ts';

/** Whoever fetches a parcel decides how long it waits at the collection point, not its courier. */
const waitsToBeFetched = 'WAITING_DELIVERY_02';

/**
 * Whole days that a delivered parcel stood still at most between two of its events, its wait at a collection point left out:
 * what parcels of its courier are compared with. Null for a parcel that is not delivered, and for one of which no two events
 * have a time.
 */
export function longestStillDays(record: Standing, newestFirst: readonly Checkpoint[]): number | null {
  if (recordStage({ record, lastEvent: newestFirst[0] ?? null }) !== 'delivered') return null;
  const delivery = arrivalAmong(record, newestFirst);
  const untilDelivery = delivery === null ? newestFirst : newestFirst.slice(newestFirst.indexOf(delivery));
  const timed = rankCheckpoints(untilDelivery).filter(({ rank }) => Number.isFinite(rank));
  if (timed.length < 2) return null;
  const spans = timed
    .slice(1)
    .map(({ checkpoint, rank }, at) =>
      checkpoint.subStatus === waitsToBeFetched ? 0 : Math.max(0, (timed[at]?.rank ?? rank) - rank),
    );
  return Math.floor(spans.reduce((longest, span) => Math.max(longest, span), 0) / dayMs);
}

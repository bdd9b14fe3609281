import { dayMs, type EpochMs } from '../lib/clock.ts';
import type { Checkpoint } from '../service/record.ts';
import type { Stage } from '../service/status.ts';
import { eventSpan, rankCheckpoints } from '../service/timeline-order.ts';
import { arrivalAmong, type DeliveryFields } from './delivery.ts';
import { foldCourier } from './identity.ts';
import type { Parcel } from './parcel.ts';
import { hasEnded, parcelStage, recordStage } from './parcel-stage.ts';

/** Minimum number of a courier's delivered parcels needed to tell how long its parcels usually stay still. */
const minDelivered = 10;

/** The 90th percentile, so that a few lost parcels do not raise the usual time. */
const usualPercentile = 0.9;

/** How many whole days parcels usually stay still at most, by folded courier code. */
export type UsualStillness = ReadonlyMap<string, number>;

/**
 * Derives the usual days without movement for each courier from delivered parcels, including archived ones. At least one
 * day, because most couriers rest at night and on Sundays.
 */
export function usualStillness(parcels: readonly Pick<Parcel, 'courierCode' | 'record'>[]): UsualStillness {
  const byCourier = Map.groupBy(
    parcels.flatMap(({ courierCode, record }) => {
      const courier = foldCourier(courierCode);
      const days = record?.longestStillDays;
      return courier === null || days === undefined ? [] : [{ courier, days }];
    }),
    ({ courier }) => courier,
  );
  const usual = new Map<string, number>();
  for (const [courier, delivered] of byCourier) {
    if (delivered.length < minDelivered) continue;
    const sorted = delivered.map(({ days }) => days).toSorted((left, right) => left - right);
    usual.set(courier, Math.max(1, sorted[Math.ceil(sorted.length * usualPercentile) - 1] ?? 1));
  }
  return usual;
}

/** In whole days. */
interface QuietSpell {
  readonly days: number;
  readonly usualDays: number;
}

/** Stages in which we expect a parcel to move. */
const movingStages: readonly Stage[] = ['in-transit', 'out-for-delivery', 'announced', 'unknown'];

/** Returns how long a parcel has been still if that is longer than usual for its courier, or null. */
export function quietSpell(parcel: Parcel, now: EpochMs, usual: UsualStillness | undefined): QuietSpell | null {
  if (usual === undefined || !movingStages.includes(parcelStage(parcel))) return null;
  const usualDays = usual.get(foldCourier(parcel.courierCode) ?? '');
  if (usualDays === undefined) return null;
  const days = daysWithoutMovement(parcel, now);
  return days === null || days <= usualDays ? null : { days, usualDays };
}

/** Whether a parcel may have been still for too long, before we know what is usual. Up to a day never is. */
export function mayBeQuiet(parcel: Parcel, now: EpochMs): boolean {
  return movingStages.includes(parcelStage(parcel)) && (daysWithoutMovement(parcel, now) ?? 0) > 1;
}

/**
 * Returns the whole days that have passed at least since the newest event, or the service's count if the event has no
 * time. Null if the parcel has ended or is archived, or if nothing is known.
 */
export function daysWithoutMovement(parcel: Parcel, now: EpochMs): number | null {
  if (parcel.archivedAt !== null || hasEnded(parcel)) return null;
  const event = parcel.lastEvent;
  const span = event === null ? null : eventSpan(event);
  return span === null ? (parcel.record?.stayDays ?? null) : Math.max(0, Math.floor((now - span.latest) / dayMs));
}

/** Excluded, because the wait at a pick-up point depends on the recipient. */
const readyForPickup = 'WAITING_DELIVERY_02';

/**
 * Returns the longest time between two events of a delivered parcel in whole days, not counting its wait at a pick-up
 * point. Null if the parcel is not delivered or fewer than two events have a time.
 */
export function longestStillDays(record: DeliveryFields, newestFirst: readonly Checkpoint[]): number | null {
  if (recordStage({ record, lastEvent: newestFirst[0] ?? null }) !== 'delivered') return null;
  const delivery = arrivalAmong(record, newestFirst);
  const untilDelivery = delivery === null ? newestFirst : newestFirst.slice(newestFirst.indexOf(delivery));
  const timed = rankCheckpoints(untilDelivery).filter(({ rank }) => Number.isFinite(rank));
  if (timed.length < 2) return null;
  const spans = timed
    .slice(1)
    .map(({ checkpoint, rank }, at) =>
      checkpoint.subStatus === readyForPickup ? 0 : Math.max(0, (timed[at]?.rank ?? rank) - rank),
    );
  return Math.floor(spans.reduce((max, span) => Math.max(max, span), 0) / dayMs);
}

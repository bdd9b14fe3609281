import { dayMs, type EpochMs } from '../lib/clock.ts';
import type { Checkpoint } from '../service/record.ts';
import type { Stage } from '../service/status.ts';
import { eventSpan, rankCheckpoints } from '../service/timeline-order.ts';
import { arrivalAmong, type Standing } from './delivery.ts';
import { foldCourier } from './identity.ts';
import type { Parcel } from './parcel.ts';
import { hasEnded, parcelStage, recordStage } from './parcel-stage.ts';

/** From so many delivered parcels of a courier on, it is known how long its parcels usually stand still. */
const fewestDelivered = 10;

/** Of ten delivered parcels, nine stood still for no longer: one that was lost for weeks makes nothing usual. */
const usualPart = 0.9;

/** Whole days for which parcels of a courier usually stand still at most, by courier code. */
export type UsualStillness = ReadonlyMap<string, number>;

/** Nothing is known of any courier. */
export const noUsualStillness: UsualStillness = new Map();

/** How long a parcel has stood still, and under which courier. */
interface StoodStill {
  readonly courierCode: string | null;
  readonly record: { readonly longestStillDays?: number } | null;
}

/**
 * What is usual for the couriers of a watchlist, by its delivered parcels, archived ones included. Never less than a day:
 * most couriers rest at night and on Sundays.
 */
export function usualStillness(parcels: readonly StoodStill[]): UsualStillness {
  const byCourier = new Map<string, number[]>();
  for (const { courierCode, record } of parcels) {
    const days = record?.longestStillDays;
    const courier = foldCourier(courierCode);
    if (days === undefined || courier === null) continue;
    const known = byCourier.get(courier);
    if (known === undefined) byCourier.set(courier, [days]);
    else known.push(days);
  }
  return new Map(
    [...byCourier]
      .filter(([, days]) => days.length >= fewestDelivered)
      .map(([courier, days]) => [courier, usualOf(days)] as const),
  );
}

function usualOf(days: readonly number[]): number {
  const sorted = days.toSorted((left, right) => left - right);
  return Math.max(1, sorted[Math.ceil(sorted.length * usualPart) - 1] ?? 1);
}

/** How long a parcel has been standing still, and for how long those of its courier usually do at most. Whole days. */
interface QuietSpell {
  readonly days: number;
  readonly usualDays: number;
}

/**
 * Stages in which a parcel is expected to move. One that needs attention says why it does not, and one that waits to be
 * picked up waits for its recipient.
 */
const moving: readonly Stage[] = ['in-transit', 'out-for-delivery', 'announced', 'unknown'];

/** That a parcel stands still for longer than those of its courier usually do; null when it does not, or nobody knows. */
export function quietSpell(parcel: Parcel, now: EpochMs, usual: UsualStillness): QuietSpell | null {
  if (usual.size === 0 || !moving.includes(parcelStage(parcel))) return null;
  const usualDays = usual.get(foldCourier(parcel.courierCode) ?? '');
  const days = daysWithoutMovement(parcel, now);
  return usualDays === undefined || days === null || days <= usualDays ? null : { days, usualDays };
}

/** Whether a parcel stands still for longer than those of any courier are known to: less than a day is usual for none. */
export function mayBeQuiet(parcel: Parcel, now: EpochMs): boolean {
  return moving.includes(parcelStage(parcel)) && (daysWithoutMovement(parcel, now) ?? 0) > 1;
}

/**
 * Whole days since the newest event of a parcel that is under way, at least: where the event has no zone, since the latest
 * instant that it may have been. The service's own count only where the event has no time. Null for a parcel whose journey is over or that was put away, and when nothing says so.
 */
export function daysWithoutMovement(parcel: Parcel, now: EpochMs): number | null {
  if (parcel.archivedAt !== null || hasEnded(parcel)) return null;
  const event = parcel.lastEvent;
  const span = event === null ? null : eventSpan(event);
  return span === null ? (parcel.record?.stayDays ?? null) : Math.max(0, Math.floor((now - span.latest) / dayMs));
}

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

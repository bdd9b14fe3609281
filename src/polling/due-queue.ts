import type { EpochMs } from '../service/clock.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import type { PollingPolicy } from './policy.ts';
import { dueAt } from './schedule.ts';

/** The parcels that are due now, longest overdue first. Nothing is asked before its time. */
export function dueParcels(parcels: readonly Parcel[], now: EpochMs, policy: PollingPolicy): readonly Parcel[] {
  return parcels
    .flatMap((parcel) => {
      const due = dueAt(parcel, now, policy);
      return due !== null && due <= now ? [{ parcel, due }] : [];
    })
    .sort((a, b) => a.due - b.due)
    .map(({ parcel }) => parcel);
}

/**
 * When the next call goes out: as soon as a parcel is due, but held for those that come due shortly after, so that one
 * call serves them all. Never before a parcel's time, never later than its hold, and no longer than there is somebody
 * to wait for. Null when no parcel is in the queue.
 */
export function nextCallAt(parcels: readonly Parcel[], now: EpochMs, policy: PollingPolicy): EpochMs | null {
  const waiting = parcels.flatMap((parcel) => {
    const due = dueAt(parcel, now, policy);
    return due === null ? [] : [{ due, latest: due + hold(parcel, due, policy) }];
  });
  if (waiting.length === 0) return null;
  const deadline = waiting.reduce((least, { latest }) => Math.min(least, latest), Number.POSITIVE_INFINITY);
  return waiting.reduce((last, { due }) => (due <= deadline ? Math.max(last, due) : last), Number.NEGATIVE_INFINITY);
}

/** Cuts a list into pieces of at most `limit`. */
export function inBatches<Item>(items: readonly Item[], limit: number): readonly (readonly Item[])[] {
  const size = Math.max(1, Math.floor(limit));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** How long a due parcel may be held: a small share of its own interval, so that nobody who waits notices. */
function hold(parcel: Parcel, due: EpochMs, policy: PollingPolicy): number {
  const since = [parcel.checkedAt, parcel.registeredAt, parcel.addedAt]
    .map((at) => (at === null ? Number.NaN : Date.parse(at)))
    .find(Number.isFinite);
  const interval = since === undefined ? 0 : Math.max(0, due - since);
  return Math.floor(Math.min(policy.coalesceMs, interval * policy.intervalShare));
}

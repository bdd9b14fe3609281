import { dayMs } from '../../lib/clock.ts';
import { awaitedDelivery, dayStart, deliveryOnClock, hasPassed, lastDayOf } from '../../parcels/expected-delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { Viewing } from './status-now.ts';

/** When a parcel can come, counted in days from today, on the clock that its delivery is given on. */
export interface DueDays {
  readonly first: number;
  readonly last: number;
  readonly isLate: boolean;
  /** Whether it is our forecast and not the courier's promise. */
  readonly isForecast: boolean;
}

/** By the courier's promise, else by the forecast; null if neither is known. */
export function dueDaysOf(parcel: Parcel, viewing: Viewing): DueDays | null {
  const awaited = awaitedDelivery(parcel);
  if (awaited !== null) {
    const delivery = deliveryOnClock(awaited, viewing);
    const today = dayStart(delivery.now);
    const ahead = (at: number): number => (dayStart(at) - today) / dayMs;
    const isLate = hasPassed(delivery);
    return { first: ahead(delivery.from), last: ahead(lastDayOf(delivery)), isLate, isForecast: false };
  }
  const forecast = viewing.forecast?.(parcel) ?? null;
  if (forecast === null) return null;
  const { from, to, today } = forecast;
  return { first: (from - today) / dayMs, last: (to - today) / dayMs, isLate: false, isForecast: true };
}

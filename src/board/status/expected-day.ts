import { dayMs } from '../../lib/clock.ts';
import type { Tone } from '../../lib/paint.ts';
import { awaitedDelivery, dayStart, deliveryOnClock, hasPassed, lastDayOf } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { expectedWording } from './expected-delivery.ts';
import { forecastText } from './forecast.ts';
import type { Viewing } from './status-now.ts';

/** When a parcel is expected: the courier's promise, or our forecast if there isn't one. */
export interface ExpectedDay {
  /** `expected Mon 23 Nov`, `was expected yesterday`, `likely Thu–Sat`. */
  readonly full: string;
  /** `Mon 23 Nov`, `today`, `by 18:00`, `1 d late`. */
  readonly text: string;
  readonly tone: Tone;
  /** Whether it is our own estimate, which is shown dim. */
  readonly isForecast: boolean;
  /** The heading of the group for that day: `Late`, `Today`, `Mon 23 Nov`, `Forecast`. */
  readonly heading: string;
}

/** Returns when a parcel is expected, or null if there is neither a promise nor a forecast. */
export function expectedDay(parcel: Parcel, viewing: Viewing): ExpectedDay | null {
  const awaited = awaitedDelivery(parcel);
  if (awaited === null) {
    const forecast = viewing.forecast?.(parcel) ?? null;
    if (forecast === null) return null;
    const full = forecastText(forecast);
    return { full, text: full, tone: 'plain', isForecast: true, heading: 'Forecast' };
  }
  const { day, full, short, tone } = expectedWording(awaited, viewing, viewing.zone);
  const heading = tone === 'attention' ? 'Late' : `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
  return { full, text: short, tone, isForecast: false, heading };
}

/** The days on which a parcel may arrive, as days from today on the clock of its expected delivery. */
export interface DueDays {
  readonly first: number;
  readonly last: number;
  readonly isLate: boolean;
  /** Whether it is our own estimate. */
  readonly isForecast: boolean;
}

/** Returns the promised days, or the forecast if there is no promise, or null. */
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

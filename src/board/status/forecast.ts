import { once } from '../../lib/async.ts';
import { dayMs, type EpochMs } from '../../lib/clock.ts';
import { awaitedDelivery, dayStart, isAwaited, type Viewer } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { parcelStage } from '../../parcels/parcel-state.ts';
import { createForecaster, type Journey, journeyOf, usualStillness } from '../../parcels/usual-times.ts';
import { dayText, weekdayText } from '../time.ts';

/** The forecast for a parcel without a promise, in days of the viewer's zone (wall times, as if they were UTC). */
export interface ForecastDays {
  /**
   * The day by which half of the similar parcels that had been in transit just as long had arrived, today at the
   * earliest.
   */
  readonly from: EpochMs;
  /** The day by which 90% of them had arrived. */
  readonly to: EpochMs;
  readonly today: EpochMs;
  /** Whether the parcel has taken longer than 90% of similar parcels. */
  readonly isSlow: boolean;
}

/**
 * Returns null if the parcel has a promise, is out for delivery or is not in transit, or if too few similar parcels
 * have been delivered.
 */
export type Forecasts = (parcel: Parcel) => ForecastDays | null;

/** Returns a parcel's journey if it can have a forecast, or null. */
export function openJourney(parcel: Parcel): Journey | null {
  const isOpen = isAwaited(parcel) && parcelStage(parcel) !== 'out-for-delivery';
  return isOpen && awaitedDelivery(parcel) === null ? journeyOf(parcel) : null;
}

/** Bases forecasts on the delivered parcels of a list, including archived ones. Evaluates the list on first use. */
export function createForecasts(parcels: readonly Parcel[], { now, zone }: Viewer): Forecasts {
  const forecaster = once(() => {
    const journeys = parcels.flatMap((parcel) => journeyOf(parcel) ?? []);
    return createForecaster(journeys, now);
  });
  const today = dayStart(zone.wallTime(now));
  // The day whose end is nearest: on average, a parcel started half a day earlier than its whole days say, and the
  // middle of a day is half a day before its end.
  const dayAfter = ({ startedAt }: Journey, days: number): EpochMs =>
    Math.max(today, dayStart(zone.wallTime(startedAt + (days - 1) * dayMs)));
  return (parcel) => {
    const journey = openJourney(parcel);
    if (journey === null) return null;
    const daysSoFar = Math.max(0, Math.floor((now - journey.startedAt) / dayMs));
    const forecast = forecaster()(journey, daysSoFar);
    if (forecast === null) return null;
    return {
      from: dayAfter(journey, forecast.halfDays),
      to: dayAfter(journey, forecast.maxDays),
      today,
      isSlow: daysSoFar >= Math.round(forecaster()(journey, 0)?.maxDays ?? Number.POSITIVE_INFINITY),
    };
  };
}

/** Returns the context for showing parcels, with usual times and forecasts derived from the list itself. */
export const createViewing = (parcels: readonly Parcel[], { now, zone }: Viewer) => ({
  now,
  zone,
  usual: usualStillness(parcels),
  forecast: createForecasts(parcels, { now, zone }),
});

/** `likely Thu–Sat`, `likely 24–28 Nov`, `likely tomorrow`. */
export function forecastText({ from, to, today }: ForecastDays): string {
  const isNear = to - today < 7 * dayMs;
  const name = (day: EpochMs): string => (day === today ? 'today' : isNear ? weekdayText(day) : dayText(day));
  if (from === to) return `likely ${to === today + dayMs ? 'tomorrow' : name(to)}`;
  const isOneMonth = !isNear && from !== today && dayText(from).split(' ')[1] === dayText(to).split(' ')[1];
  return `likely ${isOneMonth ? new Date(from).getUTCDate() : name(from)}–${name(to)}`;
}

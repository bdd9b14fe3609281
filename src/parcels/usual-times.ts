import { dayMs, type EpochMs } from '../lib/clock.ts';
import { parseInstant } from '../lib/date-time.ts';
import type { Checkpoint } from '../service/record.ts';
import type { Stage } from '../service/status.ts';
import { eventSpan, rankCheckpoints } from '../service/timeline-order.ts';
import { type DeliveryFields, deliveredAt, findArrival, isAwaited } from './delivery.ts';
import { foldCourier } from './identity.ts';
import type { Parcel } from './parcel.ts';
import { hasEnded, parcelStage, recordStage } from './parcel-state.ts';

/** What makes parcels comparable for a forecast. */
export interface Route {
  /** Folded courier code, or null while unknown. */
  readonly courier: string | null;
  /** Origin and destination. Null unless both are known. */
  readonly countries: string | null;
}

/** A parcel of the sample. */
export interface Journey extends Route {
  readonly startedAt: EpochMs;
  /** When its newest event happened. After that, we know nothing about the parcel. */
  readonly movedAt: EpochMs;
  /** Whole days in transit until the delivery. Null if not delivered. */
  readonly days: number | null;
}

/**
 * The days in transit (fractional) by which 50% and 90% of the parcels that had been in transit just as long had
 * arrived.
 */
export interface Forecast {
  readonly halfDays: number;
  readonly maxDays: number;
}

/** Minimum number of delivered parcels for a forecast, or to tell how long a courier's parcels usually stay still. */
export const minDelivered = 10;
/** Share of parcels that arrive within `maxDays`. */
export const forecastShare = 0.9;

function parcelRoute({ courierCode, merchant, record }: Pick<Parcel, 'courierCode' | 'merchant' | 'record'>): Route {
  const [from, to] = [record?.shipFrom, record?.shipTo ?? merchant?.country];
  return { courier: foldCourier(courierCode), countries: from && to ? `${from} ${to}` : null };
}

/** Returns null if the days in transit are unknown or the parcel will not be delivered. */
export function journeyOf(parcel: Parcel): Journey | null {
  const days = parcel.record?.transitDays ?? null;
  if (days === null || days < 0) return null;
  const route = parcelRoute(parcel);
  if (parcelStage(parcel) === 'delivered') {
    const at = deliveredAt(parcel);
    return at === null ? null : { ...route, days, startedAt: at - days * dayMs, movedAt: at };
  }
  const countedAt = parseInstant(parcel.checkedAt);
  if (countedAt === null || !isAwaited(parcel)) return null;
  const moved = parcel.lastEvent === null ? null : eventSpan(parcel.lastEvent);
  return { ...route, days: null, startedAt: countedAt - days * dayMs, movedAt: moved?.latest ?? countedAt };
}

/** Returns the names of the groups that a route belongs to, with the most similar parcels first. */
const groupNames = ({ countries, courier }: Route): readonly string[] => [
  ...(courier === null || countries === null ? [] : [`${courier} ${countries}`]),
  ...(courier === null ? [] : [courier]),
  ...(countries === null ? [] : [`route ${countries}`]),
  'all',
];

interface Group {
  /** Days of delivered parcels, sorted. */
  readonly delivered: number[];
  readonly underWay: Journey[];
}

type Groups = Map<string, Group>;

function getGroups(groups: Groups, route: Route): readonly Group[] {
  return groupNames(route).map((name) => {
    const group = groups.get(name) ?? { delivered: [], underWay: [] };
    groups.set(name, group);
    return group;
  });
}

function addDelivered({ delivered }: Group, days: number): void {
  delivered.splice(delivered.findLastIndex((other) => other <= days) + 1, 0, days);
}

/** The share of parcels that arrived within a (fractional) number of days. */
interface Share {
  readonly days: number;
  readonly share: number;
}

/**
 * Returns the days by which the target share of the parcels had arrived, interpolated between two parcels, or null if too few
 * had arrived.
 */
function daysUntilShare(shares: readonly Share[], target: number): number | null {
  const at = shares.findIndex(({ share }) => share >= target - 1e-9);
  const [before, after] = [shares[at - 1], shares[at]];
  if (before === undefined || after === undefined) return null;
  return before.days + (after.days - before.days) * ((target - before.share) / (after.share - before.share));
}

/**
 * Uses the most similar group in which enough parcels took at least as long. Parcels in transit are censored
 * observations (Kaplan–Meier estimator). Without them, a new list would consist of fast parcels only. Assumes one
 * additional parcel, so that bounds from small samples are not too early. Spreads the parcels of a day evenly over that
 * day, because with whole days the bound would be at the end of a day, which is too late.
 */
function forecastFrom(groups: readonly Group[], daysSoFar: number, now: EpochMs): Forecast | null {
  for (const { delivered, underWay } of groups) {
    const first = delivered.findLastIndex((other) => other < daysSoFar) + 1;
    if (delivered.length - first < minDelivered) continue;
    const elapsed = underWay
      .map(({ movedAt, startedAt }) => Math.floor((Math.min(now, movedAt) - startedAt) / dayMs))
      .filter((days) => days >= daysSoFar)
      .toSorted((a, b) => a - b);
    const shares: Share[] = [{ days: daysSoFar, share: 0 }];
    let remaining = 1;
    for (let at = first, censoredCount = 0; at < delivered.length; ) {
      const days = delivered[at] ?? 0;
      while (censoredCount < elapsed.length && (elapsed[censoredCount] ?? 0) < days) censoredCount += 1;
      const start = at;
      let end = at;
      while (delivered[end] === days) end += 1;
      for (; at < end; at += 1) {
        remaining *= 1 - 1 / (delivered.length - at + (elapsed.length - censoredCount) + 1);
        shares.push({ days: days + (at - start + 1) / (end - start + 1), share: 1 - remaining });
      }
    }
    const maxDays = daysUntilShare(shares, forecastShare);
    if (maxDays !== null) return { halfDays: daysUntilShare(shares, 0.5) ?? maxDays, maxDays };
  }
  return null;
}

/** Returns a function that forecasts from a route and the days in transit so far. Null if the sample is too small. */
export function createForecaster(
  journeys: readonly Journey[],
  now: EpochMs,
): (route: Route, daysSoFar: number) => Forecast | null {
  const groups: Groups = new Map();
  for (const journey of journeys.toSorted((a, b) => (a.days ?? 0) - (b.days ?? 0)))
    for (const group of getGroups(groups, journey))
      if (journey.days === null) group.underWay.push(journey);
      else addDelivered(group, journey.days);
  // Cached, because in a long list most parcels share their route and days with others.
  const cache = new Map<string, Forecast | null>();
  return (route, daysSoFar) => {
    const key = `${route.courier} ${route.countries} ${daysSoFar}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const forecast = forecastFrom(getGroups(groups, route), daysSoFar, now);
    cache.set(key, forecast);
    return forecast;
  };
}

/** Number of forecasts made, and of parcels that arrived within the 90% bound. */
export interface ForecastScore {
  readonly made: number;
  readonly right: number;
}

/** Scores the forecast that each delivered parcel would have had on its first day, with only the data known then. */
export function scoreForecasts(journeys: readonly Journey[]): ForecastScore {
  const steps = journeys.flatMap((journey) => [
    { at: journey.startedAt, journey, isStart: true },
    ...(journey.days === null ? [] : [{ at: journey.startedAt + journey.days * dayMs, journey, isStart: false }]),
  ]);
  const groups: Groups = new Map();
  let [made, right] = [0, 0];
  for (const { at, isStart, journey } of steps.toSorted((a, b) => a.at - b.at)) {
    const journeyGroups = getGroups(groups, journey);
    if (isStart) {
      const forecast = journey.days === null ? null : forecastFrom(journeyGroups, 0, at);
      for (const { underWay } of journeyGroups) underWay.push(journey);
      if (forecast === null) continue;
      made += 1;
      // Rounded, because the service counts in whole days.
      if ((journey.days ?? 0) < Math.round(forecast.maxDays)) right += 1;
    } else {
      for (const group of journeyGroups) {
        group.underWay.splice(group.underWay.indexOf(journey), 1);
        addDelivered(group, journey.days ?? 0);
      }
    }
  }
  return { made, right };
}

/** The 90th percentile, so that a few lost parcels do not raise the usual time. */
const usualPercentile = 0.9;

/** The usual maximum number of whole days without movement, by folded courier code. */
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

const movingStages: readonly Stage[] = ['in-transit', 'out-for-delivery', 'announced', 'unknown'];

/** Returns how long a parcel has been still if that is longer than usual for its courier, or null. */
export function quietSpell(parcel: Parcel, now: EpochMs, usual: UsualStillness | undefined): QuietSpell | null {
  if (usual === undefined || !movingStages.includes(parcelStage(parcel))) return null;
  const usualDays = usual.get(foldCourier(parcel.courierCode) ?? '');
  if (usualDays === undefined) return null;
  const days = daysWithoutMovement(parcel, now);
  return days === null || days <= usualDays ? null : { days, usualDays };
}

/** Whether a parcel may have been still for unusually long, before we know what is usual. Up to a day is never unusual. */
export function mayBeQuiet(parcel: Parcel, now: EpochMs): boolean {
  return movingStages.includes(parcelStage(parcel)) && (daysWithoutMovement(parcel, now) ?? 0) > 1;
}

/**
 * Returns the minimum number of whole days since the newest event, or the service's count if the event has no time. Null
 * if the parcel has ended or is archived, or if nothing is known.
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
  const delivery = findArrival(record, newestFirst);
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

import type { EpochMs } from '../../service/clock.ts';
import type { Courier } from '../data/couriers.ts';
import { type Journey, planJourney } from '../journey/journey.ts';
import { seededRandom } from '../seeded-random.ts';
import type { ZoneOffsets } from '../zone-offsets.ts';
import { type LookupPlan, planLookups, planUnderWay } from './lookups.ts';
import { type JourneyPoint, ordinaryStart, positionOf } from './starting-point.ts';
import { instantOf, type Timeline } from './timeline.ts';

/** What makes one world differ from another. */
export interface WorldSettings {
  readonly seed: number;
  /** How many times faster than the wall clock parcels move. */
  readonly speed: number;
  readonly zoneOffsets: ZoneOffsets;
}

/** A number to be registered, with its courier settled. */
export interface NewRegistration {
  readonly trackNo: string;
  readonly courier: Courier;
  readonly orderNo: string | null;
  /** Whether the extra information came along that the courier needs. */
  readonly hasNeededExtra: boolean;
  readonly registeredAt: EpochMs;
}

/** A registered number: everything its record follows from, at any time. */
export interface Registration extends NewRegistration {
  readonly id: string;
  /** Its place among the account's registrations, from 0. */
  readonly sequence: number;
  readonly journey: Journey;
  readonly timeline: Timeline;
  readonly lookups: LookupPlan;
}

const serviceEpoch = Date.UTC(2020, 0, 1);
const serviceOffsetMs = 8 * 3_600_000;

/** Ids grow with time and are too long for a double, as the public service's are. */
function idOf(registeredAt: EpochMs, sequence: number): string {
  const sinceEpoch = Math.max(0, Math.floor(registeredAt + serviceOffsetMs - serviceEpoch));
  return String((BigInt(sinceEpoch) << 22n) | BigInt(sequence % 2 ** 22));
}

/** Begins the life of a number that is registered now. */
export function register(settings: WorldSettings, entry: NewRegistration, sequence: number): Registration {
  const { seed, speed, zoneOffsets } = settings;
  const journey = planJourney(seed, entry.trackNo, entry.courier, zoneOffsets);
  const random = seededRandom(seed, `start:${entry.trackNo.toUpperCase()}`);
  return {
    ...entry,
    id: idOf(entry.registeredAt, sequence),
    sequence,
    journey,
    timeline: {
      anchorAt: entry.registeredAt,
      anchorPosition: ordinaryStart(journey, entry.registeredAt, random),
      speed,
    },
    lookups: planLookups(seed, entry.trackNo, entry.registeredAt, speed),
  };
}

/**
 * Begins the life of a number that had been registered before the world started at `startedAt`: until then it moved
 * at natural speed. With `point` the parcel stands there at the start; null when its journey has no such point.
 */
export function registerEarlier(
  settings: WorldSettings,
  entry: NewRegistration,
  sequence: number,
  startedAt: EpochMs,
  point: JourneyPoint | null,
): Registration | null {
  const fresh = register(settings, entry, sequence);
  const anchorPosition =
    point === null
      ? fresh.timeline.anchorPosition + (startedAt - entry.registeredAt)
      : positionOf(fresh.journey, point, startedAt);
  if (anchorPosition === null) return null;
  const timeline: Timeline = { anchorAt: startedAt, anchorPosition, speed: settings.speed };
  const underWay = planUnderWay(fresh.lookups, startedAt);
  // A parcel that had ended before the start was found ended at the lookup after its end, not at one of today.
  const endedAt = Math.ceil(instantOf(timeline, fresh.journey.endsAt) / 1000) * 1000;
  const firstAt = endedAt < underWay.firstAt ? Math.max(fresh.lookups.firstAt, endedAt) : underWay.firstAt;
  return { ...fresh, timeline, lookups: { ...underWay, firstAt } };
}

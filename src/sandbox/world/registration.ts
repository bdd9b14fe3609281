import { dayMs, type EpochMs, hourMs, type Random } from '../../lib/clock.ts';
import { Zone } from '../../lib/date-time.ts';
import type { MerchantFields } from '../../service/port.ts';
import type { Courier } from '../couriers.ts';
import { type Journey, planJourney } from '../journey/journey.ts';
import type { Position } from '../journey/places.ts';
import { between, seededRandom } from '../seeded-random.ts';
import {
  type LookupPlan,
  type LookupRules,
  planAnew,
  planFrom,
  planLookups,
  planUnderWay,
  planWithRules,
} from './lookups.ts';

export interface JourneyPoint {
  /** The first event with this sub-status. */
  readonly subStatus: string;
  readonly side: 'before' | 'after';
  /** Milliseconds of journey time. */
  readonly byMs: number;
  /** Whether the point may move by up to half a day, so that events happen at plausible hours. It never passes an event. */
  readonly mayShift: boolean;
}

/** Returns the nearest position at which the journey's hours match the clock. */
function inStepWith(position: Position, at: EpochMs): Position {
  const ahead = (((at - position) % dayMs) + dayMs) % dayMs;
  return position + (ahead > dayMs / 2 ? ahead - dayMs : ahead);
}

/** Most parcels are in transit. For some, the courier does not know anything yet. */
function ordinaryStart(journey: Journey, at: EpochMs, random: Random): Position {
  const first = journey.events.at(0)?.position ?? 0;
  const last = journey.events.at(-1)?.position ?? first;
  const start =
    random() < 0.12 ? first - between(random, 1, 10) * hourMs : first + between(random, 0.02, 0.95) * (last - first);
  return inStepWith(start, at);
}

/** Returns null if the journey has no such event. */
export function positionOf(journey: Journey, point: JourneyPoint, at: EpochMs): Position | null {
  const event = journey.events.find((candidate) => candidate.subStatus === point.subStatus);
  if (event === undefined) return null;
  const exact = event.position + (point.side === 'before' ? -point.byMs : point.byMs);
  if (!point.mayShift) return exact;
  const shifted = inStepWith(exact, at);
  const past = (position: Position): number => journey.events.filter((each) => each.position <= position).length;
  return past(shifted) === past(exact) ? shifted : exact;
}

/** Journey time runs like the clock before the anchor, and `speed` times faster after it. */
interface Timeline {
  readonly anchorAt: EpochMs;
  readonly anchorPosition: Position;
  readonly speed: number;
}

export function instantOf(timeline: Timeline, position: Position): EpochMs {
  const away = position - timeline.anchorPosition;
  return timeline.anchorAt + (away <= 0 ? away : away / timeline.speed);
}

export interface WorldSettings {
  readonly seed: number;
  /** How many times faster than the clock parcels move. */
  readonly speed: number;
  /**
   * Positions at the first lookup, by number in upper case. If there isn't one, or the journey never reaches it, the
   * position depends on the number.
   */
  readonly startingPoints?: ReadonlyMap<string, JourneyPoint>;
  /** Defaults to the simulated couriers. */
  readonly couriers?: ReadonlyMap<string, Courier>;
  /** Defaults to no lag. */
  readonly lookupRulesOf?: (trackNo: string) => LookupRules;
}

export interface ParcelLife {
  readonly journey: Journey;
  readonly timeline: Timeline;
}

export interface PreRegistration {
  readonly trackNo: string;
  /** If it is null, the service detects the courier. */
  readonly courierCode: string | null;
  /** Before the start of the sandbox. */
  readonly registeredAgoMs: number;
  /** Defaults to a position that depends on the number. */
  readonly startAt?: JourneyPoint;
}

/** A journey starts at the first lookup and continues even if the number is deleted. */
export function createParcelLives(settings: WorldSettings) {
  const { seed, speed, startingPoints } = settings;
  const lives = new Map<string, ParcelLife>();
  const zones = new Map<string, Zone>();
  const zoneOf = (name: string): Zone => {
    const zone = zones.get(name) ?? new Zone(name);
    zones.set(name, zone);
    return zone;
  };

  const keyOf = (trackNo: string, courier: Courier): string => `${courier.code}/${trackNo.toUpperCase()}`;
  const startOf = (trackNo: string, journey: Journey, at: EpochMs): number =>
    ordinaryStart(journey, at, seededRandom(seed, `start:${trackNo.toUpperCase()}`));

  return {
    of: (trackNo: string, courier: Courier, now: EpochMs): ParcelLife => {
      const key = keyOf(trackNo, courier);
      const known = lives.get(key);
      if (known !== undefined) return known;
      const journey = planJourney(seed, trackNo, courier, zoneOf);
      const point = startingPoints?.get(trackNo.toUpperCase());
      const wanted = point === undefined ? null : positionOf(journey, point, now);
      const timeline = { anchorAt: now, anchorPosition: wanted ?? startOf(trackNo, journey, now), speed };
      const life = { journey, timeline };
      lives.set(key, life);
      return life;
    },
    /**
     * Starts a journey at normal speed before the sandbox starts. Returns null if the journey never reaches the
     * given point.
     */
    beginEarlier: (
      { trackNo, registeredAgoMs, startAt }: PreRegistration,
      courier: Courier,
      startedAt: EpochMs,
    ): ParcelLife | null => {
      const journey = planJourney(seed, trackNo, courier, zoneOf);
      const anchorPosition =
        startAt === undefined
          ? startOf(trackNo, journey, startedAt - registeredAgoMs) + registeredAgoMs
          : positionOf(journey, startAt, startedAt);
      if (anchorPosition === null) return null;
      const life = { journey, timeline: { anchorAt: startedAt, anchorPosition, speed } };
      lives.set(keyOf(trackNo, courier), life);
      return life;
    },
  };
}

/** Some couriers show nothing without this information. */
export interface ExtraInformation {
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
}

interface NewRegistration {
  readonly trackNo: string;
  readonly courier: Courier;
  readonly merchant: MerchantFields;
  readonly extra: ExtraInformation;
  /** When the information that the courier needs was added, or null. Earlier lookups show nothing. */
  readonly extraKnownSince: EpochMs | null;
  readonly registeredAt: EpochMs;
}

/** Immutable: a change creates a new object with the same id. */
export interface Registration extends NewRegistration, ParcelLife {
  readonly id: string;
  /** From 0. */
  readonly sequence: number;
  readonly lookups: LookupPlan;
  /** Time of the last requested lookup. */
  readonly refreshedAt: EpochMs | null;
}

const serviceEpoch = Date.UTC(2020, 0, 1);
const serviceOffsetMs = 8 * 3_600_000;

/** Ids grow with time and are too large for a double, as in the public service. */
function createId(registeredAt: EpochMs, sequence: number): string {
  const sinceEpoch = Math.max(0, Math.floor(registeredAt + serviceOffsetMs - serviceEpoch));
  return String((BigInt(sinceEpoch) << 22n) | BigInt(sequence % 2 ** 22));
}

const planned = ({ seed, speed, lookupRulesOf }: WorldSettings, trackNo: string, at: EpochMs): LookupPlan =>
  planLookups(seed, trackNo, at, speed, lookupRulesOf?.(trackNo));

export function register(
  settings: WorldSettings,
  entry: NewRegistration,
  sequence: number,
  life: ParcelLife,
): Registration {
  return {
    ...entry,
    ...life,
    id: createId(entry.registeredAt, sequence),
    sequence,
    lookups: planned(settings, entry.trackNo, entry.registeredAt),
    refreshedAt: null,
  };
}

/** For a number that was registered and looked up before `startedAt`. */
export function registerEarlier(
  settings: WorldSettings,
  entry: NewRegistration,
  sequence: number,
  life: ParcelLife,
  startedAt: EpochMs,
): Registration {
  const fresh = register(settings, entry, sequence, life);
  if (!fresh.lookups.rules.isLookedUp) return fresh;
  const underWay = planUnderWay(fresh.lookups, startedAt);
  // The end of a finished parcel was found by the lookup after its last event, not by one today.
  const endedAt = Math.ceil(instantOf(life.timeline, life.journey.endsAt) / 1000) * 1000;
  const firstAt = endedAt < underWay.firstAt ? Math.max(fresh.lookups.firstAt, endedAt) : underWay.firstAt;
  return { ...fresh, lookups: planFrom(underWay, firstAt) };
}

export function lookedUpAt(registration: Registration, at: EpochMs): Registration {
  return { ...registration, lookups: planAnew(registration.lookups, at), refreshedAt: at };
}

/** Returns the same object if nothing changes. */
export function withLookupRules(registration: Registration, rules: LookupRules, at: EpochMs): Registration {
  const { rules: before } = registration.lookups;
  if (JSON.stringify(rules) === JSON.stringify(before)) return registration;
  return { ...registration, lookups: planWithRules(registration.lookups, rules, at) };
}

/** For the new courier it is a new parcel, but the entry in the account stays the same. */
export function movedTo(
  settings: WorldSettings,
  registration: Registration,
  courier: Courier,
  life: ParcelLife,
  extraKnownSince: EpochMs | null,
  at: EpochMs,
): Registration {
  return {
    ...registration,
    ...life,
    courier,
    extraKnownSince,
    lookups: planned(settings, registration.trackNo, at),
    refreshedAt: null,
  };
}

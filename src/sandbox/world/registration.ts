import { dayMs, type EpochMs, hourMs, type Random } from '../../lib/clock.ts';
import { Zone } from '../../lib/date-time.ts';
import type { MerchantFields } from '../../service/port.ts';
import type { Courier } from '../couriers.ts';
import { type Journey, planJourney } from '../journey/journey.ts';
import type { Position } from '../journey/places.ts';
import { randomBetween, seededRandom } from '../seeded-random.ts';
import {
  type LookupPlan,
  type LookupRules,
  planAfterRequest,
  planFrom,
  planLookups,
  planOngoing,
  planWithRules,
} from './lookups.ts';

export interface JourneyPoint {
  /** The first event with this sub-status. */
  readonly subStatus: string;
  readonly side: 'before' | 'after';
  /** Milliseconds of journey time. */
  readonly byMs: number;
  /** Whether the point may shift by up to half a day, but never past an event, so that events happen at plausible hours. */
  readonly mayShift: boolean;
}

/** Returns the nearest position at which the journey's time of day matches the clock. */
function alignToClock(position: Position, at: EpochMs): Position {
  const ahead = (((at - position) % dayMs) + dayMs) % dayMs;
  return position + (ahead > dayMs / 2 ? ahead - dayMs : ahead);
}

/** Most parcels start in transit, and some before the courier knows anything about them. */
function ordinaryStart(journey: Journey, at: EpochMs, random: Random): Position {
  const first = journey.events.at(0)?.position ?? 0;
  const last = journey.events.at(-1)?.position ?? first;
  const start =
    random() < 0.12
      ? first - randomBetween(random, 1, 10) * hourMs
      : first + randomBetween(random, 0.02, 0.95) * (last - first);
  return alignToClock(start, at);
}

/** Returns null if the journey has no such event. */
export function positionOf(journey: Journey, point: JourneyPoint, at: EpochMs): Position | null {
  const event = journey.events.find((candidate) => candidate.subStatus === point.subStatus);
  if (event === undefined) return null;
  const exact = event.position + (point.side === 'before' ? -point.byMs : point.byMs);
  if (!point.mayShift) return exact;
  const shifted = alignToClock(exact, at);
  const countPastEvents = (position: Position): number =>
    journey.events.filter((candidate) => candidate.position <= position).length;
  return countPastEvents(shifted) === countPastEvents(exact) ? shifted : exact;
}

/** Journey time runs like the clock before the anchor, and `speed` times faster after it. */
interface Timeline {
  readonly anchorAt: EpochMs;
  readonly anchorPosition: Position;
  readonly speed: number;
}

export function instantOf(timeline: Timeline, position: Position): EpochMs {
  const distance = position - timeline.anchorPosition;
  return timeline.anchorAt + (distance <= 0 ? distance : distance / timeline.speed);
}

export interface WorldSettings {
  readonly seed: number;
  /** How many times faster than the clock parcels move. */
  readonly speed: number;
  /**
   * Where parcels are at their first lookup, by number in upper case. A number without a starting point, or with one
   * that its journey never reaches, gets a position derived from the number.
   */
  readonly startingPoints?: ReadonlyMap<string, JourneyPoint>;
  /** Defaults to the simulated couriers. */
  readonly couriers?: ReadonlyMap<string, Courier>;
  /** Defaults to no lag. */
  readonly lookupRulesFor?: (trackNo: string) => LookupRules;
}

export interface ParcelLife {
  readonly journey: Journey;
  readonly timeline: Timeline;
}

export interface PreRegistration {
  readonly trackNo: string;
  /** If it is null, the service detects the courier. */
  readonly courierCode: string | null;
  /** Time from the registration to the start of the sandbox. */
  readonly registeredAgoMs: number;
  /** Defaults to a position derived from the number. */
  readonly startAt?: JourneyPoint;
}

/** A journey starts at the first lookup and continues even if the number is deleted. */
export function createParcelLives(settings: WorldSettings) {
  const { seed, speed, startingPoints } = settings;
  const lives = new Map<string, ParcelLife>();
  const zones = new Map<string, Zone>();
  const findZone = (name: string): Zone => {
    const zone = zones.get(name) ?? new Zone(name);
    zones.set(name, zone);
    return zone;
  };

  const keyOf = (trackNo: string, courier: Courier): string => `${courier.code}/${trackNo.toUpperCase()}`;
  const startOf = (trackNo: string, journey: Journey, at: EpochMs): number =>
    ordinaryStart(journey, at, seededRandom(seed, `start:${trackNo.toUpperCase()}`));

  return {
    getOrBegin: (trackNo: string, courier: Courier, now: EpochMs): ParcelLife => {
      const key = keyOf(trackNo, courier);
      const existing = lives.get(key);
      if (existing !== undefined) return existing;
      const journey = planJourney(seed, trackNo, courier, findZone);
      const point = startingPoints?.get(trackNo.toUpperCase());
      const configured = point === undefined ? null : positionOf(journey, point, now);
      const timeline = { anchorAt: now, anchorPosition: configured ?? startOf(trackNo, journey, now), speed };
      const life = { journey, timeline };
      lives.set(key, life);
      return life;
    },
    /**
     * Begins a journey that runs at normal speed until the sandbox starts. Returns null if the journey never reaches
     * `startAt`.
     */
    beginEarlier: (
      { trackNo, registeredAgoMs, startAt }: PreRegistration,
      courier: Courier,
      startedAt: EpochMs,
    ): ParcelLife | null => {
      const journey = planJourney(seed, trackNo, courier, findZone);
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
  /** Starts at 0. */
  readonly sequence: number;
  readonly lookups: LookupPlan;
  /** When a lookup was last requested, or null if never. */
  readonly refreshedAt: EpochMs | null;
}

const serviceEpoch = Date.UTC(2020, 0, 1);
const serviceOffsetMs = 8 * 3_600_000;

/** Ids grow with time and are too large for a double, as in the public service. */
function createId(registeredAt: EpochMs, sequence: number): string {
  const sinceEpoch = Math.max(0, Math.floor(registeredAt + serviceOffsetMs - serviceEpoch));
  return String((BigInt(sinceEpoch) << 22n) | BigInt(sequence % 2 ** 22));
}

const createLookupPlan = ({ seed, speed, lookupRulesFor }: WorldSettings, trackNo: string, at: EpochMs): LookupPlan =>
  planLookups(seed, trackNo, at, speed, lookupRulesFor?.(trackNo));

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
    lookups: createLookupPlan(settings, entry.trackNo, entry.registeredAt),
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
  const ongoing = planOngoing(fresh.lookups, startedAt);
  // A finished parcel was last looked up right after its last event, not recently.
  const endedAt = Math.ceil(instantOf(life.timeline, life.journey.endsAt) / 1000) * 1000;
  const firstAt = endedAt < ongoing.firstAt ? Math.max(fresh.lookups.firstAt, endedAt) : ongoing.firstAt;
  return { ...fresh, lookups: planFrom(ongoing, firstAt) };
}

export function withRefreshAt(registration: Registration, at: EpochMs): Registration {
  return { ...registration, lookups: planAfterRequest(registration.lookups, at), refreshedAt: at };
}

/** Returns the same object if nothing changes. */
export function withLookupRules(registration: Registration, rules: LookupRules, at: EpochMs): Registration {
  const { rules: currentRules } = registration.lookups;
  if (JSON.stringify(rules) === JSON.stringify(currentRules)) return registration;
  return { ...registration, lookups: planWithRules(registration.lookups, rules, at) };
}

/** The new courier treats it as a new parcel, but the account keeps the same entry. */
export function withCourier(
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
    lookups: createLookupPlan(settings, registration.trackNo, at),
    refreshedAt: null,
  };
}

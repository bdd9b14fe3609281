import { dayMs, type EpochMs, hourMs, type Random } from '../../lib/clock.ts';
import { Zone } from '../../lib/zone.ts';
import type { Courier } from '../couriers.ts';
import { type Journey, planJourney } from '../journey/journey.ts';
import type { Position } from '../journey/places.ts';
import { between, seededRandom } from '../seeded-random.ts';
import type { PlanKeeping } from './lookups.ts';

export interface JourneyPoint {
  /** The first event with this sub-status. */
  readonly subStatus: string;
  readonly side: 'before' | 'after';
  /** How far from the event, in milliseconds of journey-time. */
  readonly byMs: number;
  /**
   * Whether the point may move by up to half a day so that past events fall into their hours of the day. It never
   * moves across an event.
   */
  readonly mayShift: boolean;
}

/** The point nearest to `position` from which the journey's hours of the day are right at that instant. */
function inStepWith(position: Position, at: EpochMs): Position {
  const ahead = (((at - position) % dayMs) + dayMs) % dayMs;
  return position + (ahead > dayMs / 2 ? ahead - dayMs : ahead);
}

/**
 * Where on its journey a parcel is when it gets registered at `at`, if nobody says: now and then the courier knows
 * nothing yet, mostly it is under way.
 */
function ordinaryStart(journey: Journey, at: EpochMs, random: Random): Position {
  const first = journey.events.at(0)?.position ?? 0;
  const last = journey.events.at(-1)?.position ?? first;
  const start =
    random() < 0.12 ? first - between(random, 1, 10) * hourMs : first + between(random, 0.02, 0.95) * (last - first);
  return inStepWith(start, at);
}

/** The position of a point; null when the journey has no such event. */
export function positionOf(journey: Journey, point: JourneyPoint, at: EpochMs): Position | null {
  const event = journey.events.find((candidate) => candidate.subStatus === point.subStatus);
  if (event === undefined) return null;
  const exact = event.position + (point.side === 'before' ? -point.byMs : point.byMs);
  if (!point.mayShift) return exact;
  const shifted = inStepWith(exact, at);
  const past = (position: Position): number => journey.events.filter((each) => each.position <= position).length;
  return past(shifted) === past(exact) ? shifted : exact;
}

/**
 * Ties journey-time to wall time. Before the anchor both run equally fast, so that the history looks real; after it
 * journey-time runs `speed` times faster.
 */
interface Timeline {
  readonly anchorAt: EpochMs;
  readonly anchorPosition: Position;
  readonly speed: number;
}

/** When the parcel is at a point of its journey. */
export function instantOf(timeline: Timeline, position: Position): EpochMs {
  const away = position - timeline.anchorPosition;
  return timeline.anchorAt + (away <= 0 ? away : away / timeline.speed);
}

/** What makes one world differ from another. */
export interface WorldSettings {
  readonly seed: number;
  /** How many times faster than the wall clock parcels move. */
  readonly speed: number;
  /**
   * Where parcels are on their journey when they are first looked up, by number in capitals. The number itself
   * decides for all others, and where the journey never comes to that point.
   */
  readonly startingPoints?: ReadonlyMap<string, JourneyPoint>;
  /** Couriers under whose codes numbers can be registered; the simulated ones when left out. */
  readonly couriers?: ReadonlyMap<string, Courier>;
  /** How the service keeps its plan for a number at this moment; punctually when left out. */
  readonly keepingOf?: (trackNo: string) => PlanKeeping;
}

export interface ParcelLife {
  readonly journey: Journey;
  readonly timeline: Timeline;
}

/** A number that is registered from the start. */
export interface PreRegistration {
  readonly trackNo: string;
  /** Null lets the service detect the courier. */
  readonly courierCode: string | null;
  /** How long before the start it was registered, in milliseconds. */
  readonly registeredAgoMs: number;
  /** Where on its journey the parcel is at the start; without it, where the number itself puts it. */
  readonly startAt?: JourneyPoint;
}

/**
 * The parcels of the world, whether anybody has registered them or not. A parcel's life begins when it is first
 * looked up, and goes on when its number is deleted: registered again, it is where it has come to since.
 */
interface ParcelLives {
  of(trackNo: string, courier: Courier, now: EpochMs): ParcelLife;
  /**
   * Begins a life that had moved at natural speed until the world started. Null when its journey never comes to the
   * wanted point.
   */
  beginEarlier(earlier: PreRegistration, courier: Courier, startedAt: EpochMs): ParcelLife | null;
}

/** A world in which no parcel has been looked up yet. */
export function createParcelLives(settings: WorldSettings): ParcelLives {
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
    of: (trackNo, courier, now) => {
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
    beginEarlier: ({ trackNo, registeredAgoMs, startAt }, courier, startedAt) => {
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

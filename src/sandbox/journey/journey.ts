import { dayMs, hourMs, type Random } from '../../lib/clock.ts';
import type { Zone } from '../../lib/date-time.ts';
import { type Courier, postsByCountry } from '../couriers.ts';
import { pick, pickWeighted, randomBetween, seededRandom } from '../seeded-random.ts';
import { countries, type JourneyEvent, type Place, type Position, placesByCountry } from './places.ts';
import {
  type DayWindow,
  type EventMeaning,
  eventMeanings,
  type PlaceRole,
  type Scenario,
  scenarios,
} from './scenarios.ts';

interface Route {
  /** Two-letter country code. */
  readonly from: string;
  readonly to: string;
  readonly places: Readonly<Record<Exclude<PlaceRole, 'unknown'>, Place>>;
}

const townsOf = (country: string): readonly Place[] => placesByCountry.get(country) ?? [];

function countriesFor(courier: Courier, random: Random): readonly [from: string, to: string] {
  const foreignCountry = (home: string): string =>
    pick(
      random,
      countries.filter((country) => country !== home),
    );
  switch (courier.reach) {
    case 'domestic':
      return [courier.country, courier.country];
    case 'export':
      return [courier.country, foreignCountry(courier.country)];
    case 'post':
      return [courier.country, random() < 0.25 ? courier.country : foreignCountry(courier.country)];
    case 'world': {
      const from = random() < 0.5 ? courier.country : pick(random, countries);
      return [from, random() < 0.35 ? from : foreignCountry(from)];
    }
  }
}

function planRoute(courier: Courier, random: Random): Route {
  const [from, to] = countriesFor(courier, random);
  const [gatewayOut = pick(random, townsOf(from))] = townsOf(from);
  const [gatewayIn = pick(random, townsOf(to))] = townsOf(to);
  const origin = pick(random, townsOf(from));
  const destination = pick(random, townsOf(to));
  return {
    from,
    to,
    places: {
      origin,
      'origin-hub': pick(random, townsOf(from)),
      'gateway-out': gatewayOut,
      'gateway-in': gatewayIn,
      'destination-hub': pick(random, townsOf(to)),
      destination,
    },
  };
}

/** Returns a number with its check digit, as defined by the Universal Postal Union's S10 standard. */
export function s10Number(random: Random, prefix: string, country: string): string {
  const serial = Array.from({ length: 8 }, () => Math.floor(random() * 10)).join('');
  const weights = [8, 6, 4, 2, 3, 5, 9, 7];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(serial.charAt(index)), 0);
  const difference = 11 - (sum % 11);
  const check = difference === 10 ? 0 : difference === 11 ? 5 : difference;
  return `${prefix}${serial}${check}${country}`;
}

/** The courier that delivers an imported parcel. */
interface LastMileLeg {
  readonly courier: Courier;
  readonly trackNo: string;
  /** Index of the first event that the courier reports. */
  readonly from: number;
}

const s10 = /^[A-Z]{2}\d{9}[A-Z]{2}$/;

/**
 * The destination's post takes over from foreign posts and exporters. Returns null if a single courier delivers the
 * parcel, or if the parcel never gets that far.
 */
function planLastMile(
  trackNo: string,
  courier: Courier,
  route: Route,
  events: readonly JourneyEvent[],
): LastMileLeg | null {
  const local = postsByCountry.get(route.to);
  const handsOver = courier.reach === 'export' || courier.reach === 'post';
  if (!handsOver || route.from === route.to || local === undefined) return null;
  const landedIndex = events.findIndex(({ kind }) => kind === 'landed');
  const from = events.findIndex(({ kind }, index) => kind === 'departed' && landedIndex >= 0 && index > landedIndex);
  if (from < 0) return null;
  const number = trackNo.toUpperCase();
  const random = seededRandom(0, `last-mile:${number}`);
  // The post keeps an international postal number, and replaces any other number.
  return { courier: local, trackNo: s10.test(number) ? number : s10Number(random, 'LX', route.to), from };
}

/** The first courier reports events up to the one after the hand-over, and all events outside the destination country. */
export function isReportedByFirst(leg: LastMileLeg | null, event: JourneyEvent, index: number, to: string): boolean {
  return leg === null || index <= leg.from + 1 || event.place?.country !== to;
}

/** The local courier reports events in its country from the hand-over on. */
export function isReportedByLocal(leg: LastMileLeg, event: JourneyEvent, index: number, to: string): boolean {
  return index >= leg.from && event.place?.country === to;
}

/** Should return the same object for the same name, because zones cache their offsets. */
type FindZone = (name: string) => Zone;

export interface Journey {
  readonly scenario: string;
  /** Two-letter country code. */
  readonly from: string;
  readonly to: string;
  /** Oldest first. */
  readonly events: readonly JourneyEvent[];
  /** Null if the journey ends with an event. */
  readonly expiresAt: Position | null;
  /** Nothing changes after this. */
  readonly endsAt: Position;
  readonly shipmentType: string;
  readonly lastMile: LastMileLeg | null;
}

const silenceBeforeExpiryMs = 30 * dayMs;
/** Standard time is accurate enough for the hours of events. */
const winter = Date.UTC(2026, 0, 15);

const serviceLevels = {
  world: ['Express Worldwide', 'Express Saver', 'Economy Select', 'Standard'],
  post: ['Registered Letter', 'Packet Plus', 'EMS', 'Parcel', 'Priority Mail'],
  export: ['Economy Air Mail', 'Special Line', 'Registered Air Mail', 'Direct Line DDP'],
  domestic: ['Standard', 'Express', 'Next Day', 'Parcel Shop'],
} as const;

const modulo = (value: number, base: number): number => ((value % base) + base) % base;

/** Returns `position` if it is in the window, or a random moment in the first two hours of the next window. */
function waitForWindow(position: Position, window: DayWindow, offsetMs: number, random: Random): Position {
  const [from, to] = window;
  const hour = modulo(position + offsetMs, dayMs) / hourMs;
  if (hour >= from && hour < to) return position;
  return position + (modulo(from - hour, 24) + random() * Math.min(2, to - from)) * hourMs;
}

/** The service has two codes for "out for delivery". A parcel always gets the same one. */
function coreStatusOf(subStatus: string, outForDelivery: string): string {
  const core = subStatus.slice(0, subStatus.lastIndexOf('_'));
  return core === 'WAITING_DELIVERY' ? outForDelivery : core;
}

/** The same number, courier and seed always produce the same journey. */
export function planJourney(seed: number, trackNo: string, courier: Courier, findZone: FindZone): Journey {
  const random = seededRandom(seed, `${courier.code}/${trackNo.toUpperCase()}`);
  const route = planRoute(courier, random);
  const crossesBorder = route.from !== route.to;
  const scenario: Scenario = pickWeighted(
    random,
    scenarios.filter((candidate) => candidate.crossesBorder === crossesBorder),
  );
  const outForDelivery = random() < 0.5 ? 'WAITING_DELIVERY' : 'OUT_FOR_DELIVERY';
  const events: JourneyEvent[] = [];
  let position: Position = random() * dayMs;
  for (const step of scenario.steps) {
    const place = step.at === 'unknown' ? null : route.places[step.at];
    const zone = findZone((place ?? route.places.origin).zone);
    const meaning: EventMeaning = eventMeanings[step.kind];
    position += randomBetween(random, ...step.hours) * hourMs;
    if (meaning.window !== null) {
      position = waitForWindow(position, meaning.window, zone.offsetAt(winter), random);
    }
    position = Math.round(position / 1000) * 1000;
    const previous = events.at(-1);
    const ownStatus = { core: coreStatusOf(meaning.subStatus, outForDelivery), sub: meaning.subStatus };
    const recordStatus = step.keepsStatus === true && previous !== undefined ? previous.recordStatus : ownStatus;
    events.push({ position, kind: step.kind, place, zone, subStatus: meaning.subStatus, recordStatus });
  }
  const expiresAt = scenario.expires ? position + silenceBeforeExpiryMs : null;
  return {
    scenario: scenario.name,
    from: route.from,
    to: route.to,
    events,
    expiresAt,
    endsAt: expiresAt ?? position,
    shipmentType: `${courier.nameEN} ${pick(random, serviceLevels[courier.reach])}`,
    lastMile: planLastMile(trackNo, courier, route, events),
  };
}

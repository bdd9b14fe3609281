import { dayMs, hourMs, type Random } from '../../lib/clock.ts';
import type { Zone } from '../../lib/zone.ts';
import type { Courier } from '../couriers.ts';
import { type DayWindow, type EventMeaning, eventMeanings } from '../event-kinds.ts';
import { between, pick, pickWeighted, seededRandom } from '../seeded-random.ts';
import type { JourneyEvent, Position } from './journey-event.ts';
import { type LastMileLeg, planLastMile } from './last-mile.ts';
import { planRoute } from './route.ts';
import { type Scenario, scenarios } from './scenarios.ts';

/** The zone of a name; who hands it in keeps each, and with it the offsets that it has looked up. */
type ZoneOf = (name: string) => Zone;

/** A parcel's whole life, from before the first event to the end. */
export interface Journey {
  readonly scenario: string;
  /** Countries, two letters. */
  readonly from: string;
  readonly to: string;
  /** Oldest first. */
  readonly events: readonly JourneyEvent[];
  /** When the record expires for want of news; null when the story ends by itself. */
  readonly expiresAt: Position | null;
  /** From here on nothing changes any more. */
  readonly endsAt: Position;
  /** Free text naming the courier and service level. */
  readonly shipmentType: string;
  /** Null when one courier carries the parcel all the way. */
  readonly lastMile: LastMileLeg | null;
}

const silenceBeforeExpiryMs = 30 * dayMs;
/** Any instant in a northern winter: standard time is near enough to keep events in their hours. */
const winter = Date.UTC(2026, 0, 15);

const serviceLevels = {
  world: ['Express Worldwide', 'Express Saver', 'Economy Select', 'Standard'],
  post: ['Registered Letter', 'Packet Plus', 'EMS', 'Parcel', 'Priority Mail'],
  export: ['Economy Air Mail', 'Special Line', 'Registered Air Mail', 'Direct Line DDP'],
  domestic: ['Standard', 'Express', 'Next Day', 'Parcel Shop'],
} as const;

const modulo = (value: number, base: number): number => ((value % base) + base) % base;

/** The first moment from `position` on that lies in the window of the local day. */
function waitForWindow(position: Position, window: DayWindow, offsetMs: number, random: Random): Position {
  const [from, to] = window;
  const hour = modulo(position + offsetMs, dayMs) / hourMs;
  if (hour >= from && hour < to) return position;
  return position + (modulo(from - hour, 24) + random() * Math.min(2, to - from)) * hourMs;
}

/** Both spellings of one core status are in use; a parcel keeps to one. */
function coreStatusOf(subStatus: string, outForDelivery: string): string {
  const core = subStatus.slice(0, subStatus.lastIndexOf('_'));
  return core === 'WAITING_DELIVERY' ? outForDelivery : core;
}

/**
 * The life of a parcel, made from its number, its courier and the seed alone: the same every time.
 */
export function planJourney(seed: number, trackNo: string, courier: Courier, zoneOf: ZoneOf): Journey {
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
    const zone = zoneOf((place ?? route.places.origin).zone);
    const meaning: EventMeaning = eventMeanings[step.kind];
    position += between(random, ...step.hours) * hourMs;
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

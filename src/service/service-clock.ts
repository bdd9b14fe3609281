import { dayMs, type EpochMs, minuteMs, secondMs } from '../lib/clock.ts';
import { formatWallTime, parseWallTime, parseZonedTime } from '../lib/date-time.ts';
import type { Zone } from '../lib/zone.ts';

/**
 * The clock of `createTime` and `nextUpdateTime`, whose zone the service does not name (`service/README.md`, "Clocks").
 * `assumed` is +08:00.
 */
export type ServiceClock = FixedServiceClock | ZonedServiceClock;

/** A service clock that is always as far from UTC. */
export interface FixedServiceClock {
  /** Minutes that the service clock is ahead of UTC. */
  readonly offsetMinutes: number;
  readonly source: 'configured' | 'measured' | 'assumed';
  readonly zone?: undefined;
}

/** A service clock that follows the rules of a zone, daylight saving time included. */
interface ZonedServiceClock {
  readonly zone: Zone;
  readonly source: 'configured';
}

export const assumedServiceClock: FixedServiceClock = { offsetMinutes: 8 * 60, source: 'assumed' };

/** Unix time: ten digits are seconds, thirteen are milliseconds. */
const unixTime = /^(?:\d{10}|\d{13})$/;

/** A time on the service clock, ISO 8601 with `Z` or an offset, or Unix time; null for anything else. */
export function parseServiceTime(text: string | null, clock: ServiceClock): EpochMs | null {
  const wall = parseWallTime(text);
  if (wall !== null) return clock.zone === undefined ? wall - clock.offsetMinutes * minuteMs : inZone(wall, clock.zone);
  if (text !== null && unixTime.test(text)) return Number(text) * (text.length === 10 ? secondMs : 1);
  return text === null ? null : parseZonedTime(text);
}

/**
 * Of a time that occurs twice the later one: a query that is too early is fruitless. A skipped time is read by the
 * offset before the change.
 */
function inZone(wall: EpochMs, zone: Zone): EpochMs {
  // An offset is less than a day, so these instants are surely before and after it, and a zone has one change between them.
  const before = wall - zone.offsetAt(wall - dayMs);
  const after = wall - zone.offsetAt(wall + dayMs);
  const shown = [before, after].filter((at) => zone.wallTime(at) === wall);
  return shown.length === 0 ? before : Math.max(...shown);
}

/** Minutes that the service clock is ahead of UTC at an instant. */
export function serviceOffset(clock: ServiceClock, at: EpochMs): number {
  return clock.zone === undefined ? clock.offsetMinutes : Math.round(clock.zone.offsetAt(at) / minuteMs);
}

/** Writes an instant as the service clock would. */
export function formatServiceTime(at: EpochMs, clock: ServiceClock): string {
  return formatWallTime(at + serviceOffset(clock, at) * minuteMs);
}

/**
 * Compares the `createTime` of a new number with the instant of its registration. Null when that is five minutes or
 * more from a quarter of an hour, or no offset on Earth.
 */
export function measureServiceClock(createTime: string | null, registeredAt: EpochMs): FixedServiceClock | null {
  const wall = parseWallTime(createTime);
  if (wall === null) return null;
  const minutes = (wall - registeredAt) / minuteMs;
  const offsetMinutes = Math.round(minutes / 15) * 15;
  if (Math.abs(minutes - offsetMinutes) >= 5 || offsetMinutes < -12 * 60 || offsetMinutes > 14 * 60) return null;
  return { offsetMinutes: offsetMinutes === 0 ? 0 : offsetMinutes, source: 'measured' };
}

const number = /^\d{9,14}(?:\.\d{1,9})?$/;

/**
 * Its form is documented nowhere: seconds or milliseconds since 1970, a date with its zone, or on the service clock;
 * null for none.
 */
export function parseWebhookTimestamp(text: string, serviceClock: ServiceClock): EpochMs | null {
  if (number.test(text)) return Math.floor(Number(text) * (Number.parseInt(text, 10) >= 1e11 ? 1 : 1000));
  return parseServiceTime(text, serviceClock);
}

import { dayMs, type EpochMs, minuteMs, secondMs } from '../lib/clock.ts';
import { formatWallTime, parseWallTime, parseZonedTime, type Zone } from '../lib/date-time.ts';

/** The clock of `createTime` and `nextUpdateTime`. Its zone is not documented (`service/README.md`, "Clocks"). */
export type ServiceClock = FixedServiceClock | ZonedServiceClock;

export interface FixedServiceClock {
  /** Minutes ahead of UTC. */
  readonly offsetMinutes: number;
  readonly source: 'configured' | 'measured' | 'assumed';
  readonly zone?: undefined;
}

interface ZonedServiceClock {
  readonly zone: Zone;
  readonly source: 'configured';
}

export const assumedServiceClock: FixedServiceClock = { offsetMinutes: 8 * 60, source: 'assumed' };

/** Unix time: ten digits for seconds, thirteen for milliseconds. */
const unixTime = /^(?:\d{10}|\d{13})$/;

/** Parses a time on the service clock, ISO 8601 with `Z` or an offset, or Unix time. Returns null for any other text. */
export function parseServiceTime(text: string | null, clock: ServiceClock): EpochMs | null {
  const wall = parseWallTime(text);
  if (wall !== null)
    return clock.zone === undefined ? wall - clock.offsetMinutes * minuteMs : resolveInZone(wall, clock.zone);
  if (text !== null && unixTime.test(text)) return Number(text) * (text.length === 10 ? secondMs : 1);
  return text === null ? null : parseZonedTime(text);
}

/**
 * Returns the later of two instants with the same wall time, because a query that is too early is wasted. For a wall time
 * that a clock change skips, the offset from before the change is used.
 */
function resolveInZone(wall: EpochMs, zone: Zone): EpochMs {
  // Offsets are shorter than a day, so these are the offsets before and after a change.
  const before = wall - zone.offsetAt(wall - dayMs);
  const after = wall - zone.offsetAt(wall + dayMs);
  const candidates = [before, after].filter((at) => zone.wallTime(at) === wall);
  return candidates.length === 0 ? before : Math.max(...candidates);
}

/** Returns how many minutes the clock is ahead of UTC at an instant. */
export function serviceOffset(clock: ServiceClock, at: EpochMs): number {
  return clock.zone === undefined ? clock.offsetMinutes : Math.round(clock.zone.offsetAt(at) / minuteMs);
}

export function formatServiceTime(at: EpochMs, clock: ServiceClock): string {
  return formatWallTime(at + serviceOffset(clock, at) * minuteMs);
}

/**
 * Derives the offset from `createTime` and the instant of the registration. Returns null if it is five minutes or more
 * off a quarter of an hour, or not a possible offset.
 */
export function measureServiceClock(createTime: string | null, registeredAt: EpochMs): FixedServiceClock | null {
  const wall = parseWallTime(createTime);
  if (wall === null) return null;
  const minutes = (wall - registeredAt) / minuteMs;
  const offsetMinutes = Math.round(minutes / 15) * 15;
  if (Math.abs(minutes - offsetMinutes) >= 5 || offsetMinutes < -12 * 60 || offsetMinutes > 14 * 60) return null;
  return { offsetMinutes: offsetMinutes === 0 ? 0 : offsetMinutes, source: 'measured' };
}

const unixNumber = /^\d{9,14}(?:\.\d{1,9})?$/;

/**
 * The format is not documented, so we accept Unix time in seconds or milliseconds, a date with a zone, and a date on the
 * service clock.
 */
export function parseWebhookTimestamp(text: string, serviceClock: ServiceClock): EpochMs | null {
  if (unixNumber.test(text)) return Math.floor(Number(text) * (Number.parseInt(text, 10) >= 1e11 ? 1 : 1000));
  return parseServiceTime(text, serviceClock);
}

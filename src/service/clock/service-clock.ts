import { type EpochMs, minuteMs, secondMs } from './clock.ts';
import { formatWallTime, parseWallTime } from './wall-time.ts';

/**
 * The unlabelled clock of `createTime` and `nextUpdateTime`, whose zone the service does not name (`service/README.md`,
 * "Clocks"). `assumed` is +08:00, the public service's most likely clock.
 */
export interface ServiceClock {
  /** Minutes that the service clock is ahead of UTC. */
  readonly offsetMinutes: number;
  readonly source: 'configured' | 'measured' | 'assumed';
}

/** In force until the clock is configured or measured. */
export const assumedServiceClock: ServiceClock = { offsetMinutes: 8 * 60, source: 'assumed' };

/** ISO 8601 with `Z` or an offset. */
const zonedTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
/** Unix time: ten digits are seconds, thirteen are milliseconds. */
const unixTime = /^(?:\d{10}|\d{13})$/;

/**
 * The instant of a time on the service clock, or of one that names its zone itself: ISO 8601 with `Z` or an offset, or Unix
 * time. Null when the text is missing or no time.
 */
export function parseServiceTime(text: string | null, clock: ServiceClock): EpochMs | null {
  const wall = parseWallTime(text);
  if (wall !== null) return wall - clock.offsetMinutes * minuteMs;
  return text === null ? null : namedInstant(text);
}

function namedInstant(text: string): EpochMs | null {
  if (unixTime.test(text)) return text.length === 10 ? Number(text) * secondMs : Number(text);
  if (!zonedTime.test(text)) return null;
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(at) ? null : at;
}

/** Writes an instant as the service clock would. */
export function formatServiceTime(at: EpochMs, clock: ServiceClock): string {
  return formatWallTime(at + clock.offsetMinutes * minuteMs);
}

/**
 * Measures the service clock: compares the `createTime` of a number that has just been registered with the instant of its
 * registration, which allows for what this machine's clock is wrong by. Null when the remainder after rounding to a quarter of an hour is five minutes or more (the number was
 * not new, or a clock is wrong) or the offset is none that exists on Earth.
 */
export function measureServiceClock(createTime: string | null, registeredAt: EpochMs): ServiceClock | null {
  const wall = parseWallTime(createTime);
  if (wall === null) return null;
  const minutes = (wall - registeredAt) / minuteMs;
  const offsetMinutes = Math.round(minutes / 15) * 15;
  if (Math.abs(minutes - offsetMinutes) >= 5 || offsetMinutes < -12 * 60 || offsetMinutes > 14 * 60) return null;
  return { offsetMinutes: offsetMinutes === 0 ? 0 : offsetMinutes, source: 'measured' };
}

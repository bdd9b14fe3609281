import { toDate } from 'date-fns-tz/toDate';
import { toZonedTime } from 'date-fns-tz/toZonedTime';
import { dayMs, type EpochMs, hourMs, minuteMs } from './clock.ts';

/** Like `Date.parse`, but returns null instead of NaN. */
export function parseInstant(iso: string | null | undefined): EpochMs | null {
  const at = Date.parse(iso ?? '');
  return Number.isNaN(at) ? null : at;
}

export function formatOffset(minutes: number): string {
  const magnitude = Math.abs(minutes);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(magnitude / 60))}:${pad(magnitude % 60)}`;
}

/**
 * Parses `+08:00`, `+0800`, `+8`, `UTC+8`, `GMT+08:00` or `Z` into minutes ahead of UTC. Returns null for anything else
 * and for offsets beyond 14 hours.
 */
export function parseOffset(text: string | null): number | null {
  if (text === null) return null;
  if (/^(?:z|utc|gmt)$/i.test(text)) return 0;
  const [, sign, hours, minutes = '0'] = /^(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(text) ?? [];
  const magnitude = Number(hours) * 60 + Number(minutes);
  if (sign === undefined || magnitude > 14 * 60 || Number(minutes) > 59) return null;
  return magnitude === 0 ? 0 : sign === '-' ? -magnitude : magnitude;
}

/** A local time without a zone can be from any zone within this range. */
export const maxOffsetMs = 14 * hourMs;
export const minOffsetMs = -12 * hourMs;

const zonedTimePattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)? ?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Parses ISO 8601 with `Z` or an offset. Returns null for anything else. */
export function parseZonedTime(text: string): EpochMs | null {
  if (!zonedTimePattern.test(text)) return null;
  const iso = `${text.slice(0, 10)}T${text.slice(11).replace(' ', '')}`;
  return parseInstant(iso.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}

/** Excludes years before 100, because they are truncated years. */
const wallTimePattern = /^((?!00)\d{4}-\d\d-(\d\d))[ T]((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(?:\.\d+)?)?$/;

/** Parses a local time as if it were UTC, or returns null. Seconds are optional. */
export function parseWallTime(text: string | null): EpochMs | null {
  const [, date, day, minute, second = ':00'] = wallTimePattern.exec(text ?? '') ?? [];
  const at = Date.parse(`${date}T${minute}${second}Z`);
  // `Date.parse` turns 31 February into a day in March.
  return new Date(at).getUTCDate() === Number(day) ? at : null;
}

const dayPattern = /^(\d{4})([-/])(\d{2})\2(\d{2})(?!\d)/;

/** Returns midnight UTC of the day at the start of a text (`YYYY-MM-DD` or `YYYY/MM/DD`), or null. */
export function parseDay(text: string | null): EpochMs | null {
  const [, year, , month, day] = dayPattern.exec(text ?? '') ?? [];
  return year === undefined ? null : parseWallTime(`${year}-${month}-${day} 00:00`);
}

/** Formats an instant as `YYYY-MM-DD HH:mm:ss` in UTC. Returns an empty string outside the range of `Date`. */
export function formatWallTime(at: EpochMs): string {
  if (!(Math.abs(at) <= 8.64e15)) return '';
  return new Date(at).toISOString().slice(0, -5).replace('T', ' ');
}

const userTimePattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/i;

/** Parses a time that the user typed, in `zone` (IANA) unless it has an offset. Returns null if it is invalid. */
export function parseUserTime(text: string, zone: () => string): EpochMs | null {
  const time = text.trim();
  if (!userTimePattern.test(time)) return null;
  const iso = time
    .toUpperCase()
    .replace(/ (?=Z|[+-])/, '')
    .replace(' ', 'T');
  const at = toDate(iso, { timeZone: zone() }).getTime();
  return Number.isNaN(at) ? null : at;
}

/** Zones change their offset only on slot boundaries. */
const slotMs = 15 * minuteMs;
const maxCached = 4096;
/** date-fns-tz gets earlier dates wrong. There were no time zones then, so the offset is constant. */
const earliest = Date.parse('0001-01-03T00:00:00Z');

/** Returns the runtime's name for a zone (an IANA name or an offset such as `+05:45`), or null if it is unknown. */
function resolveZoneName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // Intl throws a RangeError for an unknown zone.
    return null;
  }
}

export const isZoneName = (name: string): boolean => resolveZoneName(name) !== null;

/** Returns the machine's zone: `name`, or UTC if `name` is unknown or only an offset. */
export function zoneOfMachine(name: string): string {
  const resolved = /^[a-z]/i.test(name) ? resolveZoneName(name) : null;
  return resolved === null || resolved === 'UTC' ? 'UTC' : name;
}

/** Caches offsets per UTC day, or per slot on days when the offset changes. Throws a `RangeError` for an unknown name. */
export class Zone {
  readonly name: string;
  readonly #offsets = new Map<EpochMs, number>();

  constructor(name: string) {
    if (!isZoneName(name)) throw new RangeError(`Unknown time zone "${name}".`);
    this.name = name;
  }

  /** Milliseconds ahead of UTC at an instant. NaN outside the range of `Date`. */
  offsetAt(at: EpochMs): number {
    const midnight = Math.floor(at / dayMs) * dayMs;
    const offset = this.#cachedOffset(midnight);
    return offset === this.#cachedOffset(midnight + dayMs)
      ? offset
      : this.#cachedOffset(Math.floor(at / slotMs) * slotMs);
  }

  /** Returns the local time at an instant as if it were UTC. */
  wallTime(at: EpochMs): EpochMs {
    return at + this.offsetAt(at);
  }

  #cachedOffset(at: EpochMs): number {
    const cached = this.#offsets.get(at);
    if (cached !== undefined) return cached;
    if (this.#offsets.size >= maxCached) this.#offsets.clear();
    const clamped = Math.max(at, earliest);
    // `getTimezoneOffset` takes a local time, which can be ambiguous.
    const offset = toZonedTime(clamped, this.name).getTime() - clamped;
    this.#offsets.set(at, offset);
    return offset;
  }
}

import { toDate } from 'date-fns-tz/toDate';
import { type EpochMs, hourMs } from './clock.ts';

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

const zonedTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)? ?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Parses ISO 8601 with `Z` or an offset. Returns null for anything else. */
export function parseZonedTime(text: string): EpochMs | null {
  if (!zonedTime.test(text)) return null;
  const iso = `${text.slice(0, 10)}T${text.slice(11).replace(' ', '')}`;
  return parseInstant(iso.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}

/** Excludes years before 100, which are truncated years. */
const wallTime = /^((?!00)\d{4}-\d\d-(\d\d))[ T]((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(?:\.\d+)?)?$/;

/** Parses a local time as if it were UTC, or returns null. Seconds are optional. */
export function parseWallTime(text: string | null): EpochMs | null {
  const [, date, day, minute, second = ':00'] = wallTime.exec(text ?? '') ?? [];
  const at = Date.parse(`${date}T${minute}${second}Z`);
  // `Date.parse` turns 31 February into a day in March.
  return new Date(at).getUTCDate() === Number(day) ? at : null;
}

const writtenDay = /^(\d{4})([-/])(\d{2})\2(\d{2})(?!\d)/;

/** Returns midnight UTC of the day at the start of a text (`YYYY-MM-DD` or `YYYY/MM/DD`), or null. */
export function parseDay(text: string | null): EpochMs | null {
  const [, year, , month, day] = writtenDay.exec(text ?? '') ?? [];
  return year === undefined ? null : parseWallTime(`${year}-${month}-${day} 00:00`);
}

/** Formats an instant as `YYYY-MM-DD HH:mm:ss` in UTC. Returns an empty string outside the range of `Date`. */
export function formatWallTime(at: EpochMs): string {
  if (!(Math.abs(at) <= 8.64e15)) return '';
  return new Date(at).toISOString().slice(0, -5).replace('T', ' ');
}

const givenTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/i;

/** Parses a time that the user typed, in `zone` (IANA) unless it has an offset. Returns null if it is invalid. */
export function readGivenTime(text: string, zone: () => string): EpochMs | null {
  const time = text.trim();
  if (!givenTime.test(time)) return null;
  const iso = time
    .toUpperCase()
    .replace(/ (?=Z|[+-])/, '')
    .replace(' ', 'T');
  const at = toDate(iso, { timeZone: zone() }).getTime();
  return Number.isNaN(at) ? null : at;
}

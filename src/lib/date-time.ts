import { toDate } from 'date-fns-tz/toDate';
import { type EpochMs, hourMs } from './clock.ts';

const zeroSign = 0x30;

function twoDigits(text: string, start: number): number {
  const tens = text.charCodeAt(start) - zeroSign;
  const ones = text.charCodeAt(start + 1) - zeroSign;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}

/**
 * Reads `YYYY-MM-DD HH:mm:ss` or with a `T` as UTC; null for no such time. Without pattern, date or array: a long list
 * has a million of them.
 */
function readDateTime(text: string): EpochMs | null {
  const century = twoDigits(text, 0);
  const year = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // The first century means that somebody cut the year short.
  if (century < 1 || year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return null;
  const gap = text.charAt(10);
  const isParted = text.charAt(4) === '-' && text.charAt(7) === '-' && (gap === ' ' || gap === 'T');
  if (!isParted || text.charAt(13) !== ':' || text.charAt(16) !== ':') return null;
  const days = dayNumber(century * 100 + year, month, day);
  const at = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
  // 31 February rolls over.
  return day <= 28 || new Date(at).getUTCDate() === day ? at : null;
}

/** Days from 1970 to a day of the calendar: years begin in March here, so that a leap day is the last of one. */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

/** As `Date.parse`, but several times as fast; null for no instant. */
export function parseInstant(iso: string | null | undefined): EpochMs | null {
  if (iso === null || iso === undefined) return null;
  const at = usualInstant(iso) ?? Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

/** `2026-11-22T15:00:00.000Z`, as instants write themselves; null for any other. */
function usualInstant(iso: string): EpochMs | null {
  if (iso.length !== 24 || iso.charAt(10) !== 'T' || iso.charAt(19) !== '.' || iso.charAt(23) !== 'Z') return null;
  const tenths = twoDigits(iso, 20);
  const thousandths = iso.charCodeAt(22) - zeroSign;
  const at = readDateTime(iso);
  return at === null || tenths < 0 || thousandths < 0 || thousandths > 9 ? null : at + tenths * 10 + thousandths;
}

const usualOffset = /^[+-]\d{2}:\d{2}$/;

export function formatOffset(minutes: number): string {
  const magnitude = Math.abs(minutes);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(magnitude / 60))}:${pad(magnitude % 60)}`;
}

/**
 * Minutes ahead of UTC of `+08:00`, `+0800`, `+8`, `UTC+8`, `GMT+08:00` or `Z`; null for anything else or beyond 14 h.
 */
export function parseOffset(text: string | null): number | null {
  if (text === null) return null;
  if (usualOffset.test(text)) return signedOffset(text.charAt(0), Number(text.slice(1, 3)), Number(text.slice(4)));
  if (/^(?:z|utc|gmt)$/i.test(text)) return 0;
  const match = /^(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(text);
  return match === null ? null : signedOffset(match[1], Number(match[2]), Number(match[3] ?? '0'));
}

function signedOffset(sign: string | undefined, hours: number, minutes: number): number | null {
  const magnitude = hours * 60 + minutes;
  if (magnitude > 14 * 60 || minutes > 59) return null;
  return magnitude === 0 ? 0 : sign === '-' ? -magnitude : magnitude;
}

/** How far the clocks of the earth are ahead of UTC at most, and behind it: a local time without a zone may be of any. */
export const greatestOffsetMs = 14 * hourMs;
export const leastOffsetMs = -12 * hourMs;

const otherForm = /^[\d :T-]{16}(?::\d{2}\.\d+)?$/;

/** Milliseconds since 1970 as if the clock were UTC; seconds may be missing; null for no such time. */
export function parseWallTime(text: string | null): EpochMs | null {
  if (text === null) return null;
  if (text.length === 19) return readDateTime(text);
  return otherForm.test(text) ? readDateTime(`${text}:00`) : null;
}

const writtenDay = /^(\d{4})([-/])(\d{2})\2(\d{2})(?!\d)/;

/** The beginning, in UTC, of the day with which a text begins (`YYYY-MM-DD` or `YYYY/MM/DD`); null for none. */
export function parseDay(text: string | null): EpochMs | null {
  const [, year, , month, day] = writtenDay.exec(text ?? '') ?? [];
  return year === undefined ? null : readDateTime(`${year}-${month}-${day} 00:00:00`);
}

/** Writes an instant as `YYYY-MM-DD HH:mm:ss` on a clock that shows UTC. */
export function formatWallTime(at: EpochMs): string {
  if (at >= earliestUsual && at <= latestUsual) return usualText(Math.floor(at / 1000));
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return '';
  const iso = new Date(at).toISOString();
  return iso.length === 24 ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : iso.slice(0, 19).replace('T', ' ');
}

/** Instants that {@link usualText} writes: their days are counted in the same way, from one leap year to the next. */
const earliestUsual = Date.UTC(1970, 0, 1);
const latestUsual = Date.UTC(2100, 0, 1) - 1;
const daySeconds = 24 * 60 * 60;
/** Days before each month of a year that begins in March, so that a leap day is its last one. */
const daysBeforeMonth = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337] as const;

/** Writes seconds since 1970. A few sums take a tenth of the time of a date that writes itself. */
function usualText(seconds: number): string {
  // Four years of one leap day each, from March 1968 on.
  const days = Math.floor(seconds / daySeconds) + 671;
  const fours = Math.floor(days / 1461);
  const dayOfFour = days - fours * 1461;
  const yearOfFour = Math.min(3, Math.floor(dayOfFour / 365));
  const dayOfYear = dayOfFour - yearOfFour * 365;
  let month = Math.floor(dayOfYear / 31);
  if (dayOfYear >= (daysBeforeMonth[month + 1] ?? 366)) month += 1;
  const day = dayOfYear - (daysBeforeMonth[month] ?? 0) + 1;
  const year = 1968 + fours * 4 + yearOfFour + (month >= 10 ? 1 : 0);
  const ofDay = seconds % daySeconds;
  const [hour, minute] = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60];
  return `${year}-${two(month >= 10 ? month - 9 : month + 3)}-${two(day)} ${two(hour)}:${two(minute)}:${two(ofDay % 60)}`;
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

const givenTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/i;

/** The instant that somebody wrote, on the clock of `zone` (IANA) unless it has an offset; null for no time. */
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

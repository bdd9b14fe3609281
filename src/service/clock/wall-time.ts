import type { EpochMs } from './clock.ts';
import { twoDigits, zeroSign } from './two-digits.ts';

const pattern = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/**
 * Reads `YYYY-MM-DD HH:mm:ss`, also with a `T` or without seconds, as if its clock were UTC; null when it is no such
 * time.
 */
export function parseWallTime(text: string | null): EpochMs | null {
  const usual = text === null ? null : usualWallTime(text);
  if (usual !== null) return usual;
  // The first century means that somebody cut the year short.
  if (text === null || !pattern.test(text) || text.startsWith('00')) return null;
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)];
  const [hour, minute] = [digits(text, 11, 13), digits(text, 14, 16)];
  const second = text.length > 16 ? digits(text, 17, 19) : 0;
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  // 31 February rolls over.
  return day <= 28 || new Date(at).getUTCDate() === day ? at : null;
}

/**
 * As {@link parseWallTime}, for times with seconds but for the last days of a month; null for all others. Each answer
 * brings dozens, and neither a pattern nor a text is needed for them.
 */
function usualWallTime(text: string): EpochMs | null {
  if (text.length !== 19) return null;
  const [century, year] = [twoDigits(text, 0), twoDigits(text, 2)];
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  if (century < 1 || year < 0 || month < 1 || month > 12 || day < 1 || day > 28) return null;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return null;
  const gap = text.charAt(10);
  const isParted = text.charAt(4) === '-' && text.charAt(7) === '-' && (gap === ' ' || gap === 'T');
  if (!isParted || text.charAt(13) !== ':' || text.charAt(16) !== ':') return null;
  return Date.UTC(century * 100 + year, month - 1, day, hour, minute, second);
}

/** The number that the digits of a part of a text write. */
function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) value = value * 10 + text.charCodeAt(index) - zeroSign;
  return value;
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
  // Four years of one leap day each, the first of which began in March 1968.
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

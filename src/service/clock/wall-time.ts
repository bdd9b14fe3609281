import { type EpochMs, hourMs } from './clock.ts';
import { readDateTime } from './date-time-text.ts';

/** How far the clocks of the earth are ahead of UTC at most, and behind it: a local time without a zone may be of any. */
export const greatestOffsetMs = 14 * hourMs;
export const leastOffsetMs = -12 * hourMs;

/** Times without seconds, or with parts of one. */
const otherForm = /^[\d :T-]{16}(?::\d{2}\.\d+)?$/;

/**
 * Reads `YYYY-MM-DD HH:mm:ss`, also with a `T` or without seconds, as if its clock were UTC; null when it is no such
 * time.
 */
export function parseWallTime(text: string | null): EpochMs | null {
  if (text === null) return null;
  if (text.length === 19) return readDateTime(text);
  return otherForm.test(text) ? readDateTime(`${text}:00`) : null;
}

const writtenDay = /^(\d{4})([-/])(\d{2})\2(\d{2})(?!\d)/;

/**
 * The day with which a time begins, `YYYY-MM-DD` or `YYYY/MM/DD`, as the instant at which it begins in UTC; null where it
 * begins with none. What follows may be missing, or be a time of day in a form that nobody knows.
 */
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

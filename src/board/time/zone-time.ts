import { dayMs, type EpochMs } from '../../lib/clock.ts';
import { formatWallTime, parseWallTime } from '../../lib/date-time.ts';
import type { Zone } from '../../lib/zone.ts';

/* A wall time is the instant at which a clock in UTC shows the same time. */

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `YYYY-MM-DD`. */
export const dateText = (wall: EpochMs): string => formatWallTime(wall).slice(0, -9);

/** `HH:mm`. */
export const timeText = (wall: EpochMs): string => formatWallTime(wall).slice(-8, -3);

/** `Mon`. */
export const weekdayText = (wall: EpochMs): string => weekdays[new Date(wall).getUTCDay()] ?? '';

/** `24 Nov`. */
export const dayText = (wall: EpochMs): string => `${new Date(wall).getUTCDate()} ${monthText(wall)}`;

/** `Nov`. */
export const monthText = (wall: EpochMs): string => months[new Date(wall).getUTCMonth()] ?? '';

/** `2026`. */
export const yearText = (wall: EpochMs): string => String(new Date(wall).getUTCFullYear());

/** Clocks change and days start on a quarter of an hour. In milliseconds. */
const slotMs = 15 * 60_000;

/** Returns the day of an instant in a zone as `YYYY-MM-DD`. */
export function dateInZone(at: EpochMs, zone: Zone): string {
  return dateText(zone.wallTime(at));
}

/** Returns the day of an instant in a zone, in days since 1970. */
export const dayInZone = (at: EpochMs, zone: Zone): number => Math.floor(zone.wallTime(at) / dayMs);

/** Returns the calendar days from `now` to `at` in a zone. Negative for the past. */
export function daysAhead(at: EpochMs, now: EpochMs, zone: Zone): number {
  return dayInZone(at, zone) - dayInZone(now, zone);
}

/** Formats a time in at most nine cells: `14:20` today, `Mon 14:20` within six days, `24 Nov` this year, `Nov 2027`. */
export function clockText(at: EpochMs, now: EpochMs, zone: Zone): string {
  const [wall, wallNow] = [zone.wallTime(at), zone.wallTime(now)];
  const days = daysAhead(at, now, zone);
  if (days === 0) return timeText(wall);
  if (Math.abs(days) <= 6) return `${weekdayText(wall)} ${timeText(wall)}`;
  const year = yearText(wall);
  return year === yearText(wallNow) ? dayText(wall) : `${monthText(wall)} ${year}`;
}

/** For a time within this range, in milliseconds, the time of day alone is unambiguous. */
export const timeOfDaySuffices = dayMs;

/**
 * Like {@link clockText}, but in at most six cells: `14:20` within a day, `Mon` within six days, `24 Nov` this year, or
 * `2027`. A past day is `late`.
 */
export function shortClockText(at: EpochMs, now: EpochMs, zone: Zone): string {
  const days = daysAhead(at, now, zone);
  const wall = zone.wallTime(at);
  if (days === 0 || (days > 0 && at - now < timeOfDaySuffices)) return timeText(wall);
  if (days < 0) return 'late';
  if (days <= 6) return weekdayText(wall);
  const year = yearText(wall);
  return year === yearText(zone.wallTime(now)) ? dayText(wall) : year;
}

/** `Fri 20 Nov`, with the year if that is not the current one. Returns anything but a date unchanged. */
export function pastDayName(date: string, now: EpochMs, zone: Zone): string {
  const day = parseWallTime(`${date} 00:00:00`);
  if (day === null) return date;
  const name = `${weekdayText(day)} ${dayText(day)}`;
  const year = yearText(day);
  return year === yearText(zone.wallTime(now)) ? name : `${name} ${year}`;
}

/** Like {@link pastDayName}, but in at most eight cells: `Fri 20` within four weeks, otherwise `20 Nov` or `Nov 2025`. */
export function shortDayName(date: string, { now, zone }: { readonly now: EpochMs; readonly zone: Zone }): string {
  const day = parseWallTime(`${date} 00:00:00`);
  if (day === null) return date.slice(0, 8);
  const wallNow = zone.wallTime(now);
  if (Math.abs(wallNow - day) < 28 * dayMs) return `${weekdayText(day)} ${new Date(day).getUTCDate()}`;
  const year = yearText(day);
  return year === yearText(wallNow) ? dayText(day) : `${monthText(day)} ${year}`;
}

/** Returns the start of the next day in a zone, which is when weekday names and "today" change. */
export function nextMidnight(now: EpochMs, zone: Zone): EpochMs {
  const today = dateInZone(now, zone);
  let midnight = now + slotMs - (now % slotMs);
  while (dateInZone(midnight, zone) <= today) midnight += slotMs;
  return midnight;
}

import { fromZonedTime } from 'date-fns-tz';
import type { EpochMs } from '../../service/clock/clock.ts';
import { formatWallTime, parseWallTime } from '../../service/clock/service-clock.ts';

import {
  dayAndMonth,
  isoDay,
  monthAndYear,
  timeOfDay,
  type WallClock,
  type WallMs,
  wallClock,
  weekday,
  yearOf,
} from './wall-clock.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The day that an instant falls on in an IANA zone, `YYYY-MM-DD`. */
export function dateInZone(at: EpochMs, zone: string, clock: WallClock = wallClock): string {
  return isoDay(clock(at, zone));
}

/** Calendar days from the day of `now` to the day of `at` in a zone; negative for the past. */
export function daysAhead(at: EpochMs, now: EpochMs, zone: string): number {
  return daysBetween(wallClock(now, zone), wallClock(at, zone));
}

const daysBetween = (from: WallMs, to: WallMs): number => Math.floor(to / day) - Math.floor(from / day);

/** When something is, in at most nine cells: `14:20` today, `Mon 14:20` within six days, `24 Nov` this year, `Nov 2027`. */
export function clockText(at: EpochMs, now: EpochMs, zone: string, clock: WallClock = wallClock): string {
  const [wall, today] = [clock(at, zone), clock(now, zone)];
  const days = daysBetween(today, wall);
  if (days === 0) return timeOfDay(wall);
  if (Math.abs(days) <= 6) return `${weekday(wall)} ${timeOfDay(wall)}`;
  return yearOf(wall) === yearOf(today) ? dayAndMonth(wall) : monthAndYear(wall);
}

/** What is less than this ahead is told by its time of day alone, tomorrow's too: it can mean one instant only. */
export const timeOfDayTells = day;

/**
 * {@link clockText} in at most five cells: `14:20` today and within a day, else calendar days ahead (`2d`); `late` for a day
 * that has passed.
 */
export function shortClockText(at: EpochMs, now: EpochMs, zone: string): string {
  const days = daysAhead(at, now, zone);
  if (days === 0 || (days > 0 && at - now < timeOfDayTells)) return timeOfDay(wallClock(at, zone));
  return days < 0 ? 'late' : `${Math.min(days, 9999)}d`;
}

/** A day as `Fri 20 Nov`, with the year when that is not the viewer's current one; as it is when it is no date. */
export function pastDayName(date: string, now: EpochMs, zone: string): string {
  const day = parseWallTime(`${date} 00:00:00`);
  if (day === null) return date;
  const thisYear = date.slice(0, 4) === dateInZone(now, zone).slice(0, 4);
  return `${weekday(day)} ${dayAndMonth(day)}${thisYear ? '' : ` ${yearOf(day)}`}`;
}

/** The first instant of the next day in a zone: what is called by weekday or "today" changes then. */
export function nextMidnight(now: EpochMs, zone: string): EpochMs {
  const today = dateInZone(now, zone);
  const tomorrow = formatWallTime(Date.parse(today) + day).slice(0, 10);
  let midnight = fromZonedTime(`${tomorrow}T00:00:00`, zone).getTime();
  // Where the clocks go forward at midnight, 00:00 does not exist and the reading can fall an hour short.
  while (midnight <= now || dateInZone(midnight, zone) <= today) midnight += hour;
  return midnight;
}

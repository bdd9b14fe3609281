import { dayMs, type EpochMs, hourMs, minuteMs, secondMs } from '../lib/clock.ts';
import { formatOffset, formatWallTime, parseDay, parseInstant, parseWallTime, type Zone } from '../lib/date-time.ts';
import type { Checkpoint } from '../service/record.ts';
import type { EventSpan } from '../service/timeline-order.ts';

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

/** In milliseconds. Clocks change, and days start, on a quarter of an hour. */
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

/** Within this range, in milliseconds, the time of day alone is unambiguous. */
export const clockOnlyRangeMs = dayMs;

/**
 * Like {@link clockText}, but in at most six cells: `14:20` within a day, `Mon` within six days, `24 Nov` this year, or
 * `2027`. A past day is `late`.
 */
export function shortClockText(at: EpochMs, now: EpochMs, zone: Zone): string {
  const days = daysAhead(at, now, zone);
  const wall = zone.wallTime(at);
  if (days === 0 || (days > 0 && at - now < clockOnlyRangeMs)) return timeText(wall);
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

/**
 * Like {@link pastDayName}, but in at most eight cells: `Fri 20` within four weeks, otherwise `20 Nov` or `Nov 2025`.
 */
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

/** Returns the age in at most four cells: `<1m`, `12m`, `5h`, `2d`, `3y`. Times in the future count as `<1m`. */
export function ageText(from: EpochMs, now: EpochMs): string {
  const elapsed = now - from;
  const inUnits = (unit: number, letter: string): string => `${Math.floor(elapsed / unit)}${letter}`;
  if (!(elapsed >= minuteMs)) return '<1m';
  if (elapsed < hourMs) return inUnits(minuteMs, 'm');
  if (elapsed < dayMs) return inUnits(hourMs, 'h');
  return elapsed < 1000 * dayMs ? inUnits(dayMs, 'd') : inUnits(365 * dayMs, 'y');
}

/** From this age on, only the minimum is shown. */
const longSpanDays = 10;

export type EventTime = EventSpan & Pick<Checkpoint, 'certain'>;

/**
 * Returns the age of an event in at most five cells. Uncertain ages start with `~`: `~<9h`, `~<2d`, `~1-2d`, and from
 * ten days on only the minimum, `~12d`.
 */
export function eventAgeText({ certain, earliest, latest }: EventTime, now: EpochMs): string {
  return `${certain ? '' : '~'}${earliest === latest ? ageText(latest, now) : spanAgeText(now - latest, now - earliest)}`;
}

function spanAgeText(min: number, max: number): string {
  if (max < minuteMs) return '<1m';
  if (min < dayMs) {
    const [unit, letter] = max < dayMs ? [hourMs, 'h'] : [dayMs, 'd'];
    return `<${Math.floor(max / unit) + 1}${letter}`;
  }
  const [from, to] = [Math.floor(min / dayMs), Math.floor(max / dayMs)];
  return to < longSpanDays && from < to ? `${from}-${to}d` : ageText(0, min);
}

/** Returns the age in words: `just now`, `12 m ago`. */
export function agoText(from: EpochMs, now: EpochMs): string {
  const text = ageText(from, now);
  return text === '<1m' ? 'just now' : `${text.replace(/\D$/, ' $&')} ago`;
}

/** Returns the remaining time: `40 s` (in steps of ten), `38 m`, `5 h`, `2 d`, or `now`. */
export function untilText(at: EpochMs, now: EpochMs): string {
  const remaining = at - now;
  if (!(remaining > 0)) return 'now';
  if (remaining <= 50 * secondMs) return `${Math.ceil(remaining / (10 * secondMs)) * 10} s`;
  const minutes = Math.ceil(remaining / minuteMs);
  if (minutes < 60) return `${minutes} m`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}

/** Formats a duration: `2 d 4 h`, `3 d`, `5 h`, or minutes if it is less than an hour. */
export function spanText(span: number): string {
  const days = Math.floor(span / dayMs);
  const hours = Math.floor((span % dayMs) / hourMs);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  return hours > 0 ? `${hours} h` : `${Math.floor(span / minuteMs)} m`;
}

/** The clock of a timeline: the local clock of each event, the viewer's clock, or UTC. */
export const timeModes = ['event', 'local', 'utc'] as const;
export type TimeMode = (typeof timeModes)[number];

export interface CheckpointTime {
  /** `YYYY-MM-DD` on the chosen clock. Null if unknown. */
  readonly date: string | null;
  /** `HH:mm` on the chosen clock. Null if unknown. */
  readonly clock: string | null;
  /** `+01:00`, `UTC`, `~` if the zone is unknown, or `±` if it is contradictory. Empty if there is no time. */
  readonly zoneMark: string;
  /** Explains a mark. Null if the time is certain. */
  readonly remark: string | null;
  /** The time if it is certain, or null. */
  readonly certainAt: EpochMs | null;
}

/**
 * Returns the time of a checkpoint on the clock that `mode` selects. If the zone is unknown, returns the local time
 * with a mark in every mode. If local time and UTC contradict each other, UTC wins in the modes `local` and `utc`.
 */
export function checkpointTime(checkpoint: Checkpoint, mode: TimeMode, viewerZone: Zone): CheckpointTime {
  const time = timeOnClock(checkpoint, mode, viewerZone);
  return checkpoint.future === true ? { ...time, remark: '(in the future, ignored)', certainAt: null } : time;
}

function timeOnClock(checkpoint: Checkpoint, mode: TimeMode, viewerZone: Zone): CheckpointTime {
  const at = parseInstant(checkpoint.at);
  if (at === null) return zonelessTime(checkpoint);
  const clockParts = clockTime(checkpoint, at, mode, viewerZone);
  return checkpoint.certain
    ? { ...clockParts, remark: null, certainAt: at }
    : { ...clockParts, zoneMark: '±', remark: '(zone uncertain)', certainAt: null };
}

/** `times: local to event`, `times: Europe/Berlin`, `times: UTC`. */
export function timeModeTitle(mode: TimeMode, viewerZone: Zone): string {
  switch (mode) {
    case 'event':
      return 'times: local to event';
    case 'local':
      return viewerZone.name === 'UTC' ? 'times: yours, UTC' : `times: ${viewerZone.name}`;
    case 'utc':
      return 'times: UTC';
  }
}

type ClockTime = Pick<CheckpointTime, 'clock' | 'date' | 'zoneMark'>;

function clockTime(checkpoint: Checkpoint, at: EpochMs, mode: TimeMode, viewerZone: Zone): ClockTime {
  if (mode === 'local') {
    const offset = viewerZone.offsetAt(at);
    return { ...wallParts(at + offset), zoneMark: formatOffset(Math.trunc(offset / 60_000)) };
  }
  const wall = mode === 'event' ? parseWallTime(checkpoint.local) : null;
  // In the mode `event`, a checkpoint without a local time is shown in UTC.
  return wall === null
    ? { ...wallParts(at), zoneMark: 'UTC' }
    : { ...wallParts(wall), zoneMark: checkpoint.offset ?? '±' };
}

function zonelessTime({ local }: Checkpoint): CheckpointTime {
  const wall = parseWallTime(local);
  const base = { zoneMark: '~', certainAt: null };
  if (wall !== null) return { ...base, ...wallParts(wall), remark: '(zone unknown)' };
  if (local === null) return { ...base, zoneMark: '', date: null, clock: null, remark: '(time unknown)' };
  const day = parseDay(local);
  const date = day === null ? null : dateText(day);
  const remark =
    local.length === 'YYYY-MM-DD'.length && date !== null ? '(time unknown)' : `(time as received: ${local})`;
  return { ...base, date, clock: null, remark };
}

const wallParts = (wall: EpochMs) => ({ date: dateText(wall), clock: timeText(wall) });

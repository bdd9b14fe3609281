import { dayMs, type EpochMs, minuteMs } from '../../service/clock/clock.ts';
import { formatOffset, parseOffset } from '../../service/clock/utc-offset.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { ExpectedDelivery } from '../../service/record/expected-delivery.ts';
import {
  type DeliveryOnClock,
  dayStart,
  deliveryOnClock,
  hasPassed,
  lastDayOf,
  pointGraceMs,
} from '../../watchlist/rules/late-delivery.ts';
import { dayText, monthText, timeText, weekdayText, yearText } from '../time/wall-text.ts';
import type { Viewing } from './status-now.ts';

/** An expected delivery in words. */
export interface ExpectedWording {
  /** `expected Mon 23 Nov`, `expected today 14:00–18:00`, `expected yesterday`, `was expected Mon 16 Nov`. */
  readonly full: string;
  /** At most ten cells: `Mon 23 Nov`, `today`, `by 18:00`, `yesterday`, `was 16 Nov`. */
  readonly short: string;
  readonly when: 'late' | 'today' | 'later';
}

/**
 * Says when a parcel is expected. The offset stands behind a time that is not on the viewer's clock.
 * @param clock the clock of times of day and of "today"; when null, that of the window that was given, else the viewer's. Whether
 * it is late depends on no clock, and a whole day keeps its date.
 */
export function expectedWording(given: ExpectedDelivery, viewing: Viewing, clock: Zone | null = null): ExpectedWording {
  const there = deliveryOnClock(given, viewing);
  const timed = { ...there, clock: clockOf(given, there, viewing.zone), isLate: hasPassed(there) };
  return wordingOf(clock === null || given.kind === 'day' ? timed : onClock(given, timed, viewing, clock));
}

/** Times of day and "today" on another clock. */
function onClock(window: ExpectedWindow, there: Timed, viewing: Viewing, clock: Zone): Timed {
  const now = clock.wallTime(viewing.now);
  if (there.isWholeDays) return { ...there, now };
  const minutes = Math.trunc(clock.offsetAt(Date.parse(window.from ?? window.to ?? '')) / minuteMs);
  const shifted: ExpectedWindow = { ...window, offset: formatOffset(minutes) };
  const delivery = deliveryOnClock(shifted, viewing);
  // A time of day that is midnight on the other clock would be lost.
  if (delivery.isWholeDays) return there;
  return { ...delivery, now, clock: clockOf(shifted, delivery, viewing.zone), isLate: there.isLate };
}

/** When the words for an expected window change besides at midnight: when it is late. Null when it has no end. */
export function endOfWindow(expected: ExpectedDelivery): EpochMs | null {
  if (expected.kind === 'day' || expected.to === null) return null;
  return Date.parse(expected.to) + (expected.to === expected.from ? pointGraceMs : 0);
}

type ExpectedWindow = Extract<ExpectedDelivery, { readonly kind: 'window' }>;

/** A delivery on one clock, and how its times of day are written. */
interface Timed extends DeliveryOnClock {
  readonly isLate: boolean;
  /** Null where no times of day are given; else what stands behind them, empty on the viewer's own clock. */
  readonly clock: { readonly offset: string } | null;
}

function clockOf(expected: ExpectedDelivery, { isWholeDays }: DeliveryOnClock, zone: Zone): Timed['clock'] {
  if (expected.kind === 'day' || isWholeDays) return null;
  const ahead = (parseOffset(expected.offset) ?? 0) * minuteMs;
  const isOwn = zone.offsetAt(Date.parse(expected.from ?? expected.to ?? '')) === ahead;
  return { offset: isOwn ? '' : ` ${expected.offset}` };
}

function wordingOf(delivery: Timed): ExpectedWording {
  const { clock, from, isLate, now, to } = delivery;
  const today = dayStart(now);
  const first = dayStart(from);
  const last = lastDayOf(delivery);
  if (isLate) return lateWording(last, delivery, today, clock);
  if (first < last) return spanWording(first, last, today);
  const name = dayName(first, today);
  const times = clock === null ? '' : ` ${timesOf(from, to)}${clock.offset}`;
  const end = clock !== null && clock.offset === '' && first === today ? shortTimes(from, to) : null;
  return {
    full: `expected ${name}${times}`,
    short: end ?? shortName(first, today),
    when: first === today ? 'today' : 'later',
  };
}

function lateWording(
  last: EpochMs,
  { from, to }: DeliveryOnClock,
  today: EpochMs,
  clock: Timed['clock'],
): ExpectedWording {
  if (last === today - dayMs) return { full: 'expected yesterday', short: 'yesterday', when: 'late' };
  if (last === today && to !== null && clock !== null) {
    const time = timeText(to);
    const short = clock.offset === '' ? `was ${time}` : 'was today';
    return { full: `was expected today ${from === to ? '' : 'by '}${time}${clock.offset}`, short, when: 'late' };
  }
  const name = dayName(last, today);
  return { full: `was expected ${name}`, short: `was ${shortDay(last, today)}`, when: 'late' };
}

/** Several days: named by the last one from the first on. */
function spanWording(first: EpochMs, last: EpochMs, today: EpochMs): ExpectedWording {
  const end = dayName(last, today);
  if (last === today) return { full: 'expected today', short: 'today', when: 'today' };
  const full = first <= today ? `expected by ${end}` : `expected ${dayName(first, today)} – ${end}`;
  const short = last === today + dayMs ? 'tomorrow' : `by ${shortDay(last, today)}`;
  return { full, short, when: 'later' };
}

function timesOf(from: EpochMs, to: EpochMs | null): string {
  if (to === null) return `from ${timeText(from)}`;
  if (from % dayMs === 0) return `by ${timeText(to)}`;
  const [start, end] = [timeText(from), timeText(to)];
  return start === end ? start : `${start}–${end}`;
}

function shortTimes(from: EpochMs, to: EpochMs | null): string {
  if (from === to) return timeText(from);
  return to === null ? `from ${timeText(from)}` : `by ${timeText(to)}`;
}

/** A day as people say it: `today`, `tomorrow`, `Mon 23 Nov`; with the year instead of the weekday when it is far away. */
function dayName(at: EpochMs, today: EpochMs): string {
  const days = (at - today) / dayMs;
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  return isFar(at, today) ? `${dayText(at)} ${yearText(at)}` : `${weekdayText(at)} ${dayText(at)}`;
}

function shortName(at: EpochMs, today: EpochMs): string {
  return isFar(at, today) ? `${monthText(at)} ${yearText(at)}` : dayName(at, today);
}

function shortDay(at: EpochMs, today: EpochMs): string {
  return isFar(at, today) ? yearText(at) : dayText(at);
}

/** Whether the same day and month may be meant of two years. */
const isFar = (at: EpochMs, today: EpochMs): boolean => Math.abs(at - today) > 300 * dayMs;

import type { EpochMs } from '../../service/clock/clock.ts';
import { parseOffset } from '../../service/clock/service-clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { ExpectedDelivery } from '../../service/record/expected-delivery.ts';
import { dayText, monthText, timeText, weekdayText, yearText } from '../time/wall-text.ts';
import { dateInZone } from '../time/zone-time.ts';
import type { Viewing } from './status-now.ts';

/** An expected delivery in words. */
export interface ExpectedWording {
  /** `expected Mon 23 Nov`, `expected today 14:00–18:00`, `expected yesterday`, `was expected Mon 16 Nov`. */
  readonly full: string;
  /** At most ten cells: `Mon 23 Nov`, `today`, `by 18:00`, `yesterday`, `was 16 Nov`. */
  readonly short: string;
  readonly when: 'late' | 'today' | 'later';
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Says when a parcel is expected, on the clock of where it goes: that of the window that was given, else the viewer's. The
 * offset stands behind a time that is not on the viewer's clock.
 */
export function expectedWording(expected: ExpectedDelivery, { now, zone }: Viewing): ExpectedWording {
  return expected.kind === 'day'
    ? wordingOf({ from: wholeDay(expected.date), to: null, now: wholeDay(dateInZone(now, zone)), clock: null })
    : wordingOf(windowOf(expected, now, zone));
}

/** When the words for an expected window change besides at midnight: its end. Null when it has none. */
export function endOfWindow(expected: ExpectedDelivery): EpochMs | null {
  return expected.kind === 'day' || expected.to === null ? null : Date.parse(expected.to);
}

/** A delivery on one clock, whose times are written as if it showed UTC. */
interface OnClock {
  readonly from: EpochMs;
  readonly to: EpochMs | null;
  readonly now: EpochMs;
  /** Null where no times of day are given; else what stands behind them, empty on the viewer's own clock. */
  readonly clock: { readonly offset: string } | null;
}

function windowOf(
  { from, to, offset }: Extract<ExpectedDelivery, { readonly kind: 'window' }>,
  now: EpochMs,
  zone: Zone,
): OnClock {
  const ahead = (parseOffset(offset) ?? 0) * minute;
  const start = Date.parse(from) + ahead;
  const end = to === null ? null : Date.parse(to) + ahead;
  const fromMidnight = start % day === 0;
  const isWholeDays = fromMidnight && (end === null || (end + minute) % day <= minute);
  const isOwn = zone.offsetAt(Date.parse(from)) === ahead;
  return { from: start, to: end, now: now + ahead, clock: isWholeDays ? null : { offset: isOwn ? '' : ` ${offset}` } };
}

function wordingOf({ from, to, now, clock }: OnClock): ExpectedWording {
  const today = dayStart(now);
  const first = dayStart(from);
  // A window that ends at midnight ends with the day before.
  const last = to === null ? first : dayStart(to - 1);
  const isLate = to === null || clock === null ? today > last : now >= to;
  if (isLate) return lateWording(last, to, today, clock);
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

function lateWording(last: EpochMs, to: EpochMs | null, today: EpochMs, clock: OnClock['clock']): ExpectedWording {
  if (last === today - day) return { full: 'expected yesterday', short: 'yesterday', when: 'late' };
  if (last === today && to !== null) {
    const time = timeText(to);
    const short = clock?.offset === '' ? `was ${time}` : 'was today';
    return { full: `was expected today by ${time}${clock?.offset ?? ''}`, short, when: 'late' };
  }
  const name = dayName(last, today);
  return { full: `was expected ${name}`, short: `was ${shortDay(last, today)}`, when: 'late' };
}

/** Several days: named by the last one from the first on. */
function spanWording(first: EpochMs, last: EpochMs, today: EpochMs): ExpectedWording {
  const end = dayName(last, today);
  if (last === today) return { full: 'expected today', short: 'today', when: 'today' };
  const full = first <= today ? `expected by ${end}` : `expected ${dayName(first, today)} – ${end}`;
  const short = last === today + day ? 'tomorrow' : `by ${shortDay(last, today)}`;
  return { full, short, when: 'later' };
}

function timesOf(from: EpochMs, to: EpochMs | null): string {
  if (to === null) return `from ${timeText(from)}`;
  if (from % day === 0) return `by ${timeText(to)}`;
  const [start, end] = [timeText(from), timeText(to)];
  return start === end ? start : `${start}–${end}`;
}

function shortTimes(from: EpochMs, to: EpochMs | null): string {
  return to === null ? `from ${timeText(from)}` : `by ${timeText(to)}`;
}

/** A day as people say it: `today`, `tomorrow`, `Mon 23 Nov`; with the year instead of the weekday when it is far away. */
function dayName(at: EpochMs, today: EpochMs): string {
  const days = (at - today) / day;
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
const isFar = (at: EpochMs, today: EpochMs): boolean => Math.abs(at - today) > 300 * day;
const wholeDay = (date: string): EpochMs => Date.parse(date);
const dayStart = (at: EpochMs): EpochMs => Math.floor(at / day) * day;

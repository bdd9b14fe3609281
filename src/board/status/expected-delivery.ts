import { dayMs, type EpochMs, minuteMs } from '../../lib/clock.ts';
import { formatOffset, parseOffset, type Zone } from '../../lib/date-time.ts';
import type { Tone } from '../../lib/paint.ts';
import {
  arrivalOf,
  awaitedDelivery,
  type DeliveryOnClock,
  dayStart,
  deliveredLocal,
  deliveryOnClock,
  findArrival,
  hasPassed,
  lastDayOf,
} from '../../parcels/delivery.ts';
import type { Parcel, ParcelHistory } from '../../parcels/parcel.ts';
import { parcelStage, parcelStatusText } from '../../parcels/parcel-state.ts';
import type { Checkpoint, ExpectedDelivery } from '../../service/record.ts';
import { type Stage, subStatusText } from '../../service/status.ts';
import { plausibleEvents } from '../../service/timeline-order.ts';
import { dayText, monthText, timeText, weekdayText, yearText } from '../time.ts';
import { forecastText } from './forecast.ts';
import type { Viewing } from './status-now.ts';

/** When a parcel is expected: the courier's promise, or our forecast if there isn't one. */
export interface ExpectedDay {
  /** `expected Mon 23 Nov`, `was expected yesterday`, `likely Thu–Sat`. */
  readonly full: string;
  /** `Mon 23 Nov`, `today`, `by 18:00`, `1 d late`. */
  readonly text: string;
  readonly tone: Tone;
  /** Whether it is our own estimate, which is shown dim. */
  readonly isForecast: boolean;
  /** The heading of the group for that day: `Late`, `Today`, `Mon 23 Nov`, `Forecast`. */
  readonly heading: string;
}

/** Returns when a parcel is expected, or null if there is neither a promise nor a forecast. */
export function expectedDay(parcel: Parcel, viewing: Viewing): ExpectedDay | null {
  const awaited = awaitedDelivery(parcel);
  if (awaited === null) {
    const forecast = viewing.forecast?.(parcel) ?? null;
    if (forecast === null) return null;
    const full = forecastText(forecast);
    return { full, text: full, tone: 'plain', isForecast: true, heading: 'Forecast' };
  }
  const { day, full, short, tone } = expectedWording(awaited, viewing, viewing.zone);
  const heading = tone === 'attention' ? 'Late' : `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
  return { full, text: short, tone, isForecast: false, heading };
}

/** The days on which a parcel may arrive, as days from today on the clock of its expected delivery. */
export interface DueDays {
  readonly first: number;
  readonly last: number;
  readonly isLate: boolean;
  /** Whether it is our own estimate. */
  readonly isForecast: boolean;
}

/** Returns the promised days, or the forecast if there is no promise, or null. */
export function findDueDays(parcel: Parcel, viewing: Viewing): DueDays | null {
  const awaited = awaitedDelivery(parcel);
  if (awaited !== null) {
    const delivery = deliveryOnClock(awaited, viewing);
    const today = dayStart(delivery.now);
    const ahead = (at: number): number => (dayStart(at) - today) / dayMs;
    const isLate = hasPassed(delivery);
    return { first: ahead(delivery.from), last: ahead(lastDayOf(delivery)), isLate, isForecast: false };
  }
  const forecast = viewing.forecast?.(parcel) ?? null;
  if (forecast === null) return null;
  const { from, to, today } = forecast;
  return { first: (from - today) / dayMs, last: (to - today) / dayMs, isLate: false, isForecast: true };
}

export interface ExpectedWording {
  /** `expected Mon 23 Nov`, `expected today 14:00–18:00`, `expected yesterday`, `was expected Mon 16 Nov`. */
  readonly full: string;
  /** At most ten cells: `Mon 23 Nov`, `today`, `by 18:00`, `1 d late`. */
  readonly short: string;
  /** `attention` if it is late. */
  readonly tone: 'attention' | 'today' | 'plain';
  /** The last day: `today`, `tomorrow`, `Mon 23 Nov`. */
  readonly day: string;
}

/**
 * Describes the expected delivery. Times on a clock other than the viewer's are shown with their offset.
 * @param clock the clock for times and "today". Null means the clock of the time window, or the viewer's if there isn't
 * one. Whether the delivery is late does not depend on it.
 */
export function expectedWording(
  expected: ExpectedDelivery,
  viewing: Viewing,
  clock: Zone | null = null,
): ExpectedWording {
  const delivery = deliveryOnClock(expected, viewing);
  const timedDelivery = {
    ...delivery,
    suffix: offsetSuffix(expected, delivery, viewing.zone),
    isLate: hasPassed(delivery),
  };
  return describeDelivery(
    clock === null || expected.kind === 'day' ? timedDelivery : moveToClock(expected, timedDelivery, viewing, clock),
  );
}

function moveToClock(window: ExpectedWindow, original: TimedDelivery, viewing: Viewing, clock: Zone): TimedDelivery {
  const now = clock.wallTime(viewing.now);
  if (original.isWholeDays) return { ...original, now };
  const minutes = Math.trunc(clock.offsetAt(Date.parse(window.from ?? window.to ?? '')) / minuteMs);
  const shifted: ExpectedWindow = { ...window, offset: formatOffset(minutes) };
  const delivery = deliveryOnClock(shifted, viewing);
  // A time that is midnight on that clock would be mistaken for a whole day.
  if (delivery.isWholeDays) return original;
  return { ...delivery, now, suffix: offsetSuffix(shifted, delivery, viewing.zone), isLate: original.isLate };
}

type ExpectedWindow = Extract<ExpectedDelivery, { readonly kind: 'window' }>;

/** An expected delivery on one clock. */
interface TimedDelivery extends DeliveryOnClock {
  readonly isLate: boolean;
  /** The offset shown after times. Empty on the viewer's clock, and null if there are no times. */
  readonly suffix: string | null;
}

function offsetSuffix(
  expected: ExpectedDelivery,
  { isWholeDays }: DeliveryOnClock,
  zone: Zone,
): TimedDelivery['suffix'] {
  if (expected.kind === 'day' || isWholeDays) return null;
  const ahead = (parseOffset(expected.offset) ?? 0) * minuteMs;
  const isViewersOffset = zone.offsetAt(Date.parse(expected.from ?? expected.to ?? '')) === ahead;
  return isViewersOffset ? '' : ` ${expected.offset}`;
}

function describeDelivery(delivery: TimedDelivery): ExpectedWording {
  const { from, isLate, now, suffix, to } = delivery;
  const today = dayStart(now);
  const first = dayStart(from);
  const last = lastDayOf(delivery);
  if (isLate) return lateWording(last, delivery, today, suffix);
  if (first < last) return spanWording(first, last, today);
  const name = dayName(first, today);
  const times = suffix === null ? '' : ` ${timeRangeText(from, to)}${suffix}`;
  const end = suffix === '' && first === today ? shortTimes(from, to) : null;
  return {
    full: `expected ${name}${times}`,
    short: end ?? shortName(first, today),
    tone: first === today ? 'today' : 'plain',
    day: name,
  };
}

function lateWording(
  last: EpochMs,
  { from, to }: DeliveryOnClock,
  today: EpochMs,
  suffix: TimedDelivery['suffix'],
): ExpectedWording {
  const late = { short: lateText((today - last) / dayMs), tone: 'attention', day: dayName(last, today) } as const;
  if (last === today - dayMs) return { ...late, full: 'expected yesterday' };
  if (last === today && to !== null && suffix !== null) {
    const time = `${from === to ? '' : 'by '}${timeText(to)}${suffix}`;
    return { ...late, full: `was expected today ${time}` };
  }
  return { ...late, full: `was expected ${late.day}` };
}

function lateText(days: number): string {
  if (days < 1) return 'late today';
  return days < daysInYear ? `${days} d late` : `${Math.floor(days / daysInYear)} y late`;
}

const daysInYear = 365;

/** Describes a range of days, by its end only once it has started. */
function spanWording(first: EpochMs, last: EpochMs, today: EpochMs): ExpectedWording {
  const end = dayName(last, today);
  if (last === today) return { full: 'expected today', short: 'today', tone: 'today', day: end };
  const full = first <= today ? `expected by ${end}` : `expected ${dayName(first, today)} – ${end}`;
  const short = last === today + dayMs ? 'tomorrow' : `by ${shortDay(last, today)}`;
  return { full, short, tone: 'plain', day: end };
}

function timeRangeText(from: EpochMs, to: EpochMs | null): string {
  if (to === null) return `from ${timeText(from)}`;
  if (from % dayMs === 0) return `by ${timeText(to)}`;
  const [start, end] = [timeText(from), timeText(to)];
  return start === end ? start : `${start}–${end}`;
}

function shortTimes(from: EpochMs, to: EpochMs | null): string {
  if (from === to) return timeText(from);
  return to === null ? `from ${timeText(from)}` : `by ${timeText(to)}`;
}

/** `today`, `tomorrow`, `Mon 23 Nov`, or `23 Nov 2027` if it is far away. */
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

/** Whether day and month would be ambiguous without the year. */
const isFar = (at: EpochMs, today: EpochMs): boolean => Math.abs(at - today) > 300 * dayMs;

export interface ReachedMilestone {
  readonly checkpoint: Pick<Checkpoint, 'address' | 'at' | 'certain' | 'detail' | 'local' | 'offset'>;
  readonly wording: string;
}

/** A parcel's calendar events. Null if the service did not report them. */
export interface Milestones {
  /** The delivery or the arrival at the pick-up point. For other parcels, the last event. */
  readonly reached: ReachedMilestone | null;
  /** Null for parcels that are delivered, ready for pick-up, expired or archived. */
  readonly expected: ExpectedDelivery | null;
}

/** Stages in which the parcel has arrived. */
const arrivalStages: readonly Stage[] = ['delivered', 'pickup'];

/** For a delivery that is reported in the record but not as an event. */
const zonelessCheckpoint = { address: null, at: null, certain: false, detail: null, offset: null };

/** Returns a parcel's milestones. If the history has no events, falls back to the last event. */
export function findMilestones(parcel: Parcel, history: ParcelHistory): Milestones {
  if (parcel.record === null || parcel.registration === 'rejected') return { reached: null, expected: null };
  const events =
    history.checkpoints.length > 0
      ? plausibleEvents(history.checkpoints)
      : [parcel.lastEvent].filter((event) => event !== null);
  const stage = parcelStage(parcel);
  return { reached: reachedMilestone(parcel, stage, events), expected: awaitedDelivery(parcel, history) };
}

function reachedMilestone(parcel: Parcel, stage: Stage, newestFirst: readonly Checkpoint[]): ReachedMilestone | null {
  const arrival =
    parcel.record !== null && arrivalStages.includes(stage) ? findArrival(parcel.record, newestFirst) : null;
  if (arrival !== null) return { checkpoint: arrival, wording: parcelStatusText(parcel) };
  const local = arrivalOf(parcel) === null ? deliveredLocal(parcel) : null;
  if (local !== null) return { checkpoint: { ...zonelessCheckpoint, local }, wording: parcelStatusText(parcel) };
  const [last] = newestFirst;
  // The wording is the event's, because the record may be newer.
  return last === undefined
    ? null
    : { checkpoint: last, wording: subStatusText(last.subStatus) ?? last.detail ?? 'Last event' };
}

import { dayMs, type EpochMs, hourMs, minuteMs } from '../lib/clock.ts';
import { parseOffset } from '../lib/date-time.ts';
import type { Zone } from '../lib/zone.ts';
import { type ExpectedDelivery, expectedDelivery } from '../service/record.ts';
import type { Stage } from '../service/status.ts';
import type { Parcel, ParcelHistory } from './parcel.ts';
import { hasEnded, parcelStage } from './parcel-stage.ts';

const underWay: readonly Stage[] = ['out-for-delivery', 'in-transit', 'announced', 'attention', 'no-record', 'unknown'];

/** What is lost, cancelled, refused or on its way back comes no more, whenever it was expected. */
const comesNoMore = /^ABNORMAL_0[3-7]$/;

/**
 * When a parcel is expected, as the service said; null for one that is delivered, waits to be picked up, has expired,
 * comes no more, was rejected or was put away. A history holds it for records that were kept before the index did.
 */
export function awaitedDelivery(parcel: Parcel, history?: ParcelHistory): ExpectedDelivery | null {
  const { record } = parcel;
  if (record === null || (record.expectedDelivery === undefined && history === undefined)) return null;
  // Who put a parcel away awaits it no more.
  const isAwaited =
    parcel.archivedAt === null && parcel.registration !== 'rejected' && underWay.includes(parcelStage(parcel));
  if (!isAwaited || hasEnded(parcel) || comesNoMore.test(record.transitSubStatus ?? '')) return null;
  const received = history?.received ?? null;
  return record.expectedDelivery ?? (received === null ? null : expectedDelivery(received));
}

/** Whose day it is. */
export interface Viewer {
  readonly now: EpochMs;
  /** The viewer's zone. */
  readonly zone: Zone;
}

/** An expected delivery on one clock, whose times are written as if it showed UTC. */
export interface DeliveryOnClock {
  readonly from: EpochMs;
  readonly to: EpochMs | null;
  readonly now: EpochMs;
  readonly isWholeDays: boolean;
}

/** An expected delivery on the clock of where it goes: that of the window that was given, else the viewer's. */
export function deliveryOnClock(expected: ExpectedDelivery, { now, zone }: Viewer): DeliveryOnClock {
  if (expected.kind === 'day') {
    const to = expected.until === undefined ? null : Date.parse(expected.until) + dayMs;
    return { from: Date.parse(expected.date), to, now: dayStart(zone.wallTime(now)), isWholeDays: true };
  }
  const ahead = (parseOffset(expected.offset) ?? 0) * minuteMs;
  const end = expected.to === null ? null : Date.parse(expected.to) + ahead;
  // An end without a start ends its day.
  const from = expected.from === null ? dayStart((end ?? 0) - 1) : Date.parse(expected.from) + ahead;
  // A point at midnight is a day without a time.
  const to = end === from && from % dayMs === 0 ? null : end;
  const isWholeDays = from % dayMs === 0 && (to === null || (to + minuteMs) % dayMs <= minuteMs);
  return { from, to, now: now + ahead, isWholeDays };
}

/** The last day of an expected delivery; a window that ends at midnight ends with the day before. */
export const lastDayOf = ({ from, to }: DeliveryOnClock): EpochMs =>
  dayStart(to === null || to === from ? from : to - 1);

/** A delivery that was expected at a point in time is late so long after it. Milliseconds. */
export const pointGraceMs = hourMs;

/** Whether the time has passed in which a delivery was expected: the end of its window, else its last day. */
export const hasPassed = (delivery: DeliveryOnClock): boolean => delivery.now >= endOf(delivery);

/** When the time ends in which a delivery is expected, on its clock. */
function endOf(delivery: DeliveryOnClock): EpochMs {
  const { from, isWholeDays, to } = delivery;
  if (to === null || isWholeDays) return lastDayOf(delivery) + dayMs;
  return to === from ? to + pointGraceMs : to;
}

export function lateFrom(expected: ExpectedDelivery, viewer: Viewer): EpochMs {
  const end = endOf(deliveryOnClock(expected, viewer));
  if (expected.kind === 'window') return end - (parseOffset(expected.offset) ?? 0) * minuteMs;
  return end - viewer.zone.offsetAt(end - viewer.zone.offsetAt(end));
}

/** Whether a parcel is still awaited after the time in which it was expected. */
export function isLate(parcel: Parcel, viewer: Viewer): boolean {
  const awaited = awaitedDelivery(parcel);
  return awaited !== null && hasPassed(deliveryOnClock(awaited, viewer));
}

/** The beginning of a day on a clock that is written as if it showed UTC. */
export const dayStart = (at: EpochMs): EpochMs => Math.floor(at / dayMs) * dayMs;

import { dayMs, type EpochMs, hourMs, minuteMs } from '../lib/clock.ts';
import { parseOffset } from '../lib/date-time.ts';
import type { Zone } from '../lib/zone.ts';
import { type ExpectedDelivery, expectedDelivery } from '../service/record.ts';
import type { Stage } from '../service/status.ts';
import type { Parcel, ParcelHistory } from './parcel.ts';
import { hasEnded, parcelStage } from './parcel-stage.ts';

const stagesUnderWay: readonly Stage[] = [
  'out-for-delivery',
  'in-transit',
  'announced',
  'attention',
  'no-record',
  'unknown',
];

/** Lost, cancelled, refused or being returned. */
const neverArrives = /^ABNORMAL_0[3-7]$/;

/** Whether a parcel is in transit to its recipient. False if it is rejected or archived. */
export function isAwaited(parcel: Parcel): boolean {
  const { archivedAt, record, registration } = parcel;
  if (archivedAt !== null || registration === 'rejected' || !stagesUnderWay.includes(parcelStage(parcel))) return false;
  return !hasEnded(parcel) && !neverArrives.test(record?.transitSubStatus ?? '');
}

/**
 * Returns when the service expects the delivery, or null if the parcel is rejected, archived or not in transit.
 * @param history contains the times of records from older versions
 */
export function awaitedDelivery(parcel: Parcel, history?: ParcelHistory): ExpectedDelivery | null {
  const { record } = parcel;
  if (record === null || (record.expectedDelivery === undefined && history === undefined)) return null;
  if (!isAwaited(parcel)) return null;
  const received = history?.received ?? null;
  return record.expectedDelivery ?? (received === null ? null : expectedDelivery(received));
}

export interface Viewer {
  readonly now: EpochMs;
  readonly zone: Zone;
}

/** An expected delivery on one local clock. Times are wall times, written as if they were UTC. */
export interface DeliveryOnClock {
  readonly from: EpochMs;
  readonly to: EpochMs | null;
  readonly now: EpochMs;
  readonly isWholeDays: boolean;
}

/** Returns the delivery on the window's clock, or else on the viewer's clock. */
export function deliveryOnClock(expected: ExpectedDelivery, { now, zone }: Viewer): DeliveryOnClock {
  if (expected.kind === 'day') {
    const to = expected.until === undefined ? null : Date.parse(expected.until) + dayMs;
    return { from: Date.parse(expected.date), to, now: dayStart(zone.wallTime(now)), isWholeDays: true };
  }
  const ahead = (parseOffset(expected.offset) ?? 0) * minuteMs;
  const end = expected.to === null ? null : Date.parse(expected.to) + ahead;
  // An end without a start means the whole day until then.
  const from = expected.from === null ? dayStart((end ?? 0) - 1) : Date.parse(expected.from) + ahead;
  // A point in time at midnight means the day, without a time.
  const to = end === from && from % dayMs === 0 ? null : end;
  const isWholeDays = from % dayMs === 0 && (to === null || (to + minuteMs) % dayMs <= minuteMs);
  return { from, to, now: now + ahead, isWholeDays };
}

/** A window that ends at midnight ends with the previous day. */
export const lastDayOf = ({ from, to }: DeliveryOnClock): EpochMs =>
  dayStart(to === null || to === from ? from : to - 1);

/** In milliseconds. After an exact time, a delivery counts as late when this has passed. */
export const pointGraceMs = hourMs;

/** Whether the window, or else the last day, has passed. */
export const hasPassed = (delivery: DeliveryOnClock): boolean => delivery.now >= endOf(delivery);

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

/** Whether a parcel is still expected after its expected time has passed. */
export function isLate(parcel: Parcel, viewer: Viewer): boolean {
  const awaited = awaitedDelivery(parcel);
  return awaited !== null && hasPassed(deliveryOnClock(awaited, viewer));
}

/** Returns the start of a day, for wall times written as if they were UTC. */
export const dayStart = (at: EpochMs): EpochMs => Math.floor(at / dayMs) * dayMs;

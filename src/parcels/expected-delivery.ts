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

/** Sub-statuses of parcels that are lost, cancelled, refused or on their way back. */
const neverArrives = /^ABNORMAL_0[3-7]$/;

/** Whether the parcel is still on its way to the recipient. False if it is rejected or archived. */
export function isAwaited(parcel: Parcel): boolean {
  const { archivedAt, record, registration } = parcel;
  if (archivedAt !== null || registration === 'rejected' || !stagesUnderWay.includes(parcelStage(parcel))) return false;
  return !hasEnded(parcel) && !neverArrives.test(record?.transitSubStatus ?? '');
}

/**
 * Returns when the service expects the delivery, or null if the parcel is rejected, archived or not on its way.
 * @param history used for records that were saved by older versions
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

/** An expected delivery on one local clock. All times are wall times, as if they were UTC. */
export interface DeliveryOnClock {
  readonly from: EpochMs;
  readonly to: EpochMs | null;
  readonly now: EpochMs;
  readonly isWholeDays: boolean;
}

/** Returns the delivery on the clock of its time window, or on the viewer's clock if it is a day. */
export function deliveryOnClock(expected: ExpectedDelivery, { now, zone }: Viewer): DeliveryOnClock {
  if (expected.kind === 'day') {
    const to = expected.until === undefined ? null : Date.parse(expected.until) + dayMs;
    return { from: Date.parse(expected.date), to, now: dayStart(zone.wallTime(now)), isWholeDays: true };
  }
  const ahead = (parseOffset(expected.offset) ?? 0) * minuteMs;
  const end = expected.to === null ? null : Date.parse(expected.to) + ahead;
  // Without a start, the window begins at midnight.
  const from = expected.from === null ? dayStart((end ?? 0) - 1) : Date.parse(expected.from) + ahead;
  // A single time at midnight means the whole day.
  const to = end === from && from % dayMs === 0 ? null : end;
  const isWholeDays = from % dayMs === 0 && (to === null || (to + minuteMs) % dayMs <= minuteMs);
  return { from, to, now: now + ahead, isWholeDays };
}

/** The last day of a delivery. A window that ends at midnight ends with the day before. */
export const lastDayOf = ({ from, to }: DeliveryOnClock): EpochMs =>
  dayStart(to === null || to === from ? from : to - 1);

/** In milliseconds. How long after an exact time a delivery counts as late. */
const pointGraceMs = hourMs;

/** Whether the time window is over, or the last day if there are no times. */
export const hasPassed = (delivery: DeliveryOnClock): boolean => delivery.now >= endOf(delivery);

function endOf(delivery: DeliveryOnClock): EpochMs {
  const { from, isWholeDays, to } = delivery;
  if (to === null || isWholeDays) return lastDayOf(delivery) + dayMs;
  return to === from ? to + pointGraceMs : to;
}

/** Returns the instant from which the delivery is late. */
export function lateFrom(expected: ExpectedDelivery, viewer: Viewer): EpochMs {
  const end = endOf(deliveryOnClock(expected, viewer));
  if (expected.kind === 'window') return end - (parseOffset(expected.offset) ?? 0) * minuteMs;
  return end - viewer.zone.offsetAt(end - viewer.zone.offsetAt(end));
}

/** Whether the expected time has passed and the parcel is still on its way. */
export function isLate(parcel: Parcel, viewer: Viewer): boolean {
  const awaited = awaitedDelivery(parcel);
  return awaited !== null && hasPassed(deliveryOnClock(awaited, viewer));
}

/** Returns the start of the day of a wall time. */
export const dayStart = (at: EpochMs): EpochMs => Math.floor(at / dayMs) * dayMs;

import { dayMs, type EpochMs, hourMs, minuteMs } from '../lib/clock.ts';
import { parseInstant, parseOffset, parseWallTime, type Zone } from '../lib/date-time.ts';
import type { Checkpoint, ExpectedDelivery } from '../service/record.ts';
import { readExpectedDelivery, type Stage } from '../service/status.ts';
import { type EventSpan, eventSpan } from '../service/timeline-order.ts';
import type { Parcel, ParcelHistory, RecordSummary } from './parcel.ts';
import { hasEnded, isClosed, parcelStage, recordStage } from './parcel-state.ts';

/** Sub-statuses of the events that bring a parcel into a stage. */
const arrivalPatterns: Readonly<Partial<Record<Stage, RegExp>>> = {
  'out-for-delivery': /^WAITING_DELIVERY_01$/,
  pickup: /^WAITING_DELIVERY_02$/,
  delivered: /^DELIVERED_/,
};

/** A plain scan does not end a delivery tour, but any other newer event does. */
const isPlainScan = (subStatus: string | null): boolean => subStatus === null || subStatus === 'IN_TRANSIT_01';

/** The fields of a record that determine stage and delivery time. */
export type DeliveryFields = Pick<RecordSummary, 'transitStatus' | 'transitSubStatus' | 'deliveredTime'>;

/**
 * Returns the event that brought a parcel into its current stage: the start of the newest delivery tour, the delivery, or
 * the arrival at the pick-up point. Ignores later scans and reminders. Null if there is no such event, and in all other
 * stages.
 */
export function findArrival(record: DeliveryFields, newestFirst: readonly Checkpoint[]): Checkpoint | null {
  const stage = recordStage({ record, lastEvent: newestFirst[0] ?? null });
  const arrival = arrivalPatterns[stage];
  if (arrival === undefined) return null;
  const isArrival = ({ subStatus }: Checkpoint): boolean => arrival.test(subStatus ?? '');
  // The newest one counts, because couriers report every morning that the parcel goes out again.
  if (stage === 'out-for-delivery') {
    const newest = newestFirst.find(({ subStatus }) => !isPlainScan(subStatus)) ?? null;
    return newest !== null && isArrival(newest) ? newest : null;
  }
  return (
    findEventAtDelivery(stage === 'delivered' ? record : {}, newestFirst, isArrival) ??
    earliestInRun(newestFirst, isArrival)
  );
}

/** Returns the event at the local delivery time of the record, preferably one that reports a delivery. */
function findEventAtDelivery(
  { deliveredTime }: Pick<DeliveryFields, 'deliveredTime'>,
  newestFirst: readonly Checkpoint[],
  isArrival: (event: Checkpoint) => boolean,
): Checkpoint | null {
  const time = parseWallTime(deliveredTime ?? null);
  if (time === null) return null;
  const simultaneous = newestFirst.filter(({ local }) => parseWallTime(local) === time);
  return simultaneous.find(isArrival) ?? simultaneous[0] ?? null;
}

/** Couriers report one arrival in several events. Returns the earliest event of the newest run. */
function earliestInRun(
  newestFirst: readonly Checkpoint[],
  isArrival: (event: Checkpoint) => boolean,
): Checkpoint | null {
  const begin = newestFirst.findIndex(isArrival);
  if (begin === -1) return null;
  const length = newestFirst.slice(begin).findIndex((event) => !isArrival(event));
  return newestFirst[length === -1 ? newestFirst.length - 1 : begin + length - 1] ?? null;
}

/** Like {@link findArrival}, but uses only the data that is stored with the parcel. */
export function arrivalOf({ lastEvent, record }: Pick<Parcel, 'lastEvent' | 'record'>): Checkpoint | null {
  if (record === null) return null;
  return record.arrival ?? (lastEvent === null ? null : findArrival(record, [lastEvent]));
}

/** Returns the latest time at which the parcel can have reached its stage. Null if unknown. */
export function arrivedBy(parcel: Parcel): EpochMs | null {
  const event = arrivalOf(parcel);
  return event === null ? null : (eventSpan(event)?.latest ?? null);
}

/** Returns the latest time at which a parcel can have been delivered. Null if it was not delivered or that is unknown. */
export function deliveredAt(parcel: Parcel): EpochMs | null {
  return parcelStage(parcel) === 'delivered' ? arrivedBy(parcel) : null;
}

/** Returns the local time of the delivery, without a zone, or null if it was not delivered or the time is unknown. */
export function deliveredLocal(parcel: Parcel): string | null {
  const { lastEvent, record } = parcel;
  if (record === null || parcelStage(parcel) !== 'delivered') return null;
  const localTime = arrivalOf(parcel)?.local ?? record.deliveredTime;
  return localTime || (lastEvent === null ? record.lastTrackingTime : null) || null;
}

interface Ending {
  readonly isDelivered: boolean;
  /** Time of the delivery, or of the last event, or of the service's response, whichever is known first. */
  readonly span: EventSpan | null;
}

/** Returns when a parcel was delivered or closed, or null for other parcels. */
function parcelEnding(parcel: Parcel): Ending | null {
  const isDelivered = parcelStage(parcel) === 'delivered';
  if (!isDelivered && !isClosed(parcel)) return null;
  const event = (isDelivered ? arrivalOf(parcel) : null) ?? parcel.lastEvent;
  const respondedAt = parseInstant((isDelivered ? null : parcel.endedAt) ?? parcel.checkedAt);
  const span =
    eventSpan(event ?? { at: null, local: deliveredLocal(parcel), offset: null }) ??
    (respondedAt === null ? null : { earliest: respondedAt, latest: respondedAt });
  return { isDelivered, span };
}

/** Returns the minimum number of whole days since a parcel was delivered or closed. Null for other parcels. */
export function daysSinceEnd(parcel: Parcel, now: EpochMs): number | null {
  const span = parcelEnding(parcel)?.span ?? null;
  return span === null ? null : Math.max(0, Math.floor((now - span.latest) / dayMs));
}

/** Days after which parcels are archived automatically. 0 turns this off. */
export interface ArchiveDays {
  readonly delivered: number;
  readonly closed: number;
}

/**
 * Whether a parcel ended long enough ago to be archived automatically. False if the user has restored it since. If it
 * was added after it ended, the days are counted from then.
 */
export function isDueForArchiving(parcel: Parcel, { closed, delivered }: ArchiveDays, now: EpochMs): boolean {
  const ending = parcel.archivedAt === null ? parcelEnding(parcel) : null;
  if (ending === null || ending.span === null) return false;
  const afterDays = ending.isDelivered ? delivered : closed;
  const { earliest, latest } = ending.span;
  if (afterDays <= 0 || now - Math.max(latest, Date.parse(parcel.addedAt)) < afterDays * dayMs) return false;
  return parcel.restoredAt === undefined || Date.parse(parcel.restoredAt) < earliest;
}

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
  return record.expectedDelivery ?? (received === null ? null : readExpectedDelivery(received));
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
  const offsetMs = (parseOffset(expected.offset) ?? 0) * minuteMs;
  const end = expected.to === null ? null : Date.parse(expected.to) + offsetMs;
  // Without a start, the window begins at midnight.
  const from = expected.from === null ? dayStart((end ?? 0) - 1) : Date.parse(expected.from) + offsetMs;
  // A single time at midnight means the whole day.
  const to = end === from && from % dayMs === 0 ? null : end;
  const isWholeDays = from % dayMs === 0 && (to === null || (to + minuteMs) % dayMs <= minuteMs);
  return { from, to, now: now + offsetMs, isWholeDays };
}

/** The last day of a delivery. A window that ends at midnight ends with the day before. */
export const lastDayOf = ({ from, to }: DeliveryOnClock): EpochMs =>
  dayStart(to === null || to === from ? from : to - 1);

/** Grace period before a delivery that was announced for an exact time counts as late. */
const pointGraceMs = hourMs;

/** Whether the time window is over, or the last day if there are no times. */
export const hasPassed = (delivery: DeliveryOnClock): boolean => delivery.now >= endOnClock(delivery);

function endOnClock(delivery: DeliveryOnClock): EpochMs {
  const { from, isWholeDays, to } = delivery;
  if (to === null || isWholeDays) return lastDayOf(delivery) + dayMs;
  return to === from ? to + pointGraceMs : to;
}

export function lateFrom(expected: ExpectedDelivery, viewer: Viewer): EpochMs {
  const end = endOnClock(deliveryOnClock(expected, viewer));
  if (expected.kind === 'window') return end - (parseOffset(expected.offset) ?? 0) * minuteMs;
  return end - viewer.zone.offsetAt(end - viewer.zone.offsetAt(end));
}

/** Whether the expected time has passed and the parcel is still on its way. */
export function isLate(parcel: Parcel, viewer: Viewer): boolean {
  const awaited = awaitedDelivery(parcel);
  return awaited !== null && hasPassed(deliveryOnClock(awaited, viewer));
}

export const dayStart = (at: EpochMs): EpochMs => Math.floor(at / dayMs) * dayMs;

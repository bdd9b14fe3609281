import { dayMs, type EpochMs } from '../lib/clock.ts';
import { parseInstant, parseWallTime } from '../lib/date-time.ts';
import type { Checkpoint } from '../service/record.ts';
import type { Stage } from '../service/status.ts';
import { type EventSpan, eventSpan } from '../service/timeline-order.ts';
import type { Parcel, RecordSummary } from './parcel.ts';
import { isClosed, parcelStage, recordStage } from './parcel-stage.ts';

/** Sub-statuses of events that bring a parcel into a stage in which it then stays. */
const arrivals: Readonly<Partial<Record<Stage, RegExp>>> = {
  'out-for-delivery': /^WAITING_DELIVERY_01$/,
  pickup: /^WAITING_DELIVERY_02$/,
  delivered: /^DELIVERED_/,
};

/** Whether an event says nothing about a tour. Any other that is newer than a tour's begin says that this tour has ended. */
const saysOnlyScanned = (subStatus: string | null): boolean => subStatus === null || subStatus === 'IN_TRANSIT_01';

export type ArrivalEvent = Pick<Checkpoint, 'local' | 'subStatus'>;

/** What of a record decides where its parcel stands. */
export type Standing = Pick<RecordSummary, 'transitStatus' | 'transitSubStatus' | 'deliveredTime'>;

/**
 * The event that brought a parcel where its record says that it stands: the begin of its newest tour, the delivery, the
 * arrival at the collection point; scans and reminders after it change nothing. Null where no event says so, and for a
 * parcel that is elsewhere.
 */
export function arrivalAmong<Event extends ArrivalEvent>(
  record: Standing,
  newestFirst: readonly Event[],
): Event | null {
  const stage = recordStage({ record, lastEvent: newestFirst[0] ?? null });
  const arrival = arrivals[stage];
  if (arrival === undefined) return null;
  const isArrival = ({ subStatus }: ArrivalEvent): boolean => arrival.test(subStatus ?? '');
  // A courier that goes out again each morning reports it each time.
  if (stage === 'out-for-delivery') {
    const newest = newestFirst.find(({ subStatus }) => !saysOnlyScanned(subStatus)) ?? null;
    return newest !== null && isArrival(newest) ? newest : null;
  }
  return copiedIn(stage === 'delivered' ? record : {}, newestFirst, isArrival) ?? earliestOfRun(newestFirst, isArrival);
}

/** The delivery of which the record has a copy of the local time. */
function copiedIn<Event extends ArrivalEvent>(
  { deliveredTime }: Pick<Standing, 'deliveredTime'>,
  newestFirst: readonly Event[],
  isArrival: (event: ArrivalEvent) => boolean,
): Event | null {
  const time = parseWallTime(deliveredTime ?? null);
  if (time === null) return null;
  const copied = newestFirst.filter(({ local }) => parseWallTime(local) === time);
  return copied.find(isArrival) ?? copied[0] ?? null;
}

/** Couriers report one arrival in several events; the first of the newest ones was it. */
function earliestOfRun<Event extends ArrivalEvent>(
  newestFirst: readonly Event[],
  isArrival: (event: ArrivalEvent) => boolean,
): Event | null {
  const begin = newestFirst.findIndex(isArrival);
  if (begin === -1) return null;
  const length = newestFirst.slice(begin).findIndex((event) => !isArrival(event));
  return newestFirst[length === -1 ? newestFirst.length - 1 : begin + length - 1] ?? null;
}

/** The part of a parcel that says how it came where it stands. */
interface ArrivalFacts<Event extends ArrivalEvent> {
  readonly lastEvent: Event | null;
  readonly record: (Standing & { readonly arrival?: Event }) | null;
}

/** The event that brought a parcel where it stands: out for delivery, to the collection point, delivered; null when none says so. */
export function arrivalOf<Event extends ArrivalEvent>({ lastEvent, record }: ArrivalFacts<Event>): Event | null {
  if (record === null) return null;
  return record.arrival ?? (lastEvent === null ? null : arrivalAmong(record, [lastEvent]));
}

/** When a parcel was delivered, ISO 8601 UTC; null for one that is not, and when the service did not say. */
export function deliveredAt(parcel: Parcel): string | null {
  return parcelStage(parcel) === 'delivered' ? (arrivalOf(parcel)?.at ?? null) : null;
}

/**
 * When a parcel was delivered on the clock of the place, without a zone: by the delivery, else by what the record says without one.
 * Null for one that is not delivered, and when the service did not say.
 */
export function deliveredLocal(parcel: Parcel): string | null {
  const { lastEvent, record } = parcel;
  if (record === null || parcelStage(parcel) !== 'delivered') return null;
  const told = arrivalOf(parcel)?.local ?? record.deliveredTime;
  return told || (lastEvent === null ? record.lastTrackingTime : null) || null;
}

/**
 * Between which instants a parcel was delivered, for what counts in days: by the delivery, else by its last event, else by when the service
 * said so last. Null for one that is not delivered.
 */
function deliveredBetween(parcel: Parcel): EventSpan | null {
  if (parcelStage(parcel) !== 'delivered') return null;
  const event = arrivalOf(parcel) ?? parcel.lastEvent;
  const checkedAt = parseInstant(parcel.checkedAt);
  const saidAt = checkedAt === null ? null : { earliest: checkedAt, latest: checkedAt };
  return eventSpan(event ?? { at: null, local: deliveredLocal(parcel), offset: null }) ?? saidAt;
}

/** Whole days since a parcel was delivered, at least; null for one that is not, and when nothing says when. */
export function daysSinceDelivery(parcel: Parcel, now: EpochMs): number | null {
  const span = deliveredBetween(parcel);
  return span === null ? null : Math.max(0, Math.floor((now - span.latest) / dayMs));
}

/** Between which instants a closed parcel came to its end: as {@link deliveredBetween}. Null for any other. */
function closedBetween(parcel: Parcel): EventSpan | null {
  if (!isClosed(parcel)) return null;
  const saidAt = parseInstant(parcel.endedAt ?? parcel.checkedAt);
  const event = parcel.lastEvent === null ? null : eventSpan(parcel.lastEvent);
  return event ?? (saidAt === null ? null : { earliest: saidAt, latest: saidAt });
}

/** Whole days since a closed parcel came to its end, at least; null for any other, and when nothing says when. */
export function daysSinceClosing(parcel: Parcel, now: EpochMs): number | null {
  const span = closedBetween(parcel);
  return span === null ? null : Math.max(0, Math.floor((now - span.latest) / dayMs));
}

/** After so many days a parcel is archived by itself; 0 for never. */
export interface ArchiveDays {
  readonly delivered: number;
  readonly closed: number;
}

/**
 * Whether a parcel has been on the board for so many days since its delivery, or since it came to its end otherwise, so that
 * it is archived by itself. Never one that the user has restored since, and none that has just been added: it was added to be
 * looked at.
 */
export function isLongOver(parcel: Parcel, { closed, delivered }: ArchiveDays, now: EpochMs): boolean {
  if (parcel.archivedAt !== null) return false;
  const deliveredSpan = deliveredBetween(parcel);
  const span = deliveredSpan ?? closedBetween(parcel);
  const afterDays = deliveredSpan === null ? closed : delivered;
  if (afterDays <= 0) return false;
  if (span === null || now - Math.max(span.latest, Date.parse(parcel.addedAt)) < afterDays * dayMs) return false;
  return parcel.restoredAt === undefined || Date.parse(parcel.restoredAt) < span.earliest;
}

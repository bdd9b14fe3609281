import { dayMs, type EpochMs } from '../../service/clock/clock.ts';
import { parseInstant } from '../../service/clock/instant.ts';
import { type EventSpan, eventSpan } from '../../service/record/timeline-order.ts';
import { type ArrivalEvent, arrivalAmong, type Standing } from '../merge/arrival.ts';
import type { Parcel } from '../model/parcel.ts';
import { isClosed, parcelStage } from './parcel-stage.ts';

/** The part of a parcel that says how it came where it stands. */
export interface ArrivalFacts<Event extends ArrivalEvent> {
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

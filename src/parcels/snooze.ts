import type { EpochMs } from '../lib/clock.ts';
import type { Parcel } from './parcel.ts';
import { asRead, isoInstant } from './parcel-factory.ts';

/**
 * Whether a parcel is snoozed, either until a given time or until there is news. A snoozed parcel is not counted and does
 * not cause notifications, except for the news that ends the snooze.
 */
export function isSnoozed({ archivedAt, checkpointCount, snoozed, unread }: Parcel, now: EpochMs): boolean {
  if (snoozed === undefined || archivedAt !== null) return false;
  if (snoozed.until !== null) return now < Date.parse(snoozed.until);
  return unread === undefined && checkpointCount === snoozed.events;
}

/**
 * Also marks the parcel as read.
 * @param until null for until the parcel moves
 */
export function snoozeParcel(parcel: Parcel, until: EpochMs | null): Parcel {
  const snoozed = { until: until === null ? null : isoInstant(until), events: parcel.checkpointCount };
  return { ...asRead(parcel), snoozed };
}

/** Also marks the parcel as unread. */
export function unsnoozeParcel(parcel: Parcel, now: EpochMs): Parcel {
  const { snoozed, ...rest } = parcel;
  if (snoozed === undefined) return parcel;
  return { ...rest, unread: rest.unread ?? { since: isoInstant(now), lastRead: rest.lastEvent } };
}

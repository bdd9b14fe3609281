import type { EpochMs } from '../lib/clock.ts';
import type { Parcel } from './parcel.ts';
import { asRead, isoInstant } from './parcel-factory.ts';

/** What decides whether a parcel sleeps. */
export interface Snoozable {
  readonly archivedAt: string | null;
  readonly checkpointCount: number;
  readonly snoozed?: { readonly events: number; readonly until: string | null } | undefined;
  readonly unread?: unknown;
}

/**
 * Whether a parcel sleeps: until a time, or until it has news. A sleeping parcel is not counted and not notified,
 * except for the news that wakes it.
 */
export function isSnoozed({ archivedAt, checkpointCount, snoozed, unread }: Snoozable, now: EpochMs): boolean {
  if (snoozed === undefined || archivedAt !== null) return false;
  if (snoozed.until !== null) return now < Date.parse(snoozed.until);
  return unread === undefined && checkpointCount === snoozed.events;
}

/** @param until null for until it moves */
export function snoozeParcel(parcel: Parcel, until: EpochMs | null): Parcel {
  const snoozed = { until: until === null ? null : isoInstant(until), events: parcel.checkpointCount };
  return { ...asRead(parcel), snoozed };
}

/** Comes back as new. */
export function wakeParcel(parcel: Parcel, now: EpochMs): Parcel {
  const { snoozed, ...awake } = parcel;
  if (snoozed === undefined) return parcel;
  return { ...awake, unread: awake.unread ?? { since: isoInstant(now), lastRead: awake.lastEvent } };
}

import type { EpochMs } from '../../service/clock/clock.ts';
import { parseInstant } from '../../service/clock/instant.ts';
import { parseWallTime } from '../../service/clock/wall-time.ts';
import { isBeingIndexed } from '../../watchlist/model/indexing.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import type { LookName } from './stage-look.ts';

/** What a parcel is drawn as. */
export function parcelLook(parcel: Parcel): LookName {
  if (parcel.archivedAt !== null) return 'archived';
  if (parcel.registration === 'rejected') return 'rejected';
  if (parcel.record === null && (parcel.registration === 'pending' || isBeingIndexed(parcel))) return 'pending';
  return parcelStage(parcel);
}

/** What a parcel is called: its label, else its number. */
export function parcelTitle(parcel: Parcel): string {
  return parcel.label ?? parcel.trackNo;
}

/** The courier as a person reads it: English name, else Chinese name, else code; null while unknown. */
export function courierName(parcel: Parcel): string | null {
  return parcel.record?.courierNameEN ?? parcel.record?.courierNameCN ?? parcel.courierCode;
}

/** When the last event was. */
export interface EventTime {
  readonly at: EpochMs;
  /** False when the zone is unknown or contradictory; `at` can then be up to a day off. */
  readonly certain: boolean;
}

/** The time of a parcel's last event; null when there is none. Without a zone its local time is read as UTC. */
export function lastEventTime(parcel: Parcel): EventTime | null {
  const event = parcel.lastEvent;
  if (event === null) return null;
  const at = instantOf(event.at);
  if (at !== null) return { at, certain: event.certain };
  const wall = parseWallTime(event.local);
  return wall === null ? null : { at: wall, certain: false };
}

/**
 * What orders parcels by their last events. It cannot have happened after the answer that told of it, so that an event with a
 * wrong zone stands above nothing newer. Null when there is none.
 */
export function lastEventRank(parcel: Parcel): EpochMs | null {
  const at = lastEventTime(parcel)?.at ?? null;
  const heardAt = instantOf(parcel.checkedAt);
  return at === null || heardAt === null ? at : Math.min(at, heardAt);
}

/** An ISO 8601 instant as milliseconds; null when missing or unreadable. */
export const instantOf: (iso: string | null) => EpochMs | null = parseInstant;

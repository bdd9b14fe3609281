import type { EpochMs } from '../../service/clock/clock.ts';
import { parseWallTime } from '../../service/clock/service-clock.ts';
import { type CourierNeed, missingNeed } from '../../service/record/courier-needs.ts';
import { stageWords, statusText, subStatusText } from '../../service/record/status.ts';
import { isBeingIndexed } from '../../watchlist/model/indexing.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { eventStatus, parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import type { LookName } from './stage-look.ts';

/** What a parcel is drawn as. */
export function parcelLook(parcel: Parcel): LookName {
  if (parcel.archivedAt !== null) return 'archived';
  if (parcel.registration === 'rejected') return 'rejected';
  if (parcel.record === null && (parcel.registration === 'pending' || isBeingIndexed(parcel))) return 'pending';
  return parcelStage(parcel);
}

const needTexts: Readonly<Record<CourierNeed, string>> = {
  'postal-code': 'Needs a postal code',
  'phone-suffix': 'Needs a phone number',
};

/** What its courier needs to find a parcel that it has not found, and was not given; null when that is not the cause. */
export function needOf(parcel: Parcel): CourierNeed | null {
  if (parcel.record === null && parcel.registration !== 'registered') return null;
  // No courier has been looked at for it.
  if (isBeingIndexed(parcel)) return null;
  return parcelStage(parcel) === 'no-record' ? missingNeed(parcel.courierCode, parcel.extras) : null;
}

/**
 * Where a parcel stands, in words: the record's status; for a rejected parcel the service's own words; for one that is
 * not found what its courier needs to find it.
 */
export function parcelStatusText(parcel: Parcel): string {
  if (parcel.registration === 'rejected') return parcel.error?.message ?? 'Not accepted by the service';
  const need = needOf(parcel);
  if (need !== null) return needTexts[need];
  if (isBeingIndexed(parcel)) return 'Registered, waiting for the first result';
  const subStatus = eventStatus(parcel);
  if (subStatus !== undefined) return subStatusText(subStatus) ?? stageWords.unknown;
  if (parcel.record !== null) return statusText(parcel.record.transitStatus, parcel.record.transitSubStatus);
  return parcel.registration === 'pending' ? 'Waiting for registration' : statusText(null, null);
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

/** An ISO 8601 instant as milliseconds; null when missing or unreadable. */
export function instantOf(iso: string | null): EpochMs | null {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import { deliveredLocal } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isBeingIndexed, shownStage } from '../../parcels/parcel-stage.ts';
import type { ShownState } from '../../parcels/stages.ts';
import { nameOfCourier, shortNameOfCourier } from '../../service/couriers.ts';
import type { Checkpoint } from '../../service/record.ts';
import { type EventSpan, eventSpan } from '../../service/timeline-order.ts';

export function parcelLook(parcel: Parcel): ShownState {
  if (parcel.archivedAt !== null) return 'archived';
  if (parcel.registration === 'rejected') return 'rejected';
  if (parcel.record === null && (parcel.registration === 'pending' || isBeingIndexed(parcel))) return 'pending';
  return shownStage(parcel);
}

/** Returns the parcel's label, or its number if it has none. */
export function parcelTitle(parcel: Parcel): string {
  return parcel.label ?? parcel.trackNo;
}

/** Returns the courier's name (see `nameOfCourier`), or null if it is unknown. */
export function courierName({ courierCode, record }: Pick<Parcel, 'courierCode' | 'record'>): string | null {
  const names = { nameEN: record?.courierNameEN ?? null, nameCN: record?.courierNameCN ?? null };
  return courierCode === null ? (names.nameEN ?? names.nameCN) : nameOfCourier(courierCode, names);
}

/** Returns the courier's short name for rows, or null if it is unknown. */
export function shortCourierName(parcel: Pick<Parcel, 'courierCode' | 'record'>): string | null {
  const name = courierName(parcel);
  return name === null ? null : shortNameOfCourier(name);
}

export type EventTime = EventSpan & Pick<Checkpoint, 'certain'>;

/** Returns the time of the last event, or of the delivery if a delivered parcel has no events. Null if unknown. */
export function lastEventTime(parcel: Parcel): EventTime | null {
  const { lastEvent } = parcel;
  const span = eventSpan(lastEvent ?? { at: null, local: deliveredLocal(parcel), offset: null });
  return span === null ? null : { ...span, certain: lastEvent?.certain === true };
}

/**
 * Returns the sort key of the last event: its earliest possible time, but never later than the response that reported it.
 * Null if unknown.
 */
export function lastEventRank(parcel: Parcel): EpochMs | null {
  const earliest = lastEventTime(parcel)?.earliest ?? null;
  const reportedAt = instantOf(parcel.checkedAt);
  return earliest === null || reportedAt === null ? earliest : Math.min(earliest, reportedAt);
}

/** Parses an ISO 8601 time into epoch milliseconds. Returns null if it is missing or invalid. */
export const instantOf: (iso: string | null) => EpochMs | null = parseInstant;

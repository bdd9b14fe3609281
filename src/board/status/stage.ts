import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import { arrivalOf, deliveredLocal } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isBeingIndexed, shownStage } from '../../parcels/parcel-stage.ts';
import { type ShownState, stageTable } from '../../parcels/stages.ts';
import { nameOfCourier, shortNameOfCourier } from '../../service/couriers.ts';
import { type EventSpan, eventSpan } from '../../service/timeline-order.ts';

/** Whether the status only repeats its stage. */
export const repeatsHeading = (status: string, state: ShownState): boolean => stageTable[state].title === status;

export function parcelLook(parcel: Parcel): ShownState {
  if (parcel.archivedAt !== null) return 'archived';
  if (parcel.registration === 'rejected') return 'rejected';
  if (parcel.record === null && (parcel.registration === 'pending' || isBeingIndexed(parcel))) return 'pending';
  return shownStage(parcel);
}

/** Returns a parcel's label, else its number. */
export function parcelTitle(parcel: Parcel): string {
  return parcel.label ?? parcel.trackNo;
}

/** Returns the courier's name (see `nameOfCourier`), or null if unknown. */
export function courierName({ courierCode, record }: Pick<Parcel, 'courierCode' | 'record'>): string | null {
  const names = { nameEN: record?.courierNameEN ?? null, nameCN: record?.courierNameCN ?? null };
  return courierCode === null ? (names.nameEN ?? names.nameCN) : nameOfCourier(courierCode, names);
}

/** The courier's short name for rows; null if unknown. */
export function shortCourierName(parcel: Pick<Parcel, 'courierCode' | 'record'>): string | null {
  const name = courierName(parcel);
  return name === null ? null : shortNameOfCourier(name);
}

interface EventTime extends EventSpan {
  /** False if the zone is unknown or contradictory. */
  readonly certain: boolean;
}

/** Time of the last event, or of the delivery for a delivered parcel without events. Null if unknown. */
export function lastEventTime(parcel: Parcel): EventTime | null {
  const { lastEvent } = parcel;
  const span = eventSpan(lastEvent ?? { at: null, local: deliveredLocal(parcel), offset: null });
  return span === null ? null : { ...span, certain: lastEvent?.certain === true };
}

/**
 * Sort key of the last event: its earliest possible time, but not after the response that reported it. Null if unknown.
 */
export function lastEventRank(parcel: Parcel): EpochMs | null {
  const earliest = lastEventTime(parcel)?.earliest ?? null;
  const heardAt = instantOf(parcel.checkedAt);
  return earliest === null || heardAt === null ? earliest : Math.min(earliest, heardAt);
}

/** Latest time at which the parcel reached its state. Null if unknown. */
export function arrivedBy(parcel: Parcel): EpochMs | null {
  const event = arrivalOf(parcel);
  return event === null ? null : (eventSpan(event)?.latest ?? null);
}

/** Parses an ISO 8601 time to milliseconds. Null if missing or not valid. */
export const instantOf: (iso: string | null) => EpochMs | null = parseInstant;

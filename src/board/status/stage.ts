import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import { arrivalOf, deliveredLocal } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isBeingIndexed, shownStage } from '../../parcels/parcel-stage.ts';
import { type ShownState, stageTable } from '../../parcels/stages.ts';
import { nameOfCourier } from '../../service/couriers.ts';
import { type EventSpan, eventSpan } from '../../service/timeline-order.ts';

/** Whether a status says no more than the heading of its stage. */
export const repeatsHeading = (status: string, state: ShownState): boolean => stageTable[state].title === status;

export function parcelLook(parcel: Parcel): ShownState {
  if (parcel.archivedAt !== null) return 'archived';
  if (parcel.registration === 'rejected') return 'rejected';
  if (parcel.record === null && (parcel.registration === 'pending' || isBeingIndexed(parcel))) return 'pending';
  return shownStage(parcel);
}

/** What a parcel is called: its label, else its number. */
export function parcelTitle(parcel: Parcel): string {
  return parcel.label ?? parcel.trackNo;
}

/** The courier as a person reads it, see `nameOfCourier`; null while unknown. */
export function courierName({ courierCode, record }: Pick<Parcel, 'courierCode' | 'record'>): string | null {
  const names = { nameEN: record?.courierNameEN ?? null, nameCN: record?.courierNameCN ?? null };
  return courierCode === null ? (names.nameEN ?? names.nameCN) : nameOfCourier(courierCode, names);
}

interface EventTime extends EventSpan {
  /** False when the zone is unknown or contradictory. */
  readonly certain: boolean;
}

/**
 * The time of a parcel's last event; of one that was delivered and has no events, that of its delivery. Null when there is
 * neither, or nothing says when it was.
 */
export function lastEventTime(parcel: Parcel): EventTime | null {
  const { lastEvent } = parcel;
  const span = eventSpan(lastEvent ?? { at: null, local: deliveredLocal(parcel), offset: null });
  return span === null ? null : { ...span, certain: lastEvent?.certain === true };
}

/**
 * What orders parcels by their last events: the earliest instant, so that nothing stands above what may be newer. The event
 * cannot have been after the answer that told of it, whatever its zone. Null when there is none.
 */
export function lastEventRank(parcel: Parcel): EpochMs | null {
  const earliest = lastEventTime(parcel)?.earliest ?? null;
  const heardAt = instantOf(parcel.checkedAt);
  return earliest === null || heardAt === null ? earliest : Math.min(earliest, heardAt);
}

/** The latest instant at which a parcel came where it stands; null when nothing says when. */
export function arrivedBy(parcel: Parcel): EpochMs | null {
  const event = arrivalOf(parcel);
  return event === null ? null : (eventSpan(event)?.latest ?? null);
}

/** An ISO 8601 instant as milliseconds; null when missing or unreadable. */
export const instantOf: (iso: string | null) => EpochMs | null = parseInstant;

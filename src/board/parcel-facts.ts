import { savedAddressOrNull } from '../lib/clean-text.ts';
import type { EpochMs } from '../lib/clock.ts';
import { parseInstant, type Zone } from '../lib/date-time.ts';
import { arrivalOf, deliveredLocal } from '../parcels/delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isBeingIndexed, parcelStage, parcelStatusText, shownStage } from '../parcels/parcel-state.ts';
import type { ShownState } from '../parcels/stages.ts';
import { nameOfCourier, shortNameOfCourier } from '../service/couriers.ts';
import { eventSpan } from '../service/timeline-order.ts';
import { checkpointTime, type EventTime, pastDayName, type TimeMode } from './time.ts';

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

/** Returns the time of the last event, or of the delivery if a delivered parcel has no events. Null if unknown. */
export function lastEventTime(parcel: Parcel): EventTime | null {
  const { lastEvent } = parcel;
  const span = eventSpan(lastEvent ?? { at: null, local: deliveredLocal(parcel), offset: null });
  return span === null ? null : { ...span, certain: lastEvent?.certain === true };
}

/**
 * Returns the sort key of the last event: its earliest possible time, but never later than the response that reported
 * it. Null if unknown.
 */
export function lastEventRank(parcel: Parcel): EpochMs | null {
  const earliest = lastEventTime(parcel)?.earliest ?? null;
  const reportedAt = parseInstant(parcel.checkedAt);
  return earliest === null || reportedAt === null ? earliest : Math.min(earliest, reportedAt);
}

/** Returns the order number that the user entered, or the service's if there isn't one. */
export function orderNoOf({ merchant, record }: Pick<Parcel, 'merchant' | 'record'>): string | null {
  return merchant?.orderNo || record?.orderNo || null;
}

/** Returns the remark that the user entered, or the service's if there isn't one. */
export function remarkOf({ merchant, record }: Pick<Parcel, 'merchant' | 'record'>): string | null {
  return merchant?.remark || record?.remark || null;
}

/** Returns the delivery time on the clock that `mode` selects, or null if unknown or not delivered. */
export function deliveredPhrase(parcel: Parcel, now: EpochMs, zone: Zone, mode: TimeMode = 'event'): string | null {
  const delivery = parcelStage(parcel) === 'delivered' ? arrivalOf(parcel) : null;
  if (delivery === null) {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(deliveredLocal(parcel) ?? '')?.[0];
    return day === undefined ? null : `delivered ${pastDayName(day, now, zone)}`;
  }
  const { clock, date, zoneMark } = checkpointTime(delivery, mode, zone);
  if (date === null) return null;
  return ['delivered', pastDayName(date, now, zone), clock, zoneMark].filter((part) => part).join(' ');
}

export function parcelSummary(parcel: Parcel, mode: TimeMode, viewerZone: Zone): string {
  const { label, lastEvent, trackNo } = parcel;
  const parts = [label, trackNo, courierName(parcel), parcelStatusText(parcel), lastEvent?.address ?? null];
  if (lastEvent !== null) {
    const { clock, date, zoneMark } = checkpointTime(lastEvent, mode, viewerZone);
    parts.push([date, clock, date === null ? '' : zoneMark].filter(Boolean).join(' '));
  }
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

const placeholder = /\{trackingNo\}|%7BtrackingNo%7D/gi;

function fillTrackingLink(link: string | null | undefined, trackNo: string): string | null {
  return link == null ? null : savedAddressOrNull(link.replace(placeholder, () => encodeURIComponent(trackNo)));
}

function trackingLinks({ record, trackNo }: Pick<Parcel, 'record' | 'trackNo'>): readonly string[] {
  const lastMile = record?.lastMile;
  const links = [
    fillTrackingLink(lastMile?.courierTrackingLink, lastMile?.trackNo ?? trackNo),
    fillTrackingLink(record?.courierTrackingLink, trackNo),
  ];
  return links.filter((link) => link !== null);
}

/** Returns the parcel's http(s) page at its current courier, or null if unknown. */
export function trackingLink(parcel: Pick<Parcel, 'record' | 'trackNo'>): string | null {
  return trackingLinks(parcel)[0] ?? null;
}

/** Returns the http(s) home page of the current courier, or of the first one if that is unknown. */
export function courierHomePage({ record }: Pick<Parcel, 'record'>): string | null {
  return savedAddressOrNull(record?.lastMile?.courierHomePage) ?? savedAddressOrNull(record?.courierHomePage);
}

/** Returns the parcel's own http(s) page, or a courier's home page if there isn't one. */
export function courierPage(parcel: Pick<Parcel, 'record' | 'trackNo'>): string | null {
  return courierPages(parcel)[0] ?? null;
}

/** Returns all pages of the parcel, the current courier's first, or a home page if there aren't any. */
export function courierPages(parcel: Pick<Parcel, 'record' | 'trackNo'>): readonly string[] {
  const links = trackingLinks(parcel);
  const home = courierHomePage(parcel);
  return links.length > 0 || home === null ? [...new Set(links)] : [home];
}

import { formatOffset, formatWallTime } from '../../lib/date-time.ts';
import type { WireCheckpoint, WireLastMileInfo, WireLogisticsInfo } from '../../service/wire.ts';
import { type Courier, toWireFields, trackingLink } from '../couriers.ts';
import { isReportedByFirst, isReportedByLocal } from '../journey/journey.ts';
import type { JourneyEvent } from '../journey/places.ts';
import { eventText, type Language } from '../wording.ts';
import { instantOf, type ParcelLife } from './registration.ts';

export interface ReportedParcel extends ParcelLife {
  readonly trackNo: string;
  readonly courier: Courier;
}

const floorToSecond = (at: number): number => Math.floor(at / 1000) * 1000;

function addressOf(courier: Courier, { place }: JourneyEvent): string {
  if (place === null) return '';
  const isInternational = courier.reach === 'world' || courier.reach === 'export';
  return isInternational ? `${place.name}, ${place.country}` : place.name;
}

/** From the hand-over on, events in the destination country use the local courier's wording. */
function eventAuthor({ courier, journey: { lastMile } }: ReportedParcel, event: JourneyEvent, index: number): Courier {
  return lastMile !== null && index >= lastMile.from && event.place?.country === lastMile.courier.country
    ? lastMile.courier
    : courier;
}

export function localTimeOf({ timeline }: ReportedParcel, { position, zone }: JourneyEvent): string {
  return formatWallTime(zone.wallTime(floorToSecond(instantOf(timeline, position))));
}

function buildCheckpoint(
  parcel: ReportedParcel,
  reporter: Courier,
  event: JourneyEvent,
  index: number,
  translation: Language | null,
): WireCheckpoint {
  const at = floorToSecond(instantOf(parcel.timeline, event.position));
  const offset = event.zone.offsetAt(at);
  return {
    address: addressOf(reporter, event),
    eventTime: formatWallTime(at + offset),
    eventTimeZeroUTC: `${formatWallTime(at).replace(' ', 'T')}Z`,
    timezone: formatOffset(offset / 60_000),
    eventDetail: eventText(eventAuthor(parcel, event, index).language, event.kind),
    transitSubStatus: event.subStatus,
    ...(translation === null ? {} : { eventDetailTranslation: eventText(translation, event.kind) }),
  };
}

function logisticsInfo(
  courier: Courier,
  trackNo: string,
  trackingDetails: readonly WireCheckpoint[],
): Required<WireLogisticsInfo> {
  return {
    ...toWireFields(courier),
    courierTrackingLink: trackingLink(courier, trackNo),
    trackingDetails,
  };
}

export function localLogisticsInfo(
  parcel: ReportedParcel,
  events: readonly JourneyEvent[],
  translation: Language | null,
): Required<WireLogisticsInfo> {
  const { courier, trackNo, journey } = parcel;
  const reported = events.flatMap((event, index) =>
    isReportedByFirst(journey.lastMile, event, index, journey.to)
      ? [buildCheckpoint(parcel, courier, event, index, translation)]
      : [],
  );
  return logisticsInfo(courier, trackNo, reported.reverse());
}

/** The field is absent if a single courier delivers the parcel, and has no details before the hand-over. */
export function lastMileInfo(
  parcel: ReportedParcel,
  events: readonly JourneyEvent[],
  translation: Language | null,
): { readonly lastMileInfo?: WireLastMileInfo } {
  const { lastMile, to } = parcel.journey;
  if (lastMile === null) return {};
  const { courier, trackNo } = lastMile;
  const reported = events.flatMap((event, index) =>
    isReportedByLocal(lastMile, event, index, to) ? [buildCheckpoint(parcel, courier, event, index, translation)] : [],
  );
  return {
    lastMileInfo:
      reported.length === 0
        ? { lmTrackNo: null, openApiWayBillInfo: { trackingDetails: [] } }
        : { lmTrackNo: trackNo, openApiWayBillInfo: logisticsInfo(courier, trackNo, reported.reverse()) },
  };
}

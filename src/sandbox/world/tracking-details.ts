import { formatOffset, formatWallTime } from '../../lib/date-time.ts';
import type { WireCheckpoint, WireLastMileInfo, WireLogisticsInfo } from '../../service/wire.ts';
import { type Courier, trackingLink, wireFieldsOf } from '../couriers.ts';
import { isReportedByFirst, isReportedByLocal } from '../journey/journey.ts';
import type { JourneyEvent } from '../journey/places.ts';
import { eventText, type Language } from '../wording.ts';
import { instantOf, type ParcelLife } from './parcel-lives.ts';

export interface ReportedParcel extends ParcelLife {
  readonly trackNo: string;
  readonly courier: Courier;
}

const wholeSeconds = (at: number): number => Math.floor(at / 1000) * 1000;

function addressOf(courier: Courier, { place }: JourneyEvent): string {
  if (place === null) return '';
  const isInternational = courier.reach === 'world' || courier.reach === 'export';
  return isInternational ? `${place.name}, ${place.country}` : place.name;
}

/** The courier in whose words an event is reported: from the hand-over on the local one's, whoever passes them on. */
function authorOf({ courier, journey: { lastMile } }: ReportedParcel, event: JourneyEvent, index: number): Courier {
  return lastMile !== null && index >= lastMile.from && event.place?.country === lastMile.courier.country
    ? lastMile.courier
    : courier;
}

/** When an event was, on the clock of its place. */
export function localTimeOf({ timeline }: ReportedParcel, { position, zone }: JourneyEvent): string {
  return formatWallTime(zone.wallTime(wholeSeconds(instantOf(timeline, position))));
}

/** One event of a parcel, as `teller` lists it; with a translation where a language is given. */
function checkpointOf(
  parcel: ReportedParcel,
  teller: Courier,
  event: JourneyEvent,
  index: number,
  translation: Language | null,
): WireCheckpoint {
  const at = wholeSeconds(instantOf(parcel.timeline, event.position));
  const offset = event.zone.offsetAt(at);
  return {
    address: addressOf(teller, event),
    eventTime: formatWallTime(at + offset),
    eventTimeZeroUTC: `${formatWallTime(at).replace(' ', 'T')}Z`,
    timezone: formatOffset(offset / 60_000),
    eventDetail: eventText(authorOf(parcel, event, index).language, event.kind),
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
    ...wireFieldsOf(courier),
    courierTrackingLink: trackingLink(courier, trackNo),
    trackingDetails,
  };
}

/** What the first courier reports; after a hand-over it hears of nothing more. */
export function localLogisticsInfo(
  parcel: ReportedParcel,
  events: readonly JourneyEvent[],
  translation: Language | null,
): Required<WireLogisticsInfo> {
  const { courier, trackNo, journey } = parcel;
  const reported = events.flatMap((event, index) =>
    isReportedByFirst(journey.lastMile, event, index, journey.to)
      ? [checkpointOf(parcel, courier, event, index, translation)]
      : [],
  );
  return logisticsInfo(courier, trackNo, reported.reverse());
}

/**
 * What the local courier reports of a parcel that crosses a border: nothing before the hand-over, and then first what
 * the other one reports as well. Absent for a parcel that one courier carries all the way.
 */
export function lastMileInfo(
  parcel: ReportedParcel,
  events: readonly JourneyEvent[],
  translation: Language | null,
): { readonly lastMileInfo?: WireLastMileInfo } {
  const { lastMile, to } = parcel.journey;
  if (lastMile === null) return {};
  const { courier, trackNo } = lastMile;
  const reported = events.flatMap((event, index) =>
    isReportedByLocal(lastMile, event, index, to) ? [checkpointOf(parcel, courier, event, index, translation)] : [],
  );
  return {
    lastMileInfo:
      reported.length === 0
        ? { lmTrackNo: null, openApiWayBillInfo: { trackingDetails: [] } }
        : { lmTrackNo: trackNo, openApiWayBillInfo: logisticsInfo(courier, trackNo, reported.reverse()) },
  };
}

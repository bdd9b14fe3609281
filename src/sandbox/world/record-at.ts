import type { EpochMs } from '../../service/clock.ts';
import { assumedServiceClock, formatOffset, formatServiceTime, formatWallTime } from '../../service/service-clock.ts';
import type { WireCheckpoint, WireLogisticsInfo, WireRecord } from '../../service/wire.ts';
import { trackingLink } from '../data/couriers.ts';
import { eventText } from '../data/wording/languages.ts';
import { dayMs, type JourneyEvent, type RecordStatus } from '../journey/journey.ts';
import type { ZoneOffsets } from '../zone-offsets.ts';
import { firstGoodLookup, isTroubled, lastGoodLookup, lastLookup, lookupAt } from './lookups.ts';
import type { Registration } from './registration.ts';
import { instantOf, positionAt } from './timeline.ts';

/** Codes of `trackingStatus` (interface section 2.2; meanings from the vendor's older pages). */
const lookupWorked = '001';
const courierKnowsNothing = '002';
const cachedData = '005';

const serviceTime = (at: EpochMs): string => formatServiceTime(at, assumedServiceClock);
const wholeSeconds = (at: EpochMs): EpochMs => Math.floor(at / 1000) * 1000;

function addressOf(registration: Registration, event: JourneyEvent): string {
  if (event.place === null) return '';
  const { reach } = registration.courier;
  return reach === 'world' || reach === 'export' ? `${event.place.name}, ${event.place.country}` : event.place.name;
}

function checkpointOf(registration: Registration, event: JourneyEvent, zoneOffsets: ZoneOffsets): WireCheckpoint {
  const at = wholeSeconds(instantOf(registration.timeline, event.position));
  const offsetMinutes = zoneOffsets(event.zone, at);
  return {
    address: addressOf(registration, event),
    eventTime: formatWallTime(at + offsetMinutes * 60_000),
    eventTimeZeroUTC: new Date(at).toISOString().replace('.000Z', 'Z'),
    timezone: formatOffset(offsetMinutes),
    eventDetail: eventText(registration.courier.language, event.kind),
    transitSubStatus: event.subStatus,
  };
}

function logisticsInfo(registration: Registration, trackingDetails: readonly WireCheckpoint[]): WireLogisticsInfo {
  const { courier, trackNo } = registration;
  return {
    courierCode: courier.code,
    courierNameCN: courier.nameCN,
    courierNameEN: courier.nameEN,
    courierHomePage: courier.homePage,
    courierTrackingLink: trackingLink(courier, trackNo),
    trackingDetails,
  };
}

const wholeDays = (fromPosition: number, toPosition: number): number =>
  Math.max(0, Math.floor((toPosition - fromPosition) / dayMs));

/** Which lookup the record shows, how that lookup went, and when the next one is due. */
interface LookupView {
  readonly shownAt: EpochMs;
  readonly nextAt: EpochMs;
  readonly troubled: boolean;
}

function viewAt(registration: Registration, now: EpochMs): LookupView | null {
  const { lookups, timeline, journey } = registration;
  const latest = lastLookup(lookups, now);
  if (latest < 0) return null;
  const final = registration.hasNeededExtra
    ? firstGoodLookup(lookups, instantOf(timeline, journey.endsAt))
    : Number.POSITIVE_INFINITY;
  if (latest >= final) {
    // A finished record keeps the time of its last lookup, as records of the public service do.
    const endedAt = lookupAt(lookups, final);
    return { shownAt: endedAt, nextAt: endedAt, troubled: false };
  }
  return {
    shownAt: lookupAt(lookups, lastGoodLookup(lookups, latest)),
    nextAt: lookupAt(lookups, latest + 1),
    troubled: isTroubled(lookups, latest),
  };
}

function statusAt(registration: Registration, newest: JourneyEvent | undefined, position: number): RecordStatus {
  const { expiresAt } = registration.journey;
  if (registration.hasNeededExtra && expiresAt !== null && position >= expiresAt) return { core: 'EXPIRED', sub: null };
  return newest?.recordStatus ?? { core: 'NO_RECORD', sub: null };
}

/**
 * The record of a registered number (interface section 2.2) as the service would answer it at `now`. It follows from
 * the registration and the time alone; between two lookups it stays the same, and its history only grows.
 * `transitDays` and `stayDays` count days of the parcel's life.
 */
export function recordAt(registration: Registration, now: EpochMs, zoneOffsets: ZoneOffsets): WireRecord {
  const { id, trackNo, registeredAt, journey, timeline } = registration;
  const identity = { id, trackNo, createTime: serviceTime(registeredAt) };
  const view = viewAt(registration, now);
  if (view === null) {
    return {
      ...identity,
      nextUpdateTime: null,
      trackingStatus: lookupWorked,
      transitStatus: 'INIT',
      localLogisticsInfo: logisticsInfo(registration, []),
    };
  }
  const seen = registration.hasNeededExtra
    ? journey.events.filter((event) => instantOf(timeline, event.position) <= view.shownAt)
    : [];
  const position = positionAt(timeline, view.shownAt);
  const newest = seen.at(-1);
  const status = statusAt(registration, newest, position);
  const looked = { ...identity, nextUpdateTime: serviceTime(view.nextAt) };
  if (newest === undefined) {
    return {
      ...looked,
      trackingStatus: view.troubled ? cachedData : courierKnowsNothing,
      transitStatus: status.core,
      localLogisticsInfo: logisticsInfo(registration, []),
    };
  }
  const trackingDetails = seen.map((event) => checkpointOf(registration, event, zoneOffsets)).reverse();
  const receivedIndex = seen.findIndex((event) => event.kind === 'picked-up');
  const received = seen[receivedIndex];
  return {
    ...looked,
    shipFrom: journey.from,
    shipTo: journey.to,
    trackingStatus: view.troubled ? cachedData : lookupWorked,
    transitStatus: status.core,
    transitSubStatus: status.sub,
    receiptTime: receivedIndex < 0 ? null : (trackingDetails.at(-1 - receivedIndex)?.eventTime ?? null),
    lastTrackingTime: trackingDetails[0]?.eventTime ?? null,
    transitDays: received === undefined ? null : wholeDays(received.position, position),
    stayDays: wholeDays(newest.position, position),
    localLogisticsInfo: logisticsInfo(registration, trackingDetails),
    shipmentType: journey.shipmentType,
  };
}

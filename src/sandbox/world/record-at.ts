import { dayMs, type EpochMs, hourMs } from '../../lib/clock.ts';
import { formatOffset, formatWallTime } from '../../lib/date-time.ts';
import type { MerchantFields } from '../../service/port.ts';
import { assumedServiceClock, formatServiceTime } from '../../service/service-clock.ts';
import type { WireExtraInfo, WireInstantRecord, WireRecord } from '../../service/wire.ts';
import type { JourneyEvent, RecordStatus } from '../journey/places.ts';
import { hashText, pick, randomBetween, seededRandom } from '../seeded-random.ts';
import type { Language } from '../wording.ts';
import {
  firstGoodLookup,
  type LookupProblem,
  lastGoodLookup,
  lastLookup,
  lookupAt,
  plannedAt,
  problemAt,
} from './lookups.ts';
import { instantOf, type ParcelLife, type Registration } from './registration.ts';
import { lastMileInfo, localLogisticsInfo, localTimeOf, type ReportedParcel } from './tracking-details.ts';

interface Snapshot {
  readonly at: EpochMs;
  /** Oldest first. */
  readonly events: readonly JourneyEvent[];
  readonly status: RecordStatus;
}

interface RecordView {
  readonly snapshot: Snapshot;
  /** Planned time of the next lookup or, after the end of the journey, the time of the last one. */
  readonly nextAt: EpochMs;
  /** Why the newest lookup failed, or null. If it failed, the snapshot is an older one. */
  readonly problem: LookupProblem | null;
  readonly isFinal: boolean;
}

/** The snapshot is empty if the courier lacks the information that it needs. */
function snapshotAt({ journey, timeline }: ParcelLife, at: EpochMs, hasNeededExtra: boolean): Snapshot {
  if (!hasNeededExtra) return { at, events: [], status: { core: 'NO_RECORD', sub: null } };
  const { expiresAt } = journey;
  const events = journey.events.filter((event) => instantOf(timeline, event.position) <= at);
  const status =
    expiresAt !== null && instantOf(timeline, expiresAt) <= at
      ? { core: 'EXPIRED', sub: null }
      : (events.at(-1)?.recordStatus ?? { core: 'NO_RECORD', sub: null });
  return { at, events, status };
}

/** Returns the index of the first lookup that shows what happened at `at`, or infinity if none ever will. */
function firstLookupShowing({ lookups, extraKnownSince }: Registration, at: EpochMs): number {
  return extraKnownSince === null ? Number.POSITIVE_INFINITY : firstGoodLookup(lookups, Math.max(at, extraKnownSince));
}

/** Returns null before the first lookup. */
export function viewAt(registration: Registration, now: EpochMs): RecordView | null {
  const { extraKnownSince, lookups, timeline, journey } = registration;
  const latest = lastLookup(lookups, now);
  if (latest < 0) return null;
  const final = firstLookupShowing(registration, instantOf(timeline, journey.endsAt));
  // As in the public service, a finished record keeps the time of its last lookup.
  const isFinal = latest >= final;
  const shownAt = lookupAt(lookups, isFinal ? final : lastGoodLookup(lookups, latest));
  return {
    snapshot: snapshotAt(registration, shownAt, extraKnownSince !== null && extraKnownSince <= shownAt),
    nextAt: isFinal ? shownAt : plannedAt(lookups, latest + 1),
    problem: isFinal ? null : problemAt(lookups, latest),
    isFinal,
  };
}

/** Returns when the status or the events change next, or null if they never do. */
export function nextChangeAt(registration: Registration, now: EpochMs): EpochMs | null {
  const { lookups, timeline, journey, extraKnownSince } = registration;
  const view = viewAt(registration, now);
  if (view === null) return lookups.firstAt;
  if (extraKnownSince === null) return null;
  const { snapshot } = view;
  const unseen = journey.events[snapshot.events.length]?.position;
  const expiry = snapshot.status.core === 'EXPIRED' ? null : journey.expiresAt;
  const position = unseen ?? expiry;
  return position === null ? null : lookupAt(lookups, firstLookupShowing(registration, instantOf(timeline, position)));
}

export function fingerprintAt(registration: Registration, now: EpochMs): string {
  const view = viewAt(registration, now);
  if (view === null) return 'INIT';
  const { events, status } = view.snapshot;
  return [registration.courier.code, status.core, status.sub, events.length].join('/');
}

const signatures = ['J. SMITH', 'A. MÜLLER', 'M. GARCÍA', 'K. TANAKA', 'L. ROSSI', 'FRONT DESK', 'P. NOWAK'] as const;
const serviceCodes = ['EXP', 'STD', 'ECO', 'PRI', 'D2D'] as const;

/** In journey time. */
const tourMs = 9 * hourMs;

/** Returns an empty object before pick-up. The units are an assumption. */
function extraInfo(
  { trackNo }: ReportedParcel,
  events: readonly JourneyEvent[],
): { readonly extraInfo?: WireExtraInfo } {
  if (!events.some(({ kind }) => kind === 'picked-up')) return {};
  const random = seededRandom(0, `shipment:${trackNo.toUpperCase()}`);
  const side = (): number => Math.round(randomBetween(random, 8, 60));
  const details = {
    pieces: random() < 0.9 ? 1 : 2,
    serviceCode: pick(random, serviceCodes),
    dimensions: `${side()}x${side()}x${side()} cm`,
    weight: `${randomBetween(random, 0.1, 12).toFixed(2)} kg`,
  };
  const signedBy = pick(random, signatures);
  const isSigned = events.some(({ kind }) => kind === 'signed' || kind === 'left-with-neighbour');
  return { extraInfo: isSigned ? { ...details, signedBy } : details };
}

/** For half of the parcels, the first delivery tour is forecast after pick-up. */
function expectedDelivery(
  { trackNo, journey, timeline }: ReportedParcel,
  events: readonly JourneyEvent[],
): Pick<WireRecord, 'expectedDelivery' | 'expectedDeliveryTime'> {
  const tour = journey.events.find(({ kind }) => kind === 'out-for-delivery');
  const hasForecast = hashText(`expected:${trackNo.toUpperCase()}`) % 2 === 0;
  if (tour === undefined || !hasForecast || !events.some(({ kind }) => kind === 'picked-up')) return {};
  const from = instantOf(timeline, tour.position);
  const offsetMs = tour.zone.offsetAt(from);
  const local = (position: number): string => formatWallTime(instantOf(timeline, position) + offsetMs);
  const start = local(tour.position);
  return {
    expectedDelivery: start.slice(0, 10),
    expectedDeliveryTime: { start, end: local(tour.position + tourMs), timezone: formatOffset(offsetMs / 60_000) },
  };
}

const serviceTime = (at: EpochMs): string => formatServiceTime(at, assumedServiceClock);

/** See `service/README.md`, "Statuses". */
function trackingStatusOf(problem: LookupProblem | null, hasData: boolean): string {
  switch (problem) {
    case null:
      return hasData ? '001' : '002';
    case 'site':
      return hasData ? '005' : '003';
    case 'processing':
      return hasData ? '006' : '004';
  }
}

const wholeDays = (from: EpochMs, to: EpochMs): number => Math.max(0, Math.floor((to - from) / dayMs));

/** Days are real days at any speed, to match the times of events. */
function milestones(
  parcel: ReportedParcel,
  { at, events }: Snapshot,
): Pick<
  WireRecord,
  'orderTime' | 'receiptTime' | 'deliveredTime' | 'lastTrackingTime' | 'transitDays' | 'stayDays' | 'deliveredDays'
> {
  const timeOf = (index: number): string | null => {
    const event = events[index];
    return event === undefined ? null : localTimeOf(parcel, event);
  };
  const receivedIndex = events.findIndex(({ kind }) => kind === 'picked-up');
  const deliveredIndex = events.findLastIndex(({ subStatus }) => subStatus.startsWith('DELIVERED_'));
  const instant = (event: JourneyEvent | undefined): EpochMs | null =>
    event === undefined ? null : instantOf(parcel.timeline, event.position);
  const received = instant(events[receivedIndex]);
  const delivered = instant(events[deliveredIndex]);
  const newest = instant(events.at(-1));
  return {
    orderTime: timeOf(events.findIndex(({ kind }) => kind === 'announced')),
    receiptTime: timeOf(receivedIndex),
    deliveredTime: timeOf(deliveredIndex),
    lastTrackingTime: timeOf(events.length - 1),
    transitDays: received === null ? null : wholeDays(received, delivered ?? at),
    stayDays: newest === null ? null : wholeDays(newest, at),
    deliveredDays: received === null || delivered === null ? null : wholeDays(received, delivered),
  };
}

/**
 * The public service shows an unknown parcel as a failed lookup or, in one captured response, as a successful lookup
 * without events. When it does which is not known; here it depends on the number.
 */
const isShownAsGoodLookup = (trackNo: string): boolean => hashText(`nothing:${trackNo.toUpperCase()}`) % 2 === 0;

function buildRecord(
  parcel: ReportedParcel,
  snapshot: Snapshot,
  problem: LookupProblem | null,
  translation: Language | null,
): WireInstantRecord {
  const { events, status } = snapshot;
  const { journey, trackNo } = parcel;
  const hasData = events.length > 0;
  if (status.core === 'NO_RECORD' && problem === null && isShownAsGoodLookup(trackNo)) {
    const { trackingDetails: _none, ...courier } = localLogisticsInfo(parcel, [], translation);
    return { trackNo, trackingStatus: '001', transitStatus: status.core, localLogisticsInfo: courier };
  }
  const headline = {
    trackNo,
    trackingStatus: trackingStatusOf(problem, hasData),
    transitStatus: status.core,
    localLogisticsInfo: localLogisticsInfo(parcel, events, translation),
  };
  if (!hasData) return headline;
  return {
    ...headline,
    shipFrom: journey.from,
    shipTo: journey.to,
    transitSubStatus: status.sub,
    ...milestones(parcel, snapshot),
    shipmentType: journey.shipmentType,
    ...expectedDelivery(parcel, events),
    ...extraInfo(parcel, events),
    ...lastMileInfo(parcel, events, translation),
  };
}

/** The public service returns an empty string if there is no order number or email address. */
function merchantFields({ country: _destination, ...merchant }: MerchantFields): Partial<WireRecord> {
  return { orderNo: '', customerEmail: '', ...merchant };
}

/**
 * The result depends only on the registration and the time. The record does not change between two lookups, and later
 * lookups only add events.
 */
export function recordAt(registration: Registration, now: EpochMs): WireRecord {
  const { id, trackNo, registeredAt, merchant } = registration;
  const identity = { id, trackNo, createTime: serviceTime(registeredAt), ...merchantFields(merchant) };
  const view = viewAt(registration, now);
  if (view === null) {
    return {
      ...identity,
      nextUpdateTime: null,
      trackingStatus: trackingStatusOf(null, true),
      transitStatus: 'INIT',
      localLogisticsInfo: localLogisticsInfo(registration, [], null),
    };
  }
  return {
    ...identity,
    nextUpdateTime: serviceTime(view.nextAt),
    ...buildRecord(registration, view.snapshot, view.problem, null),
  };
}

/**
 * Returns the response of instant tracking: the record without account data. It has no events if the courier needs more
 * information.
 */
export function instantRecordAt(
  parcel: ReportedParcel,
  now: EpochMs,
  hasNeededExtra: boolean,
  language: Language | null,
): WireInstantRecord {
  return buildRecord(parcel, snapshotAt(parcel, now, hasNeededExtra), null, language);
}

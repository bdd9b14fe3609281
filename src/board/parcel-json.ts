import type { EpochMs } from '../lib/clock.ts';
import { formatOffset, parseInstant } from '../lib/date-time.ts';
import type { Aspect, Change } from '../parcels/change.ts';
import { arrivalOf, awaitedDelivery, deliveredLocal } from '../parcels/delivery.ts';
import type { Parcel, ParcelError, ParcelHistory } from '../parcels/parcel.ts';
import { isClosed, parcelStage, parcelState, parcelStatusText, staleReason } from '../parcels/parcel-state.ts';
import { daysWithoutMovement, forecastShare } from '../parcels/usual-times.ts';
import type { Checkpoint, ExpectedDelivery, LastMile } from '../service/record.ts';
import { parseServiceTime, type ServiceClock, serviceOffset } from '../service/service-clock.ts';
import type {
  AspectJson,
  ChangeJson,
  CheckpointJson,
  ExpectedJson,
  ListJson,
  ParcelJson,
  ShowJson,
  WatchJson,
} from './json-schemas.ts';
import { courierHomePage, orderNoOf, remarkOf, trackingLink } from './parcel-facts.ts';
import type { ForecastDays, Forecasts } from './status/forecast.ts';
import { dateText } from './time.ts';

export interface JsonContext {
  readonly serviceClock: ServiceClock;
  readonly now: EpochMs;
  /** Whether the user paused automatic checks. If so, there is no next check. */
  readonly isPaused: boolean;
  /** Absent to leave out forecasts. */
  readonly forecast?: Forecasts;
}

/** Formats an instant as ISO 8601 in UTC with Z. Leaves out milliseconds if they are zero. */
export function formatInstant(at: EpochMs): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** Returns a parcel as `--json` prints it, which does not include the postal code and phone digits. */
export function parcelJson(parcel: Parcel, context: JsonContext): ParcelJson {
  const { serviceClock, now, isPaused, forecast } = context;
  const record = parcel.record;
  const nextUpdateAt = parseServiceTime(record?.nextUpdateTime ?? null, serviceClock);
  return {
    trackNo: parcel.trackNo,
    courierCode: parcel.courierCode,
    courierName: record?.courierNameEN ?? record?.courierNameCN ?? null,
    label: parcel.label,
    note: parcel.note || null,
    tags: parcel.tags,
    state: parcelState(parcel),
    stage: parcelStage(parcel),
    status: record?.transitStatus ?? null,
    subStatus: record?.transitSubStatus ?? null,
    statusText: parcelStatusText(parcel),
    shipFrom: record?.shipFrom ?? null,
    shipTo: record?.shipTo ?? null,
    transitDays: record?.transitDays ?? null,
    stayDays: daysWithoutMovement(parcel, now),
    shipmentType: record?.shipmentType ?? null,
    expectedDelivery: expectedJson(awaitedDelivery(parcel)),
    deliveredAt: deliveredText(parcel),
    signedBy: record?.signedBy || null,
    trackingLink: trackingLink(parcel),
    courierHomePage: courierHomePage(parcel),
    orderNo: orderNoOf(parcel),
    remark: remarkOf(parcel),
    lastMile: record?.lastMile === undefined ? null : lastMileJson(record.lastMile),
    lastEvent: parcel.lastEvent === null ? null : checkpointJson(parcel.lastEvent),
    checkpointCount: parcel.checkpointCount,
    nextUpdateAt: nextUpdateAt === null ? null : formatInstant(nextUpdateAt),
    nextPollAt: isPaused ? null : parcel.nextPollAt,
    checkedAt: parcel.checkedAt,
    stale: staleReason(parcel, now) !== null,
    error: parcel.error === null ? null : errorJson(parcel.error),
    unread: parcel.unread !== undefined,
    changedAt: parcel.changedAt ?? null,
    deliveredLocal: deliveredLocal(parcel),
    closed: isClosed(parcel),
    forecast: forecastJson(forecast?.(parcel) ?? null),
  };
}

export function listJson(parcels: readonly Parcel[], baseUrl: URL | null, context: JsonContext): ListJson {
  const { serviceClock, now } = context;
  return {
    version: 1,
    generatedAt: formatInstant(now),
    service: {
      baseUrl: baseUrl === null ? null : baseUrl.href.replace(/\/$/, ''),
      clock: { offset: formatOffset(serviceOffset(serviceClock, now)), source: serviceClock.source },
    },
    parcels: parcels.map((parcel) => parcelJson(parcel, context)),
  };
}

export function showJson(parcel: Parcel, history: ParcelHistory, context: JsonContext): ShowJson {
  return {
    ...parcelJson(parcel, context),
    checkpoints: history.checkpoints.map(checkpointJson),
    record: history.received,
  };
}

function checkpointJson(checkpoint: Checkpoint): CheckpointJson {
  const { at, local, offset, certain, address, detail, subStatus, future } = checkpoint;
  const { translation = null, courierCode = null, courierName = null } = checkpoint;
  const event = { at, local, offset, certain, address, detail, subStatus, translation, courierCode, courierName };
  return future === true ? { ...event, future } : event;
}

function expectedJson(expected: ExpectedDelivery | null): ExpectedJson | null {
  if (expected === null) return null;
  return expected.kind === 'day'
    ? { from: expected.date, to: expected.until ?? expected.date }
    : { from: expected.from, to: expected.to };
}

function forecastJson(days: ForecastDays | null): ParcelJson['forecast'] {
  return days === null ? null : { from: dateText(days.from), to: dateText(days.to), share: forecastShare };
}

function deliveredText(parcel: Parcel): string | null {
  const at = parcelStage(parcel) === 'delivered' ? parseInstant(arrivalOf(parcel)?.at) : null;
  return at === null ? null : formatInstant(at);
}

function lastMileJson({ trackNo, courierCode, courierName }: LastMile): LastMile {
  return { trackNo, courierCode, courierName };
}

function errorJson({ kind, code, message, traceId }: ParcelError): ParcelError {
  return { kind, code, message, traceId };
}

/** Returns a line of the change log as `changes --json` prints it, with only the documented fields. */
export function changeJson(change: Change): ChangeJson {
  const { at, courierCode, from, label, message, noticedAt, seq, to, trackNo } = change;
  return {
    version: 1,
    seq,
    at,
    noticedAt,
    change: change.change,
    trackNo,
    courierCode,
    label,
    from: aspectJson(from),
    to: aspectJson(to),
    message,
    text: `${label ?? trackNo}: ${message}`,
  };
}

/** Returns a line of the change log as `watch --json` prints it, including the parcel. */
export function watchJson(change: Change, parcel: Parcel, context: JsonContext): WatchJson {
  return { ...changeJson(change), parcel: parcelJson(parcel, context) };
}

function aspectJson(aspect: Aspect | null): AspectJson | null {
  if (aspect === null) return null;
  const { courierCode, error, lastEvent, stage, state, status, subStatus } = aspect;
  return {
    state,
    stage,
    status,
    subStatus,
    courierCode,
    lastEvent: lastEvent && eventJson(lastEvent),
    error: error && errorJson(error),
  };
}

function eventJson(event: NonNullable<Aspect['lastEvent']>): NonNullable<AspectJson['lastEvent']> {
  const { address, at, certain, detail, local, offset, subStatus } = event;
  return { at, local, offset, certain, address, detail, subStatus };
}

import { trackingLink } from '../../board/courier/courier-page.ts';
import { awaitedDelivery } from '../../board/status/awaited-delivery.ts';
import { daysWithoutMovement, deliveredAt } from '../../board/status/standing.ts';
import { instantOf, parcelStatusText } from '../../board/status/view-stage.ts';
import { orderNoOf, remarkOf } from '../../board/timeline/merchant-notes.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { formatOffset, parseServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { ExpectedDelivery } from '../../service/record/expected-delivery.ts';
import type { Checkpoint, LastMile } from '../../service/record/record.ts';
import type { Stage } from '../../service/record/status.ts';
import { webAddressOrNull } from '../../service/text/clean-text.ts';
import type { JsonObject } from '../../service/text/json.ts';
import type { Parcel, ParcelError, ParcelHistory } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { isStale } from '../../watchlist/rules/staleness.ts';

/** Where a parcel stands between the user, us and the service. */
export type ParcelState = 'pending' | 'watching' | 'rejected' | 'archived';

/** A checkpoint as `--json` prints it. */
export interface CheckpointJson extends Omit<Checkpoint, 'repeats' | 'translation'> {
  /** `detail` in the language that was asked for; null without a translation. */
  readonly translation: string | null;
}

/** When a delivery is expected: instants (ISO 8601 UTC) when times were told, else days, `YYYY-MM-DD`. */
export interface ExpectedJson {
  readonly from: string;
  /** Null when only a begin was told. */
  readonly to: string | null;
}

/** A parcel as `--json` prints it. Absent values are null, instants are ISO 8601 UTC. */
export interface ParcelJson {
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly courierName: string | null;
  readonly label: string | null;
  readonly tags: readonly string[];
  readonly state: ParcelState;
  readonly stage: Stage;
  readonly status: string | null;
  readonly subStatus: string | null;
  readonly statusText: string;
  readonly shipFrom: string | null;
  readonly shipTo: string | null;
  readonly transitDays: number | null;
  /** Whole days since the newest event; null for a parcel that is delivered, has expired or is archived. */
  readonly stayDays: number | null;
  readonly shipmentType: string | null;
  /** Null for a parcel that is not awaited any more. */
  readonly expectedDelivery: ExpectedJson | null;
  readonly deliveredAt: string | null;
  readonly signedBy: string | null;
  /** The courier's page about this parcel. */
  readonly trackingLink: string | null;
  readonly courierHomePage: string | null;
  readonly orderNo: string | null;
  readonly remark: string | null;
  readonly lastMile: LastMile | null;
  readonly lastEvent: CheckpointJson | null;
  readonly checkpointCount: number;
  readonly nextUpdateAt: string | null;
  readonly nextPollAt: string | null;
  readonly checkedAt: string | null;
  /** The due time was missed by more than 15 minutes, the last try failed, or the service could not look at the courier's. */
  readonly stale: boolean;
  readonly error: ParcelError | null;
}

/** What a parcel in JSON depends on besides the parcel. */
export interface JsonCircumstances {
  readonly serviceClock: ServiceClock;
  readonly now: EpochMs;
  /** True while nothing is asked by itself because the user said so: no time of a next question is known then. */
  readonly isPaused: boolean;
}

/** What `list --json` prints. */
export interface ListJson {
  readonly version: 1;
  readonly generatedAt: string;
  readonly service: {
    readonly baseUrl: string | null;
    readonly clock: { readonly offset: string; readonly source: ServiceClock['source'] };
  };
  readonly parcels: readonly ParcelJson[];
}

/** What `show --json` prints. */
export interface ShowJson extends ParcelJson {
  /** Newest first. */
  readonly checkpoints: readonly CheckpointJson[];
  /** The record as received; null before the first. */
  readonly record: JsonObject | null;
}

/** Writes an instant as ISO 8601 UTC with Z, without empty milliseconds. */
export function formatInstant(at: EpochMs): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** The parcel's state; an archived one is archived whatever its registration. */
export function parcelState(parcel: Parcel): ParcelState {
  if (parcel.archivedAt !== null) return 'archived';
  return parcel.registration === 'registered' ? 'watching' : parcel.registration;
}

/** A parcel in the shape of `--json`. Extras (postal code, phone) are left out on purpose. */
export function parcelJson(parcel: Parcel, { serviceClock, now, isPaused }: JsonCircumstances): ParcelJson {
  const record = parcel.record;
  const nextUpdateAt = parseServiceTime(record?.nextUpdateTime ?? null, serviceClock);
  return {
    trackNo: parcel.trackNo,
    courierCode: parcel.courierCode,
    courierName: record?.courierNameEN ?? record?.courierNameCN ?? null,
    label: parcel.label,
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
    courierHomePage: webAddressOrNull(record?.courierHomePage),
    orderNo: orderNoOf(parcel),
    remark: remarkOf(parcel),
    lastMile: record?.lastMile === undefined ? null : lastMileJson(record.lastMile),
    lastEvent: parcel.lastEvent === null ? null : checkpointJson(parcel.lastEvent),
    checkpointCount: parcel.checkpointCount,
    nextUpdateAt: nextUpdateAt === null ? null : formatInstant(nextUpdateAt),
    nextPollAt: isPaused ? null : parcel.nextPollAt,
    checkedAt: parcel.checkedAt,
    stale: isStale(parcel, now),
    error: parcel.error === null ? null : errorJson(parcel.error),
  };
}

/** The answer of `list --json`. */
export function listJson(parcels: readonly Parcel[], baseUrl: URL | null, circumstances: JsonCircumstances): ListJson {
  const { serviceClock, now } = circumstances;
  return {
    version: 1,
    generatedAt: formatInstant(now),
    service: {
      baseUrl: baseUrl === null ? null : baseUrl.href.replace(/\/$/, ''),
      clock: { offset: formatOffset(serviceClock.offsetMinutes), source: serviceClock.source },
    },
    parcels: parcels.map((parcel) => parcelJson(parcel, circumstances)),
  };
}

/** The answer of `show --json`. */
export function showJson(parcel: Parcel, history: ParcelHistory, circumstances: JsonCircumstances): ShowJson {
  return {
    ...parcelJson(parcel, circumstances),
    checkpoints: history.checkpoints.map(checkpointJson),
    record: history.received,
  };
}

/** Exactly the contract's fields, whatever the store kept beside them. */
function checkpointJson(checkpoint: Checkpoint): CheckpointJson {
  const { at, local, offset, certain, address, detail, subStatus, translation = null } = checkpoint;
  return { at, local, offset, certain, address, detail, subStatus, translation };
}

function expectedJson(expected: ExpectedDelivery | null): ExpectedJson | null {
  if (expected === null) return null;
  return expected.kind === 'day'
    ? { from: expected.date, to: expected.date }
    : { from: expected.from, to: expected.to };
}

function deliveredText(parcel: Parcel): string | null {
  const at = instantOf(deliveredAt(parcel));
  return at === null ? null : formatInstant(at);
}

function lastMileJson({ trackNo, courierCode, courierName }: LastMile): LastMile {
  return { trackNo, courierCode, courierName };
}

function errorJson({ kind, code, message, traceId }: ParcelError): ParcelError {
  return { kind, code, message, traceId };
}

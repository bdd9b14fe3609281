import { type EpochMs, minuteMs } from '../lib/clock.ts';
import { formatOffset, formatWallTime, parseOffset, parseWallTime } from '../lib/date-time.ts';
import { type JsonObject, objectField, textField } from '../lib/json.ts';
import type {
  checkpointSchema,
  expectedDeliverySchema,
  lastMileSchema,
  parcelFactsSchema,
  recordFieldsSchema,
  Shape,
} from './schema.ts';

export type Checkpoint = Shape<typeof checkpointSchema>;

export interface Courier {
  readonly code: string;
  readonly nameEN: string | null;
  readonly nameCN: string | null;
  readonly homePage: string | null;
}

export type LastMile = Shape<typeof lastMileSchema>;

/** Further facts from couriers and merchants. Absent if unknown. */
export type ParcelFacts = Shape<typeof parcelFactsSchema>;

export interface TrackingRecord extends Shape<typeof recordFieldsSchema> {
  readonly checkpoints: readonly Checkpoint[];
  readonly received: JsonObject;
}

/** An entry of `data.rejected`. */
export interface Rejection {
  /** Position in the request, starting at 0. Used only if there is no `trackNo`. */
  readonly index: number | null;
  readonly trackNo: string | null;
  readonly courierCode: string | null;
  readonly code: string | null;
  readonly message: string;
}

export interface TrackKey {
  readonly trackNo: string;
  readonly courierCode: string | null;
}

export interface MerchantFields {
  readonly orderNo?: string;
  readonly country?: string;
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`. */
  readonly shipTime?: string;
  readonly customerEmail?: string;
  readonly remark?: string;
  readonly custom1?: string;
  readonly custom2?: string;
}

export interface RegistrationItem extends TrackKey, MerchantFields {
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
}

export interface InstantItem extends RegistrationItem {
  readonly lang?: string;
}

export interface TrackingEdit extends MerchantFields {
  readonly trackNo: string;
  readonly courierCode: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
}

export interface QueryWindow {
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`, inclusive. */
  readonly createTimeStart?: string;
  readonly createTimeEnd?: string;
}

export interface AccountPage {
  readonly records: readonly TrackingRecord[];
  readonly next: string | null;
  readonly totalPages: number | null;
  readonly traceId: string | null;
}

export interface RetrackOutcome extends TrackKey {
  /** False if the number was rejected, or retracked less than six hours ago. */
  readonly accepted: boolean;
  readonly actualRefreshTime: string | null;
  readonly message: string | null;
}

export type InstantResponse =
  | { readonly kind: 'record'; readonly record: TrackingRecord }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export interface RegisterResponse {
  readonly accepted: readonly TrackKey[];
  /** Numbers that were already registered, which counts as a success. */
  readonly known: readonly TrackKey[];
  readonly rejected: readonly Rejection[];
  readonly traceId: string | null;
}

export interface QueryResponse {
  readonly records: readonly TrackingRecord[];
  readonly unregistered: readonly Rejection[];
  readonly rejected: readonly Rejection[];
  readonly traceId: string | null;
  readonly calls?: number;
}

export type ExpectedDelivery = Shape<typeof expectedDeliverySchema>;

/** Reads `expectedDeliveryTime`, which is a time window only with a valid offset, or falls back to `expectedDelivery`. */
export function expectedDelivery(received: JsonObject): ExpectedDelivery | null {
  const given = objectField(received, 'expectedDeliveryTime');
  const [start, end] = [textField(given, 'start'), textField(given, 'end')];
  const [from, to] = [parseWallTime(start), parseWallTime(end)];
  const offset = parseOffset(textField(given, 'timezone'));
  if ((from !== null || to !== null) && offset !== null) {
    const onUtc = (wall: EpochMs): string => `${formatWallTime(wall - offset * minuteMs).replace(' ', 'T')}Z`;
    return {
      kind: 'window',
      from: from === null ? null : onUtc(from),
      to: to === null || (from !== null && to < from) ? null : onUtc(to),
      offset: formatOffset(offset),
    };
  }
  const [first, last] = [dayOrNull(start), dayOrNull(end)];
  if (first !== null && last !== null && first < last) return { kind: 'day', date: first, until: last };
  const date = dayOrNull(textField(received, 'expectedDelivery')) ?? first ?? last;
  return date === null ? null : { kind: 'day', date };
}

function dayOrNull(text: string | null): string | null {
  const date = /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(text ?? '')?.[0];
  return date !== undefined && parseWallTime(`${date} 00:00:00`) !== null ? date : null;
}

import { type EpochMs, minuteMs } from '../lib/clock.ts';
import { formatOffset, formatWallTime, parseOffset, parseWallTime } from '../lib/date-time.ts';
import { type JsonObject, objectField, textField } from '../lib/json.ts';
import type {
  checkpointSchema,
  expectedDeliverySchema,
  lastMileSchema,
  parcelFactsSchema,
  recordFieldsSchema,
} from './schema.ts';
import type { Shape } from './shape.ts';

/** A checkpoint of a record, with its instant settled. Also the shape of `lastEvent` in `--json`. */
export type Checkpoint = Shape<typeof checkpointSchema>;

/** A courier as Get Carriers lists it. */
export interface Courier {
  readonly code: string;
  readonly nameEN: string | null;
  readonly nameCN: string | null;
  /** http or https only. */
  readonly homePage: string | null;
}

/** The courier that carries a parcel to the door after the hand-over, from `lastMileInfo`. */
export type LastMile = Shape<typeof lastMileSchema>;

/** What else couriers may say about a parcel, and a merchant may have given along. Absent when unknown. */
export type ParcelFacts = Shape<typeof parcelFactsSchema>;

/** What the service last said about one number under one courier. */
export interface TrackingRecord extends Shape<typeof recordFieldsSchema> {
  /** Newest first; those of the last mile among them. */
  readonly checkpoints: readonly Checkpoint[];
  /** The record as received, every text in it cleaned. */
  readonly received: JsonObject;
}

/** A number that the service did not accept, from `data.rejected`. */
export interface Rejection {
  /** Position in the request, from 0; null when missing. Never used for matching when `trackNo` is there. */
  readonly index: number | null;
  readonly trackNo: string | null;
  readonly courierCode: string | null;
  readonly code: string | null;
  /** The service's own words. */
  readonly message: string;
}

/** Names a number at the service: the number and, when known, its courier. */
export interface TrackKey {
  readonly trackNo: string;
  readonly courierCode: string | null;
}

/** Texts that a merchant can give along with a number; an absent one is not sent. */
export interface MerchantFields {
  readonly orderNo?: string;
  /** Destination country, two letters. */
  readonly country?: string;
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`. */
  readonly shipTime?: string;
  readonly customerEmail?: string;
  readonly remark?: string;
  readonly custom1?: string;
  readonly custom2?: string;
}

/** One item of a registration. */
export interface RegistrationItem extends TrackKey, MerchantFields {
  readonly postalCode: string | null;
  /** Last four digits of the sender's or recipient's phone. */
  readonly phoneSuffix: string | null;
}

/** A number for instant tracking. */
export interface InstantItem extends RegistrationItem {
  /** Language of the translations that come along, such as `en`; none when left out. */
  readonly lang?: string;
}

/** What is changed of a registered number; it is named by number and courier, both required. */
export interface TrackingEdit extends MerchantFields {
  readonly trackNo: string;
  readonly courierCode: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
}

/** Which records of the account are wanted, when not by number. */
export interface QueryWindow {
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`, both ends included. */
  readonly createTimeStart?: string;
  readonly createTimeEnd?: string;
}

/** One page of the account's records. */
export interface AccountPage {
  readonly records: readonly TrackingRecord[];
  /** Names the next page; null behind the last. */
  readonly next: string | null;
  /** How many pages the service says that the account has; null where it does not say. */
  readonly totalPages: number | null;
  readonly traceId: string | null;
}

/** What came of retracking a number: whether the service queries its courier again. */
export interface RetrackOutcome extends TrackKey {
  /** False when it came too early: once in six hours for a number. */
  readonly accepted: boolean;
  /** When the courier was last queried, as the service wrote it; null when it does not say. */
  readonly actualRefreshTime: string | null;
  /** The service's own words; null when it gave none. */
  readonly message: string | null;
}

/** What instant tracking answers about one number. */
export type InstantAnswer =
  | { readonly kind: 'record'; readonly record: TrackingRecord }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/** Answer to a registration. */
export interface RegisterAnswer {
  /** Echo of what was accepted. */
  readonly accepted: readonly TrackKey[];
  /** Already registered numbers, with the courier under which they are: a success. */
  readonly known: readonly TrackKey[];
  readonly rejected: readonly Rejection[];
  readonly traceId: string | null;
}

/** Answer to a query: all pages together. */
export interface QueryAnswer {
  readonly records: readonly TrackingRecord[];
  /** Numbers that the service does not know: they must be registered (again). */
  readonly unregistered: readonly Rejection[];
  readonly rejected: readonly Rejection[];
  readonly traceId: string | null;
  /** Calls that it took, one a page; absent for one. */
  readonly calls?: number;
}

/** When the courier expects to deliver, as exactly as the service says. */
export type ExpectedDelivery = Shape<typeof expectedDeliverySchema>;

/**
 * Reads the expected delivery of a record as received (`expectedDeliveryTime` carries its own offset,
 * `expectedDelivery` is a date). A time without a usable offset gives its days only. Null when there is nothing.
 */
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
  const [first, last] = [dayOf(start), dayOf(end)];
  if (first !== null && last !== null && first < last) return { kind: 'day', date: first, until: last };
  const date = dayOf(textField(received, 'expectedDelivery')) ?? first ?? last;
  return date === null ? null : { kind: 'day', date };
}

/** The day that a text begins with; null when there is no such day. */
function dayOf(text: string | null): string | null {
  const date = /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(text ?? '')?.[0];
  return date !== undefined && parseWallTime(`${date} 00:00:00`) !== null ? date : null;
}

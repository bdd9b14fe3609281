import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../service/json.ts';
import { idPattern } from './identity.ts';
import type { Parcel, ParcelHistory } from './parcel.ts';

const text = v.optional(v.nullable(v.string()), null);
const number = v.optional(v.nullable(v.pipe(v.number(), v.finite())), null);
const instant = v.pipe(
  v.string(),
  v.check((value) => Number.isFinite(Date.parse(value)), 'is no instant'),
);
const instantOrNull = v.optional(v.nullable(instant), null);
const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0);
const flag = v.optional(v.boolean(), false);

const checkpoint = v.looseObject({
  at: instantOrNull,
  local: text,
  offset: text,
  certain: flag,
  address: text,
  detail: text,
  subStatus: text,
  repeats: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(2))),
});

const recordSummary = v.looseObject({
  id: text,
  trackNo: v.string(),
  courierCode: text,
  courierNameEN: text,
  courierNameCN: text,
  courierHomePage: text,
  courierTrackingLink: text,
  createTime: text,
  nextUpdateTime: text,
  shipFrom: text,
  shipTo: text,
  trackingStatus: text,
  transitStatus: text,
  transitSubStatus: text,
  receiptTime: text,
  lastTrackingTime: text,
  transitDays: number,
  stayDays: number,
  shipmentType: text,
  lastMile: v.exactOptional(v.looseObject({ trackNo: text, courierCode: text, courierName: text })),
});

const parcelError = v.looseObject({ kind: v.string(), code: text, message: v.string(), traceId: text });

const merchantText = v.exactOptional(v.string());

const merchant = v.looseObject({
  orderNo: merchantText,
  country: merchantText,
  customerEmail: merchantText,
  remark: merchantText,
  custom1: merchantText,
  custom2: merchantText,
  shippedAt: v.exactOptional(instant),
});

const extras = v.looseObject({ postalCode: text, phoneSuffix: text });

/**
 * One entry of `watchlist.json`. Objects are loose: fields of newer versions survive a read and a write. Everything but
 * `id` and `trackNo` may be missing, as in a file of an older version.
 */
export const parcelSchema: v.GenericSchema<unknown, Parcel> = v.looseObject({
  id: v.pipe(v.string(), v.regex(idPattern)),
  historyId: v.exactOptional(v.pipe(v.string(), v.regex(idPattern))),
  trackNo: v.pipe(v.string(), v.nonEmpty()),
  courierCode: text,
  courierPinned: flag,
  label: text,
  tags: v.optional(v.array(v.string()), []),
  extras: v.optional(extras, { postalCode: null, phoneSuffix: null }),
  merchant: v.exactOptional(merchant),
  registration: v.optional(v.picklist(['pending', 'registered', 'rejected']), 'pending'),
  addedAt: v.optional(instant, '1970-01-01T00:00:00.000Z'),
  registeredAt: instantOrNull,
  archivedAt: instantOrNull,
  record: v.optional(v.nullable(recordSummary), null),
  lastEvent: v.optional(v.nullable(checkpoint), null),
  checkpointCount: count,
  checkedAt: instantOrNull,
  nextPollAt: instantOrNull,
  fruitlessPolls: count,
  deliveryConfirmed: flag,
  error: v.optional(v.nullable(parcelError), null),
});

/** A file of `history/`, version 1. */
export const historySchema: v.GenericSchema<unknown, ParcelHistory> = v.looseObject({
  version: v.optional(v.literal(1), 1),
  checkpoints: v.array(checkpoint),
  received: v.optional(v.nullable(v.custom<JsonObject>(isJsonObject, 'is no object')), null),
});

/** A history as the schema reads it; null when it is none. */
export function readHistory(value: unknown): ParcelHistory | null {
  const result = v.safeParse(historySchema, value);
  return result.success ? result.output : null;
}

/** A parcel and whether all of it was usable: one unusable field costs that field only, unless the parcel cannot be told without it. */
export function readParcel(entry: unknown): { readonly parcel: Parcel | null; readonly whole: boolean } {
  const strict = v.safeParse(parcelSchema, entry);
  if (strict.success) return { parcel: strict.output, whole: true };
  if (!isJsonObject(entry)) return { parcel: null, whole: false };
  const unusable = new Set(strict.issues.map((issue) => issue.path?.[0].key));
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !unusable.has(key)));
  const mended = v.safeParse(parcelSchema, rest);
  return { parcel: mended.success ? mended.output : null, whole: false };
}

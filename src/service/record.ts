import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { cleanText, cleanTextOrNull, savedAddressOrNull } from '../lib/clean-text.ts';
import type { JsonObject } from '../lib/json.ts';
import { courierCodeOrNull, isWord, normaliseTrackNo, wordOrNull } from '../lib/track-number.ts';

export type Shape<Schema extends v.GenericSchema> = Known<v.InferOutput<Schema>>;

type Known<Value> = Value extends readonly (infer Item)[]
  ? readonly Known<Item>[]
  : Value extends object
    ? [keyof WithoutIndex<Value>] extends [never]
      ? Value
      : { readonly [Name in keyof Value as string extends Name ? never : Name]: Known<Value[Name]> }
    : Value;

type WithoutIndex<Value> = { [Name in keyof Value as string extends Name ? never : Name]: Value[Name] };

/** Parses the value with the schema. Returns the same object if nothing changed, or null if it is not valid. */
export function readAs<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> | null {
  const result = v.safeParse(schema, value);
  if (!result.success) return null;
  return isDeepStrictEqual(result.output, value) ? (value as v.InferOutput<Schema>) : result.output;
}

// Values in records and parcels. Files may have been edited or synced, so text is cleaned, and identifiers must be
// single words.

export const cleanedText = v.pipe(v.string(), v.transform(cleanText));

function textVia(clean: (value: string) => string | null) {
  const cleaned = v.pipe(
    v.string(),
    v.transform((value): string | null => clean(value)),
  );
  return v.optional(v.nullable(cleaned), null);
}

export const text = textVia(cleanTextOrNull);
export const word = textVia(wordOrNull);
export const courierCode = textVia(courierCodeOrNull);
export const address = textVia(savedAddressOrNull);
export const numberOrNull = v.optional(v.nullable(v.pipe(v.number(), v.finite())), null);
/** ISO 8601 UTC. */
export const instant = v.pipe(
  cleanedText,
  v.check((value) => Number.isFinite(Date.parse(value)), 'is not an instant'),
);
export const instantOrNull = v.optional(v.nullable(instant), null);
export const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0);
const countFrom = (min: number) => v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(min)));
export const fact = v.exactOptional(cleanedText);
export const flag = v.optional(v.boolean(), false);

export const trackNo = v.pipe(
  v.string(),
  v.transform((value) => {
    if (isWord(value)) return value;
    const check = normaliseTrackNo(value);
    return check.ok ? check.trackNo : value;
  }),
  v.check(isWord, 'is not a tracking number'),
);

// These schemas validate files, and the types below are inferred from them. Objects are loose, so that fields from newer
// versions are kept.

export const checkpointSchema = v.looseObject({
  /** ISO 8601 in UTC, with Z. Null if the instant is unknown. */
  at: instantOrNull,
  /** Local time as received, without a zone, usually `YYYY-MM-DD HH:mm:ss`. */
  local: text,
  /** Offset of `local` from UTC, `+HH:MM` or `-HH:MM`. Null if unknown. */
  offset: text,
  /** False if `at` is unknown, replaces a placeholder, or differs by more than a minute from `local` and `offset`. */
  certain: flag,
  address: text,
  detail: text,
  subStatus: text,
  repeats: countFrom(2),
  translation: fact,
  /**
   * True if the time was more than a day in the future when first received. Such events are shown but otherwise
   * ignored.
   */
  future: v.exactOptional(v.boolean()),
  /** The courier that reported the event. Absent if all events are from one courier, and in older histories. */
  courierCode: v.exactOptional(courierCode),
  courierName: fact,
});

const day = v.pipe(v.string(), v.isoDate());

const expectedDeliverySchema = v.variant('kind', [
  v.looseObject({
    kind: v.literal('window'),
    /** Null if only the end is known. */
    from: instantOrNull,
    /** Null if the end is unknown. Equals `from` for a point in time. */
    to: v.nullable(instant),
    offset: v.pipe(v.string(), v.regex(/^[+-]\d{2}:\d{2}$/)),
  }),
  v.looseObject({
    kind: v.literal('day'),
    date: day,
    until: v.exactOptional(day),
  }),
]);

export const lastMileSchema = v.looseObject({
  trackNo: word,
  courierCode,
  courierName: text,
  /** Links are absent until this courier reports events, because before that its site does not know the parcel. */
  courierHomePage: v.exactOptional(address),
  courierTrackingLink: v.exactOptional(address),
});

const factEntries = {
  expectedDelivery: v.exactOptional(expectedDeliverySchema),
  deliveredTime: fact,
  signedBy: fact,
  pieces: countFrom(1),
  weight: fact,
  dimensions: fact,
  serviceCode: fact,
  orderNo: fact,
  remark: fact,
};

const parcelFactsSchema = v.looseObject(factEntries);

const recordEntries = {
  id: word,
  trackNo,
  courierCode,
  courierNameEN: text,
  courierNameCN: text,
  courierHomePage: address,
  courierTrackingLink: address,
  createTime: text,
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`. */
  nextUpdateTime: text,
  shipFrom: text,
  shipTo: text,
  /** The result of the service's lookup at the courier, not the parcel's status. */
  trackingStatus: text,
  transitStatus: text,
  transitSubStatus: text,
  receiptTime: text,
  lastTrackingTime: text,
  transitDays: numberOrNull,
  stayDays: numberOrNull,
  shipmentType: text,
  lastMile: v.exactOptional(lastMileSchema),
  ...factEntries,
};

export const recordFieldsSchema = v.looseObject(recordEntries);

export type Checkpoint = Shape<typeof checkpointSchema>;

export type LastMile = Shape<typeof lastMileSchema>;

/** Further facts from couriers and merchants. Absent if unknown. */
export type ParcelFacts = Shape<typeof parcelFactsSchema>;

export interface TrackingRecord extends Shape<typeof recordFieldsSchema> {
  readonly checkpoints: readonly Checkpoint[];
  readonly received: JsonObject;
}

export type ExpectedDelivery = Shape<typeof expectedDeliverySchema>;

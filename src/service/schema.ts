import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { cleanText, cleanTextOrNull, keptAddressOrNull } from '../lib/clean-text.ts';
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

/** Returns the value as the schema reads it, the same object where that changes nothing, or null if it is not valid. */
export function readAs<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> | null {
  const result = v.safeParse(schema, value);
  if (!result.success) return null;
  return isDeepStrictEqual(result.output, value) ? (value as v.InferOutput<Schema>) : result.output;
}

/*
 * The single values of which records and parcels are made. Anybody may have edited a file, and synchronised ones come
 * from elsewhere: texts are cleaned, and names are words or they are not taken.
 */

export const cleanedText = v.pipe(v.string(), v.transform(cleanText));

function textThat(take: (value: string) => string | null) {
  const taken = v.pipe(
    v.string(),
    v.transform((value): string | null => take(value)),
  );
  return v.optional(v.nullable(taken), null);
}

export const text = textThat(cleanTextOrNull);
export const word = textThat(wordOrNull);
/** Null for none, and for what can be no code. */
export const courierCode = textThat(courierCodeOrNull);
export const address = textThat(keptAddressOrNull);
export const numberOrNull = v.optional(v.nullable(v.pipe(v.number(), v.finite())), null);
/** ISO 8601 UTC. */
export const instant = v.pipe(
  cleanedText,
  v.check((value) => Number.isFinite(Date.parse(value)), 'is no instant'),
);
export const instantOrNull = v.optional(v.nullable(instant), null);
export const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0);
export const countFrom = (least: number) => v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(least)));
export const fact = v.exactOptional(cleanedText);
export const flag = v.optional(v.boolean(), false);

export const trackNo = v.pipe(
  v.string(),
  v.transform((value) => {
    if (isWord(value)) return value;
    const check = normaliseTrackNo(value);
    return check.ok ? check.trackNo : value;
  }),
  v.check(isWord, 'is no tracking number'),
);

/*
 * The shapes of a record, each written down once: types are inferred from them (`record.ts`), and what comes back from a
 * file is validated by them. Objects are loose, so that fields of newer versions survive a read and a write.
 */

export const checkpointSchema = v.looseObject({
  /** Instant, ISO 8601 UTC with Z; null when the zone is unknown. */
  at: instantOrNull,
  /** Without a zone, as received: `YYYY-MM-DD HH:mm:ss` unless the service writes it otherwise. */
  local: text,
  /** Offset of `local` from UTC, `+HH:MM` or `-HH:MM`; null when none was given. */
  offset: text,
  /**
   * False when `at` is unknown, contradicted by local time and offset by more than a minute, or replaced a placeholder.
   */
  certain: flag,
  address: text,
  detail: text,
  subStatus: text,
  repeats: countFrom(2),
  translation: fact,
  /** True when it was more than a day ahead of the answer that first told of it: it is shown, but not believed. */
  future: v.exactOptional(v.boolean()),
  /** The courier that reported it; absent where one courier has all events, and in older histories. */
  courierCode: v.exactOptional(courierCode),
  courierName: fact,
});

const day = v.pipe(v.string(), v.isoDate());

export const expectedDeliverySchema = v.variant('kind', [
  v.looseObject({
    kind: v.literal('window'),
    /** Null when only an end is given. */
    from: instantOrNull,
    /** Null when no end is given; the same as `from` for a point in time. */
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
  /** Its pages; absent until it reports events of its own, since it does not know the parcel before. */
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

/** What else couriers may say about a parcel, and a merchant may have given along. Absent when unknown. */
export const parcelFactsSchema = v.looseObject(factEntries);

export const recordEntries = {
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
  /** How the lookup at the carrier went, not where the parcel is. */
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

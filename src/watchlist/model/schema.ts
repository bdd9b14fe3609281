import * as v from 'valibot';
import { cleanText, cleanTextOrNull, keptAddressOrNull } from '../../service/text/clean-text.ts';
import { isJsonObject, type JsonObject } from '../../service/text/json.ts';
import { cleanJsonObject } from '../../service/text/json-fields.ts';
import { courierCodeOrNull, isWord, wordOrNull } from '../../service/text/word.ts';
import { normaliseTrackNo } from '../rules/track-number.ts';
import { idPattern } from './identity.ts';
import type { Parcel, ParcelHistory } from './parcel.ts';

/*
 * Anybody may have edited a file, and synchronised ones come from elsewhere: what stands in it is taken as carefully as
 * what the service sends. Texts are cleaned, and names are words or they are not taken.
 */

const clean = v.pipe(v.string(), v.transform(cleanText));
/** A text as `take` takes it; null for one that it does not take, and for none. */
function textThat(take: (value: string) => string | null) {
  const taken = v.pipe(
    v.string(),
    v.transform((value): string | null => take(value)),
  );
  return v.optional(v.nullable(taken), null);
}

const text = textThat(cleanTextOrNull);
const name = textThat(wordOrNull);
const courierCode = textThat(courierCodeOrNull);
const address = textThat(keptAddressOrNull);
const number = v.optional(v.nullable(v.pipe(v.number(), v.finite())), null);
const instant = v.pipe(
  clean,
  v.check((value) => Number.isFinite(Date.parse(value)), 'is no instant'),
);
const instantOrNull = v.optional(v.nullable(instant), null);
const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0);
const fact = v.exactOptional(clean);
const offsetPattern = /^[+-]\d{2}:\d{2}$/;
const flag = v.optional(v.boolean(), false);

/** In the form in which numbers are kept, when it was written in another one. */
const trackNo = v.pipe(
  v.string(),
  v.transform((value) => {
    if (isWord(value)) return value;
    const check = normaliseTrackNo(value);
    return check.ok ? check.trackNo : value;
  }),
  v.check(isWord, 'is no tracking number'),
);

const checkpoint = v.looseObject({
  at: instantOrNull,
  local: text,
  offset: text,
  certain: flag,
  address: text,
  detail: text,
  subStatus: text,
  repeats: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(2))),
  translation: fact,
});

const expectedDelivery = v.variant('kind', [
  v.looseObject({
    kind: v.literal('window'),
    from: instant,
    to: v.nullable(instant),
    offset: v.pipe(v.string(), v.regex(offsetPattern)),
  }),
  v.looseObject({ kind: v.literal('day'), date: v.pipe(v.string(), v.isoDate()) }),
]);

const recordSummary = v.looseObject({
  id: name,
  trackNo,
  courierCode,
  courierNameEN: text,
  courierNameCN: text,
  courierHomePage: address,
  courierTrackingLink: address,
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
  lastMile: v.exactOptional(v.looseObject({ trackNo: name, courierCode, courierName: text })),
  expectedDelivery: v.exactOptional(expectedDelivery),
  deliveredTime: fact,
  signedBy: fact,
  pieces: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  weight: fact,
  dimensions: fact,
  serviceCode: fact,
  orderNo: fact,
  remark: fact,
  arrival: v.exactOptional(checkpoint),
});

const parcelError = v.looseObject({ kind: clean, code: text, message: clean, traceId: name });

const merchantText = v.exactOptional(clean);

const merchantFields = v.looseObject({
  orderNo: merchantText,
  country: merchantText,
  customerEmail: merchantText,
  remark: merchantText,
  custom1: merchantText,
  custom2: merchantText,
  shippedAt: v.exactOptional(instant),
});

/** Without the fields that hold nothing to read. */
const merchant = v.pipe(
  merchantFields,
  v.transform((fields) => {
    const told = Object.entries(fields).filter(([, value]) => value !== '');
    return Object.fromEntries(told) as typeof fields;
  }),
);
const indexing = v.looseObject({ since: instant, registeredAgainAt: instantOrNull });

const extras = v.looseObject({ postalCode: text, phoneSuffix: text });

const parcelFields = v.looseObject({
  id: v.pipe(v.string(), v.regex(idPattern)),
  historyId: v.exactOptional(v.pipe(v.string(), v.regex(idPattern))),
  trackNo,
  courierCode,
  courierPinned: flag,
  label: text,
  tags: v.optional(
    v.pipe(
      v.array(clean),
      v.transform((tags) => tags.filter((tag) => tag !== '')),
    ),
    [],
  ),
  extras: v.optional(extras, { postalCode: null, phoneSuffix: null }),
  merchant: v.exactOptional(merchant),
  registration: v.optional(v.picklist(['pending', 'registered', 'rejected']), 'pending'),
  addedAt: v.optional(instant, '1970-01-01T00:00:00.000Z'),
  registeredAt: instantOrNull,
  indexing: v.exactOptional(indexing),
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

/**
 * One entry of `watchlist.json`. Objects are loose: fields of newer versions survive a read and a write. Everything but
 * `id` and `trackNo` may be missing, as in a file of an older version.
 */
export const parcelSchema: v.GenericSchema<unknown, Parcel> = v.pipe(
  parcelFields,
  // Nobody can have chosen a courier that is not known.
  v.transform((parcel) => (parcel.courierCode === null ? { ...parcel, courierPinned: false } : parcel)),
);

/** A file of `history/`, version 1. */
export const historySchema: v.GenericSchema<unknown, ParcelHistory> = v.looseObject({
  version: v.optional(v.literal(1), 1),
  checkpoints: v.array(checkpoint),
  received: v.optional(
    v.nullable(v.pipe(v.custom<JsonObject>(isJsonObject, 'is no object'), v.transform(cleanJsonObject))),
    null,
  ),
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

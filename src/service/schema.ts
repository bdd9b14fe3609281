import * as v from 'valibot';
import {
  address,
  countFrom,
  courierCode,
  fact,
  flag,
  instant,
  instantOrNull,
  numberOrNull,
  text,
  trackNo,
  word,
} from './shape.ts';

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

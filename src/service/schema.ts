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
  type PlainTest,
  plain,
  text,
  trackNo,
  word,
} from './shape.ts';

/*
 * The shapes of a record, each written down once: types are inferred from them (`record.ts`), and what comes back from a
 * file is validated by them. Objects are loose, so that fields of newer versions survive a read and a write.
 */

/** A checkpoint of a record, with its instant settled. */
export const checkpointSchema = v.looseObject({
  /** Instant, ISO 8601 UTC with Z; null when the zone is unknown. */
  at: instantOrNull,
  /**
   * The courier's local time as received, without a zone: `YYYY-MM-DD HH:mm:ss` unless the service writes it otherwise.
   */
  local: text,
  /** Offset of `local` from UTC, `+HH:MM` or `-HH:MM`; null when none was given. */
  offset: text,
  /**
   * False when `at` is unknown, when local time with offset and UTC time contradict each other by more than a minute, or
   * when one of them was a placeholder.
   */
  certain: flag,
  address: text,
  detail: text,
  subStatus: text,
  /** How many reports of this event a record holds; absent for one. */
  repeats: countFrom(2),
  /** `detail` in the language that was requested; absent when there is no translation. */
  translation: fact,
  /** True when it was more than a day ahead of the answer that first told of it: it is shown, but not believed. */
  future: v.exactOptional(v.boolean()),
  /** The courier that reported it; absent where one courier has all events, and in older histories. */
  courierCode: v.exactOptional(courierCode),
  courierName: fact,
});

const offset = /^[+-]\d{2}:\d{2}$/;
const isOffset: PlainTest = (value) => typeof value === 'string' && offset.test(value);

const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const isDate: PlainTest = (value) => typeof value === 'string' && date.test(value);

const day = v.pipe(v.string(), v.isoDate(), plain(isDate));

/** When the courier expects to deliver, as exactly as the service says. */
export const expectedDeliverySchema = v.variant('kind', [
  v.looseObject({
    kind: v.literal('window'),
    /** Null when only an end is given. */
    from: instantOrNull,
    /** Null when no end is given; the same as `from` for a point in time. */
    to: v.nullable(instant),
    /** Offset of the clock on which it was given, `+HH:MM` or `-HH:MM`. */
    offset: v.pipe(v.string(), v.regex(offset), plain(isOffset)),
  }),
  v.looseObject({
    kind: v.literal('day'),
    /** `YYYY-MM-DD`, where the parcel goes. */
    date: day,
    /** The last of several days; absent for one. */
    until: v.exactOptional(day),
  }),
]);

/** The courier that carries a parcel to the door after the hand-over, from `lastMileInfo`. */
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
  /** A copy of the local time of the checkpoint that was the delivery. */
  deliveredTime: fact,
  signedBy: fact,
  pieces: countFrom(1),
  /** With its unit, where the courier writes one. */
  weight: fact,
  dimensions: fact,
  /** The courier's name for the service level. */
  serviceCode: fact,
  orderNo: fact,
  remark: fact,
};

/** What else couriers may say about a parcel, and a merchant may have given along. Absent when unknown. */
export const parcelFactsSchema = v.looseObject(factEntries);

/** What the service last said about one number under one courier, without the checkpoints. */
export const recordEntries = {
  id: word,
  trackNo,
  courierCode,
  courierNameEN: text,
  courierNameCN: text,
  courierHomePage: address,
  courierTrackingLink: address,
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`. */
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
  /** The local courier of the last mile; absent without such a hand-over. */
  lastMile: v.exactOptional(lastMileSchema),
  ...factEntries,
};

/** A record without its checkpoints and without the raw answer. */
export const recordFieldsSchema = v.looseObject(recordEntries);

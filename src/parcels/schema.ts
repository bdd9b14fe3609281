import * as v from 'valibot';
import { cleanJsonObject, isJsonObject, type JsonObject } from '../lib/json.ts';
import { checkpointSchema, recordEntries } from '../service/schema.ts';
import {
  cleanedText,
  count,
  courierCode,
  fact,
  flag,
  instant,
  instantOrNull,
  text,
  trackNo,
  word,
} from '../service/shape.ts';
import { idPattern } from './identity.ts';

/*
 * The shapes of the watchlist, each written down once: types are inferred from them (`parcel.ts`), and files are validated
 * by them. Objects are loose: fields of newer versions survive a read and a write. Everything but `id` and `trackNo` may
 * be missing, as in a file of an older version.
 */

const {
  createTime: _createTime,
  id: _id,
  receiptTime: _receiptTime,
  trackNo: _trackNo,
  ...summaryEntries
} = recordEntries;

/** What the parcel keeps of a record; its history has the record as received. Older versions kept more. */
export const recordSummarySchema = v.looseObject({
  ...summaryEntries,
  /** The event that brought the parcel where it stands (see `arrivalAmong`), where that is another one than the last. */
  arrival: v.exactOptional(checkpointSchema),
  /** Of a delivered parcel: whole days that it stood still at most (see `longestStillDays`). */
  longestStillDays: v.exactOptional(count),
});

/** Why the last try for a parcel failed, in the shape of `--json`. */
export const parcelErrorSchema = v.looseObject({
  kind: cleanedText,
  code: text,
  /** The service's own words, or ours with what to do next. */
  message: cleanedText,
  traceId: word,
});

/** What a merchant gave along with a parcel; sent with its registration. Holds an e-mail address: never logged. */
export const merchantSchema = v.looseObject({
  orderNo: fact,
  /** Destination country, two letters. */
  country: fact,
  customerEmail: fact,
  remark: fact,
  custom1: fact,
  custom2: fact,
  /** When it was shipped, ISO 8601 UTC; it is sent on the service clock. */
  shippedAt: v.exactOptional(instant),
});

/** A registration that the service has taken while its queries still say that they do not know the number. */
export const indexingSchema = v.looseObject({
  /** When a query said so first since the last record. */
  since: instant,
  /** When it was settled that the number is sent to the service once more, which may cost; null while it was not. */
  registeredAgainAt: instantOrNull,
});

/** Paid look-ups that were made by themselves because there was no record. */
export const instantTriesSchema = v.looseObject({
  count,
  /** When the last one began. */
  at: instant,
  /** True when it failed; absent while it is under way, and after an answer. */
  failed: v.exactOptional(v.boolean()),
});

/** Extra information that some couriers need. Never logged, and printed unmasked only where the user exports it. */
export const extrasSchema = v.looseObject({ postalCode: text, phoneSuffix: text });

/** Changes of a parcel that nobody has looked at. */
const unreadSchema = v.looseObject({
  /** When the first of them was noticed. */
  since: instant,
  /** The newest event before them: whatever is newer is new. Null for none. */
  lastRead: v.optional(v.nullable(checkpointSchema), null),
});

/** Where a parcel stands between us and the service. An archived parcel keeps the registration it had. */
export const registrationSchema = v.picklist(['pending', 'registered', 'rejected']);

const fileName = v.pipe(v.string(), v.regex(idPattern));

const merchantWithoutBlanks = v.pipe(
  merchantSchema,
  v.transform((fields) => {
    const kept = Object.entries(fields).filter(([, value]) => value !== '');
    return Object.fromEntries(kept) as typeof fields;
  }),
);

const tagsSchema = v.pipe(
  v.array(cleanedText),
  v.transform((tags) => tags.filter((tag) => tag !== '')),
);

/** One watched number. Identity is number plus courier code; `id` is stable while the courier becomes known. */
export const parcelSchema = v.looseObject({
  /** Random, safe as a file name. */
  id: fileName,
  /** Names the file of its history; absent while that is `id`, another one since it became another parcel. */
  historyId: v.exactOptional(fileName),
  trackNo,
  /** Chosen by the user or detected by the service; null while unknown. */
  courierCode,
  /** True when the user chose the courier. */
  courierPinned: flag,
  label: text,
  tags: v.optional(tagsSchema, []),
  extras: v.optional(extrasSchema, { postalCode: null, phoneSuffix: null }),
  /** Absent when nothing was given. */
  merchant: v.exactOptional(merchantWithoutBlanks),
  registration: v.optional(registrationSchema, 'pending'),
  addedAt: v.optional(instant, '1970-01-01T00:00:00.000Z'),
  registeredAt: instantOrNull,
  /** Absent unless the service has taken the registration and does not know the number in its queries. */
  indexing: v.exactOptional(indexingSchema),
  /** Absent before the first. */
  instantTries: v.exactOptional(instantTriesSchema),
  archivedAt: instantOrNull,
  /** True when it was archived because it was delivered or closed long ago, and not by the user. */
  autoArchived: v.exactOptional(v.boolean()),
  /** When the user took it out of the archive last; absent before the first time. */
  restoredAt: v.exactOptional(instant),
  /** Current record; null until the service has answered with one. */
  record: v.optional(v.nullable(recordSummarySchema), null),
  lastEvent: v.optional(v.nullable(checkpointSchema), null),
  checkpointCount: count,
  /** When the service last gave a good answer about this parcel. */
  checkedAt: instantOrNull,
  /** When it is polled next; null when the parcel has left the queue. */
  nextPollAt: instantOrNull,
  /** Answers in a row that gave no usable `nextUpdateTime`; drives the waiting ladder and the back-off. */
  fruitlessPolls: count,
  /** True once a delivered parcel has left the queue. */
  deliveryConfirmed: flag,
  /** When an answer first said that its journey is over; absent while it is on its way. */
  endedAt: v.exactOptional(instant),
  /** When the service planned the next update, where the least time between two polls puts the poll off; else absent. */
  plannedFor: v.exactOptional(instant),
  /** Since when only pushes have told what ends the checks or puts them off; absent once a query has told of the parcel. */
  unconfirmedSince: v.exactOptional(instant),
  error: v.optional(v.nullable(parcelErrorSchema), null),
  /** When a change of it was last written to the change log; absent before the first. */
  changedAt: v.exactOptional(instant),
  /** Absent unless it has changes that nobody has looked at. */
  unread: v.exactOptional(unreadSchema),
});

/** One parcel's checkpoints as kept in `history/`. */
export const historySchema = v.looseObject({
  version: v.optional(v.literal(1), 1),
  /** Newest first; never loses a checkpoint that was once known. */
  checkpoints: v.array(checkpointSchema),
  /** The newest record as received, cleaned; null before the first. */
  received: v.optional(
    v.nullable(v.pipe(v.custom<JsonObject>(isJsonObject, 'is no object'), v.transform(cleanJsonObject))),
    null,
  ),
});

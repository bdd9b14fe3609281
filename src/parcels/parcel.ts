import * as v from 'valibot';
import { cleanJsonObject, isJsonObject, type JsonObject } from '../lib/json.ts';
import { StoreError } from '../lib/store-errors.ts';
import {
  checkpointSchema,
  cleanedText,
  count,
  courierCode,
  fact,
  flag,
  instant,
  instantOrNull,
  readAs,
  recordFieldsSchema,
  type Shape,
  text,
  trackNo,
  word,
} from '../service/record.ts';

/*
 * Types are inferred from these schemas, which also validate files. Objects are loose, so that fields from newer
 * versions survive. Everything but `id` and `trackNo` may be missing, because files from older versions lack it.
 */

/** The part of a record that is kept in the index. The history has the record as received. Older versions kept more. */
const recordSummarySchema = v.looseObject({
  ...v.omit(recordFieldsSchema, ['createTime', 'id', 'receiptTime', 'trackNo']).entries,
  /** The event that brought the parcel into its stage (see `findArrival`), unless it is the last one. */
  arrival: v.exactOptional(checkpointSchema),
  /** The longest time without movement of a delivered parcel, in whole days (see `longestStillDays`). */
  longestStillDays: v.exactOptional(count),
});

/** Why the last registration or check of a parcel failed, as `--json` prints it. */
export const parcelErrorSchema = v.looseObject({
  kind: cleanedText,
  code: text,
  /** The service's own words, or ours including what to do. */
  message: cleanedText,
  traceId: word,
});

/** What the merchant knows about a parcel. Sent with the registration. Never log it: it includes an email address. */
const merchantSchema = v.looseObject({
  orderNo: fact,
  /** Destination country, two letters. */
  country: fact,
  customerEmail: fact,
  remark: fact,
  custom1: fact,
  custom2: fact,
  /** When the parcel was shipped, ISO 8601 UTC. Sent in the service's time zone. */
  shippedAt: v.exactOptional(instant),
});

/** Set while the service has accepted the registration but queries do not return the number yet. */
const indexingSchema = v.looseObject({
  /** When a query first failed to return the number. */
  since: instant,
  /** When the number was registered again, which may cost credit, or null. */
  registeredAgainAt: instantOrNull,
});

/** Paid lookups that were made automatically for a number without a record. */
const instantTriesSchema = v.looseObject({
  count,
  /** When the last lookup started. */
  at: instant,
  /** Absent during a lookup and after a response. */
  failed: v.exactOptional(v.boolean()),
});

/** Extra information that some couriers require. Never log it, and print it unmasked only in exports. */
const extrasSchema = v.looseObject({ postalCode: text, phoneSuffix: text });

/** Set while the parcel has changes that the user has not seen. */
const unreadSchema = v.looseObject({
  /** When the first of them was noticed. */
  since: instant,
  /** The newest event that the user has seen, or null. */
  lastRead: v.optional(v.nullable(checkpointSchema), null),
});

/** Set while the user has snoozed the parcel. */
const snoozedSchema = v.looseObject({
  /** Null means until the parcel moves. */
  until: instantOrNull,
  /** The parcel's `checkpointCount` when it was snoozed. */
  events: count,
});

/** Independent of archiving: an archived parcel keeps its registration. */
const registrationSchema = v.picklist(['pending', 'registered', 'rejected']);

/** A parcel's id also serves as a file name. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

const fileName = v.pipe(v.string(), v.regex(idPattern));

const merchantWithoutBlanks = v.pipe(
  merchantSchema,
  v.transform((fields) => {
    const entries = Object.entries(fields).filter(([, value]) => value !== '');
    return Object.fromEntries(entries) as typeof fields;
  }),
);

const tagsSchema = v.pipe(
  v.array(cleanedText),
  v.transform((tags) => tags.filter((tag) => tag !== '')),
);

/** A watched number. It is identified by number and courier code; `id` stays the same when the courier becomes known. */
export const parcelSchema = v.looseObject({
  /** Random, and safe as a file name. */
  id: fileName,
  /** Name of its history file. Absent while that is `id` (see `historyIdOf`). */
  historyId: v.exactOptional(fileName),
  trackNo,
  /** Chosen by the user or detected by the service. Null while it is unknown. */
  courierCode,
  /** True if the user chose the courier. */
  courierPinned: flag,
  label: text,
  /** The user's own note. Never sent to the service. */
  note: fact,
  tags: v.optional(tagsSchema, []),
  extras: v.optional(extrasSchema, { postalCode: null, phoneSuffix: null }),
  merchant: v.exactOptional(merchantWithoutBlanks),
  registration: v.optional(registrationSchema, 'pending'),
  addedAt: v.optional(instant, '1970-01-01T00:00:00.000Z'),
  registeredAt: instantOrNull,
  indexing: v.exactOptional(indexingSchema),
  instantTries: v.exactOptional(instantTriesSchema),
  archivedAt: instantOrNull,
  autoArchived: v.exactOptional(v.boolean()),
  restoredAt: v.exactOptional(instant),
  /** The current record. Null until the service has returned one. */
  record: v.optional(v.nullable(recordSummarySchema), null),
  lastEvent: v.optional(v.nullable(checkpointSchema), null),
  checkpointCount: count,
  /** When the service last returned a record. */
  checkedAt: instantOrNull,
  /** When the parcel will be polled next. Null once it has left the queue. */
  nextPollAt: instantOrNull,
  /** Consecutive responses without a usable `nextUpdateTime`. Determines the back-off. */
  fruitlessPolls: count,
  /** True once a delivered parcel has left the queue. */
  deliveryConfirmed: flag,
  /** When a response first reported that the journey is over. */
  endedAt: v.exactOptional(instant),
  /** When the service plans the next update, if the minimum polling interval delays our poll beyond that. */
  plannedFor: v.exactOptional(instant),
  /**
   * When the checks were stopped or delayed only because of pushes. Absent once a query has confirmed them.
   */
  unconfirmedSince: v.exactOptional(instant),
  error: v.optional(v.nullable(parcelErrorSchema), null),
  /** When the last line about the parcel was written to the change log. */
  changedAt: v.exactOptional(instant),
  unread: v.exactOptional(unreadSchema),
  snoozed: v.exactOptional(snoozedSchema),
});

/** A parcel's file in `history/`. */
const historySchema = v.looseObject({
  version: v.optional(v.literal(1), 1),
  /** Newest first. Known checkpoints are never lost. */
  checkpoints: v.array(checkpointSchema),
  /** The newest record as received, but cleaned. Null before the first. */
  received: v.optional(
    v.nullable(v.pipe(v.custom<JsonObject>(isJsonObject, 'is not an object'), v.transform(cleanJsonObject))),
    null,
  ),
});

export type Registration = Shape<typeof registrationSchema>;
export interface ParcelError extends Shape<typeof parcelErrorSchema> {}
export interface ParcelExtras extends Shape<typeof extrasSchema> {}
export interface ParcelMerchant extends Shape<typeof merchantSchema> {}
export interface IndexingWait extends Shape<typeof indexingSchema> {}
export interface InstantTries extends Shape<typeof instantTriesSchema> {}
export interface RecordSummary extends Shape<typeof recordSummarySchema> {}
export interface Parcel extends Shape<typeof parcelSchema> {}
export interface ParcelHistory extends Shape<typeof historySchema> {}

export const emptyHistory: ParcelHistory = { version: 1, checkpoints: [], received: null };

export const readHistory = (value: unknown): ParcelHistory | null => readAs(historySchema, value);

interface ReadParcel {
  /** Null if the entry is not a parcel. */
  readonly parcel: Parcel | null;
  /** Whether all fields were valid. */
  readonly isComplete: boolean;
}

/** Drops only the invalid fields, unless a field is required. */
export function readParcel(entry: unknown): ReadParcel {
  const complete = readAs(parcelSchema, entry);
  if (complete !== null) return { parcel: unpinUnknownCourier(complete), isComplete: true };
  if (!isJsonObject(entry)) return { parcel: null, isComplete: false };
  const result = v.safeParse(parcelSchema, entry);
  const invalidFields = new Set<unknown>(result.issues?.map((issue) => issue.path?.[0].key));
  const validFields = Object.fromEntries(Object.entries(entry).filter(([key]) => !invalidFields.has(key)));
  const parcel = readAs(parcelSchema, validFields);
  return { parcel: parcel === null ? null : unpinUnknownCourier(parcel), isComplete: false };
}

/** The user cannot have chosen a courier if none is known. */
function unpinUnknownCourier(parcel: Parcel): Parcel {
  return parcel.courierCode === null && parcel.courierPinned ? { ...parcel, courierPinned: false } : parcel;
}

/** Throws a `StoreError` for `path` if the id is invalid. */
export function assertValidId(id: string, path: string): void {
  if (!idPattern.test(id))
    throw new StoreError(
      'failed',
      `${JSON.stringify(id.slice(0, 80))} is not a valid parcel id, so nothing was changed.`,
      path,
    );
}

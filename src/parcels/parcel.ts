import * as v from 'valibot';
import { isJsonObject } from '../lib/json.ts';
import { readAs, type Shape } from '../service/shape.ts';
import type { ChangeLogState } from './change.ts';
import {
  type extrasSchema,
  historySchema,
  type indexingSchema,
  type instantTriesSchema,
  type merchantSchema,
  type parcelErrorSchema,
  parcelSchema,
  type recordSummarySchema,
  type registrationSchema,
} from './schema.ts';

/** Where a parcel stands between us and the service. An archived parcel keeps the registration it had. */
export type Registration = Shape<typeof registrationSchema>;

/** Why the last try for a parcel failed, in the shape of `--json`. */
export interface ParcelError extends Shape<typeof parcelErrorSchema> {}

/** Extra information that some couriers need. Never logged, and printed unmasked only where the user exports it. */
export interface ParcelExtras extends Shape<typeof extrasSchema> {}

/** What a merchant gave along with a parcel; sent with its registration. Holds an e-mail address: never logged. */
export interface ParcelMerchant extends Shape<typeof merchantSchema> {}

/** A registration that the service has taken while its queries still say that they do not know the number. */
export interface IndexingWait extends Shape<typeof indexingSchema> {}

/** Paid look-ups that were made by themselves because there was no record. */
export interface InstantTries extends Shape<typeof instantTriesSchema> {}

/** What the parcel keeps of a record. */
export interface RecordSummary extends Shape<typeof recordSummarySchema> {}

/** One watched number. Identity is number plus courier code; `id` is stable while the courier becomes known. */
export interface Parcel extends Shape<typeof parcelSchema> {}

/** One parcel's checkpoints as kept in `history/`. */
export interface ParcelHistory extends Shape<typeof historySchema> {}

/** Whole index as kept in `watchlist.json`. */
export interface Watchlist {
  readonly version: 1;
  /** How far the change log goes, with its last lines; absent before the first. */
  readonly changes?: ChangeLogState;
  readonly parcels: readonly Parcel[];
}

export const emptyWatchlist: Watchlist = { version: 1, parcels: [] };

/** A history as the schema reads it; null when it is none. */
export const readHistory = (value: unknown): ParcelHistory | null => readAs(historySchema, value);

/** What an entry of a watchlist was found to hold. */
interface ReadParcel {
  /** Null where it is none. */
  readonly parcel: Parcel | null;
  readonly whole: boolean;
}

/** A parcel and whether all of it was usable: one unusable field costs that field only, unless there is no parcel without it. */
export function readParcel(entry: unknown): ReadParcel {
  const whole = readAs(parcelSchema, entry);
  if (whole !== null) return { parcel: withoutBlindPin(whole), whole: true };
  if (!isJsonObject(entry)) return { parcel: null, whole: false };
  const strict = v.safeParse(parcelSchema, entry);
  const unusable = new Set<unknown>(strict.issues?.map((issue) => issue.path?.[0].key));
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !unusable.has(key)));
  const mended = v.safeParse(parcelSchema, rest);
  return { parcel: mended.success ? withoutBlindPin(mended.output) : null, whole: false };
}

/** Nobody can have chosen a courier that is not known. */
function withoutBlindPin(parcel: Parcel): Parcel {
  return parcel.courierCode === null && parcel.courierPinned ? { ...parcel, courierPinned: false } : parcel;
}

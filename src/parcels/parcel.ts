import * as v from 'valibot';
import { isJsonObject } from '../lib/json.ts';
import { readAs, type Shape } from '../service/schema.ts';
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

export type Registration = Shape<typeof registrationSchema>;
export interface ParcelError extends Shape<typeof parcelErrorSchema> {}
export interface ParcelExtras extends Shape<typeof extrasSchema> {}
export interface ParcelMerchant extends Shape<typeof merchantSchema> {}
export interface IndexingWait extends Shape<typeof indexingSchema> {}
export interface InstantTries extends Shape<typeof instantTriesSchema> {}
export interface RecordSummary extends Shape<typeof recordSummarySchema> {}
export interface Parcel extends Shape<typeof parcelSchema> {}
export interface ParcelHistory extends Shape<typeof historySchema> {}

/** The index in `watchlist.json`. */
export interface Watchlist {
  readonly version: 1;
  /** The end of the change log; absent before its first line. */
  readonly changes?: ChangeLogState;
  readonly parcels: readonly Parcel[];
}

export const emptyWatchlist: Watchlist = { version: 1, parcels: [] };

export const readHistory = (value: unknown): ParcelHistory | null => readAs(historySchema, value);

interface ReadParcel {
  /** Null if the entry is not a parcel. */
  readonly parcel: Parcel | null;
  /** Whether all fields were usable. */
  readonly whole: boolean;
}

/** An unusable field costs that field only, unless it is required. */
export function readParcel(entry: unknown): ReadParcel {
  const whole = readAs(parcelSchema, entry);
  if (whole !== null) return { parcel: unpinUnknownCourier(whole), whole: true };
  if (!isJsonObject(entry)) return { parcel: null, whole: false };
  const strict = v.safeParse(parcelSchema, entry);
  const unusable = new Set<unknown>(strict.issues?.map((issue) => issue.path?.[0].key));
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !unusable.has(key)));
  const usable = readAs(parcelSchema, rest);
  return { parcel: usable === null ? null : unpinUnknownCourier(usable), whole: false };
}

/** The user cannot have chosen an unknown courier. */
function unpinUnknownCourier(parcel: Parcel): Parcel {
  return parcel.courierCode === null && parcel.courierPinned ? { ...parcel, courierPinned: false } : parcel;
}

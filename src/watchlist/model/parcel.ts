import type { Shape } from '../../service/record/shape.ts';
import type { ChangeLogState } from '../changes/change.ts';
import type {
  extrasSchema,
  historySchema,
  indexingSchema,
  instantTriesSchema,
  merchantSchema,
  parcelErrorSchema,
  parcelSchema,
  recordSummarySchema,
  registrationSchema,
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

/** A record without its checkpoints and without the raw answer: what the index keeps of it. */
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

/** A watchlist without parcels. */
export const emptyWatchlist: Watchlist = { version: 1, parcels: [] };

import type { Checkpoint, MerchantFields, TrackingRecord } from '../../service/record/record.ts';

/** Where a parcel stands between us and the service. An archived parcel keeps the registration it had. */
export type Registration = 'pending' | 'registered' | 'rejected';

/** Why the last try for a parcel failed, in the shape of `--json`. */
export interface ParcelError {
  readonly kind: string;
  readonly code: string | null;
  /** The service's own words, or ours with what to do next. */
  readonly message: string;
  readonly traceId: string | null;
}

/** Extra information that some couriers need. Never logged, and printed unmasked only where the user exports it. */
export interface ParcelExtras {
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
}

/** What a merchant gave along with a parcel; sent with its registration. Holds an e-mail address: never logged. */
export interface ParcelMerchant extends Omit<MerchantFields, 'shipTime'> {
  /** When it was shipped, ISO 8601 UTC; the service is told it on the service clock. */
  readonly shippedAt?: string;
}

/** A registration that the service has taken while its queries still say that they do not know the number. */
export interface IndexingWait {
  /** When a query said so first since the last record. */
  readonly since: string;
  /** When it was settled that the number is sent to the service once more, which may cost; null while it was not. */
  readonly registeredAgainAt: string | null;
}

/** A record without its checkpoints and without the raw answer: what the index keeps of it. */
export interface RecordSummary extends Omit<TrackingRecord, 'checkpoints' | 'received'> {
  /** The event that brought the parcel where it stands (see `arrivalAmong`), where that is another one than the last. */
  readonly arrival?: Checkpoint;
}

/** One watched number (design.md, words). Identity is number plus courier code; `id` is stable while the courier becomes known. */
export interface Parcel {
  /** Random, safe as a file name. */
  readonly id: string;
  /** Names the file of its history; absent while that is `id`, another one since it became another parcel. */
  readonly historyId?: string;
  readonly trackNo: string;
  /** Chosen by the user or detected by the service; null while unknown. */
  readonly courierCode: string | null;
  /** True when the user chose the courier. */
  readonly courierPinned: boolean;
  readonly label: string | null;
  readonly tags: readonly string[];
  readonly extras: ParcelExtras;
  /** Absent when nothing was given. */
  readonly merchant?: ParcelMerchant;
  readonly registration: Registration;
  /** ISO 8601 UTC, as all instants here. */
  readonly addedAt: string;
  readonly registeredAt: string | null;
  /** Absent unless the service has taken the registration and does not know the number in its queries. */
  readonly indexing?: IndexingWait;
  readonly archivedAt: string | null;
  /** Current record; null until the service has answered with one. */
  readonly record: RecordSummary | null;
  readonly lastEvent: Checkpoint | null;
  readonly checkpointCount: number;
  /** When the service last gave a good answer about this parcel. */
  readonly checkedAt: string | null;
  /** When we ask next; null when the parcel has left the queue. */
  readonly nextPollAt: string | null;
  /** Answers in a row that gave no usable `nextUpdateTime`; drives the waiting ladder and the back-off. */
  readonly fruitlessPolls: number;
  /** True once a delivered parcel has had its one later confirmation. */
  readonly deliveryConfirmed: boolean;
  readonly error: ParcelError | null;
}

/** Whole index as kept in `watchlist.json`. */
export interface Watchlist {
  readonly version: 1;
  readonly parcels: readonly Parcel[];
}

/** One parcel's checkpoints as kept in `history/`. */
export interface ParcelHistory {
  readonly version: 1;
  /** Newest first; never loses a checkpoint that was once known. */
  readonly checkpoints: readonly Checkpoint[];
  /** The newest record as received, cleaned; null before the first. */
  readonly received: TrackingRecord['received'] | null;
}

import type { EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';

/** Where a store has got to: grows whenever parcels have changed, by whomever. Counts for one store object only. */
export type Revision = number;

export interface StoredParcels {
  readonly revision: Revision;
  readonly parcels: readonly Parcel[];
  /** The newest line of the change log; 0 when it has none. */
  readonly changeSeq: number;
}

export interface ParcelWrite {
  readonly id: string;
  /** Null for one that is to be removed. */
  readonly parcel: Parcel | null;
}

interface WriteOptions {
  /** The number of the lease under which it was decided, refused where somebody else has taken that since; null or absent for a write that needs none. */
  readonly fence?: number | null;
}

/** What came of writing; what others have written is asked for with {@link WatchlistStore.changesSince}. */
interface WriteOutcome {
  /** False when somebody else has changed one of the parcels meanwhile; then nothing was written. */
  readonly isWritten: boolean;
  /** True when nothing was written because somebody else has taken the lease. */
  readonly isFenced?: true;
}

/** How far the reading of a list has come, in parcels. */
export interface ReadProgress {
  readonly read: number;
  readonly total: number;
}

/** What has changed between two revisions. */
export interface StoreChanges {
  readonly revision: Revision;
  /** The newest line of the change log. */
  readonly changeSeq: number;
  /** Parcels that are new or have changed, as they are now. */
  readonly changed: readonly Parcel[];
  readonly removed: readonly string[];
  /** True when the older revision is not remembered any more: then `changed` holds all parcels, and no other is there. */
  readonly isAll: boolean;
}

/** Port to where the watchlist is kept. All methods reject with a `StoreError`. */
export interface WatchlistStore {
  /** Why nothing can be written here, as a sentence with what to do; null or absent where it can. Known once something was read. */
  readonly readOnly?: string | null;
  /** True where a write costs what it changes, and not the whole list: then answers are written as they come. */
  readonly writesAtOnce?: boolean;
  /**
   * All parcels in their order; none when there is no watchlist yet.
   * @param numbers the only ones that are needed, under whatever courier: a database answers with no others, files with all
   */
  read(numbers?: readonly string[]): Promise<StoredParcels>;
  /**
   * Calls the listener when somebody else has written, as soon as it is known, and now and then for nothing; answers how to
   * stop. Absent where a store is to be asked again and again.
   */
  onNews?(listener: () => void): () => void;
  /**
   * Calls the listener while all of a list is read, where that takes several turns; answers how to stop. Absent where nothing
   * is known before all is read.
   */
  onReading?(listener: (progress: ReadProgress) => void): () => void;
  /**
   * Writes parcels, all of them or none: none when somebody else has changed one of them since revision `basedOn`, or has
   * added one with the number of one that is new. A parcel that is removed waits in the trash with its history for 30
   * days; one that comes back finds its history again. What changes is written to the change log along with it, once,
   * as noticed at `now`, and marked in the parcel.
   */
  write(writes: readonly ParcelWrite[], basedOn: Revision, now: EpochMs, options?: WriteOptions): Promise<WriteOutcome>;
  /** What has changed since a revision, in all parcels; null for nothing, which costs next to nothing. */
  changesSince(revision: Revision): Promise<StoreChanges | null>;
  /** The lines of the change log after a number, oldest first; those of 90 days are kept, 20,000 at most. */
  changeLogAfter(seq: number): Promise<readonly Change[]>;
  /** The lines that were noticed at a time or later, oldest first; absent where all of them are read anyway. */
  changeLogFrom?(noticedAt: EpochMs): Promise<readonly Change[]>;
  /**
   * Looks whether parcels have changed, since this store remembers, without a line of the change log, as when an editor or
   * a synchroniser has written the watchlist, and writes those lines unless `mayWrite` is false; each is written once,
   * however many stores do so. Answers whether it wrote; null when nothing has been read since the last look, which costs
   * nothing.
   */
  logEdits(now: EpochMs, mayWrite: boolean): Promise<boolean | null>;
  /** Reads one parcel's history by its name (`historyIdOf`); an empty one when there is none. */
  readHistory(historyId: string): Promise<ParcelHistory>;
  /** Applies a change to one parcel's newest history and writes it. A change that returns its argument writes nothing. */
  updateHistory(historyId: string, change: (current: ParcelHistory) => ParcelHistory): Promise<ParcelHistory>;
  /** Forgets one parcel's history for good; harmless when there is none. */
  removeHistory(historyId: string): Promise<void>;
  /** What a person should know, in sentences, since the last call; each given once. */
  takeNotices(): readonly string[];
}

/** Cuts a list into pieces of at most `limit`. */
export function inBatches<Item>(items: readonly Item[], limit: number): readonly (readonly Item[])[] {
  const size = Math.max(1, Math.floor(limit));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

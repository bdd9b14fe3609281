import type { EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';

/** The list's version number, which increases whenever any program changes parcels. Valid only within one store object. */
export type Revision = number;

export interface StoredParcels {
  readonly revision: Revision;
  /** In list order. */
  readonly parcels: readonly Parcel[];
  /** The number of the newest line in the change log, or 0 if there isn't one. */
  readonly changeSeq: number;
}

export interface ParcelWrite {
  readonly id: string;
  /** Null removes the parcel. */
  readonly parcel: Parcel | null;
}

interface WriteOptions {
  /**
   * The number of the lease that is required. If another program has taken the lease since, nothing is written. Null or
   * absent if no lease is required.
   */
  readonly fence?: number | null;
}

interface WriteOutcome {
  /** False if nothing was written, because another program has changed one of the parcels or taken the lease. */
  readonly isWritten: boolean;
  /** True if the reason is that another program has taken the lease. */
  readonly isFenced?: true;
}

/** How many parcels of a list have been read. */
export interface ReadProgress {
  readonly read: number;
  readonly total: number;
}

/** The port to the watchlist's storage. All methods reject with a `StoreError`. */
export interface WatchlistStore {
  /**
   * Why we cannot write, as a sentence that tells the user what to do. Null or absent if we can. Not known before the
   * first read.
   */
  readonly readOnly?: string | null;
  /** True if only changed parcels are written, not the whole list. Then responses are written as they arrive. */
  readonly writesAtOnce?: boolean;
  /**
   * Returns all parcels in list order. Empty if there is no watchlist yet.
   * @param numbers the numbers that are needed, for any courier: a database returns only these, files return all parcels
   */
  read(numbers?: readonly string[]): Promise<StoredParcels>;
  /**
   * Calls the listener soon after another program has written, and sometimes even when nothing has changed. Returns a
   * function that unsubscribes. Absent if callers must poll the store.
   */
  onNews?(listener: () => void): () => void;
  /**
   * Reports progress while a long list is being read. Returns a function that unsubscribes. Absent if there is no progress
   * to report.
   */
  onReading?(listener: (progress: ReadProgress) => void): () => void;
  /**
   * Writes all of the parcels, or none if another program has changed one of them since `basedOn` was read, or has added a
   * parcel with the same number as a new one. A removed parcel stays in the trash for 30 days along with its history;
   * restoring the parcel restores both. Each change is written to the change log once, as noticed at `now`, and marked in the
   * parcel.
   */
  write(
    writes: readonly ParcelWrite[],
    basedOn: StoredParcels,
    now: EpochMs,
    options?: WriteOptions,
  ): Promise<WriteOutcome>;
  /**
   * Returns the newest list if any program has changed it since `than`, or null. Unchanged parcels stay the same objects.
   * The call is cheap if nothing has changed.
   */
  newer(than: StoredParcels): Promise<StoredParcels | null>;
  /** Returns the lines of the change log after a number, oldest first. The log covers 90 days and at most 20,000 lines. */
  changeLogAfter(seq: number): Promise<readonly Change[]>;
  /**
   * Finds changes that are not in the change log because they were made outside the program, by an editor or a sync tool.
   * With `mayWrite`, adds each of them to the log exactly once, even if there are several stores. Returns whether it wrote, or null
   * if nothing new was read since the last call.
   */
  logEdits(now: EpochMs, mayWrite: boolean): Promise<boolean | null>;
  /** Reads the history with this id (`historyIdOf`). Empty if there isn't one. */
  readHistory(historyId: string): Promise<ParcelHistory>;
  /**
   * Applies a change to the newest version of a history, and writes and returns it. Writes nothing if the change returns
   * its argument.
   */
  updateHistory(historyId: string, change: (current: ParcelHistory) => ParcelHistory): Promise<ParcelHistory>;
  /** Permanently deletes a history, if there is one. */
  removeHistory(historyId: string): Promise<void>;
  /** Returns the messages for the user that are new since the last call. */
  takeNotices(): readonly string[];
}

/** Splits a list into batches of at most `limit` items. */
export function inBatches<Item>(items: readonly Item[], limit: number): readonly (readonly Item[])[] {
  const size = Math.max(1, Math.floor(limit));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A small JSON document that all processes of a watchlist share. Methods reject with a `StoreError`. */
export interface Document<Data> {
  /** Resolves with the data. A missing or damaged document counts as empty. */
  read(): Promise<Data>;
  /**
   * Applies a change to the newest data, and writes and returns the result. Writes nothing if the change returns its
   * argument. The change may be applied several times.
   */
  update(change: (current: Data) => Data, options?: UpdateOptions): Promise<Data>;
  /** Set if hosts share the document. Then a host that cannot access it must not act on its own. */
  readonly isBinding?: true;
}

export interface UpdateOptions {
  /**
   * The number of the lease that is required. Rejects with a `LeaseLostError` if another host has taken the lease since.
   * Null or absent if no lease is required. Files ignore this.
   */
  readonly fence?: number | null;
}

/** A document in memory, for the demo, simulations and tests. */
export function createMemoryDocument<Data>(initial: Data): Document<Data> {
  let data = initial;
  return {
    read: async () => data,
    update: async (change) => {
      data = change(data);
      return data;
    },
  };
}

import type { EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';

/** A store's state. Grows whenever any program changes parcels. Valid for one store object only. */
export type Revision = number;

export interface StoredParcels {
  readonly revision: Revision;
  /** In list order. */
  readonly parcels: readonly Parcel[];
  /** The newest line of the change log; 0 if it is empty. */
  readonly changeSeq: number;
}

export interface ParcelWrite {
  readonly id: string;
  /** Null removes it. */
  readonly parcel: Parcel | null;
}

interface WriteOptions {
  /**
   * The number of the required lease. The write is refused if another program has taken it since. Null or absent if no
   * lease is needed.
   */
  readonly fence?: number | null;
}

interface WriteOutcome {
  /** False if another program has changed one of the parcels. Then nothing was written. */
  readonly isWritten: boolean;
  /** True if nothing was written because another program has taken the lease. */
  readonly isFenced?: true;
}

/** The progress of reading a list, in parcels. */
export interface ReadProgress {
  readonly read: number;
  readonly total: number;
}

/** The port to the watchlist's storage. All methods reject with a `StoreError`. */
export interface WatchlistStore {
  /**
   * Why we cannot write, as a sentence that tells the user what to do. Null or absent if we can. Known after the first
   * read.
   */
  readonly readOnly?: string | null;
  /** True if a write costs only what it changes, not the whole list. Then responses are written as they come. */
  readonly writesAtOnce?: boolean;
  /**
   * Returns all parcels in order. Empty if there is no watchlist yet.
   * @param numbers the only ones needed, for any courier: a database returns just these, files return all
   */
  read(numbers?: readonly string[]): Promise<StoredParcels>;
  /**
   * Calls the listener soon after another program has written, and sometimes without a change. Returns a function to
   * stop. Absent if callers must ask the store repeatedly.
   */
  onNews?(listener: () => void): () => void;
  /**
   * Calls the listener while a long list is read. Returns a function to stop. Absent if there is no progress to report.
   */
  onReading?(listener: (progress: ReadProgress) => void): () => void;
  /**
   * Writes all of the parcels, or none if another program has changed one of them since `basedOn` was read, or has
   * added one with the number of a new one. A removed parcel stays in the trash with its history for 30 days. A
   * restored one gets its history back. Each change is logged once in the change log, as noticed at `now`, and marked
   * in the parcel.
   */
  write(
    writes: readonly ParcelWrite[],
    basedOn: StoredParcels,
    now: EpochMs,
    options?: WriteOptions,
  ): Promise<WriteOutcome>;
  /**
   * Returns the list with the changes of all programs since it was read, or null if there are none. Parcels that have
   * not changed are the same objects. A call without changes is cheap.
   */
  newer(than: StoredParcels): Promise<StoredParcels | null>;
  /** Returns the lines of the change log after a number, oldest first. It contains 90 days and at most 20,000 lines. */
  changeLogAfter(seq: number): Promise<readonly Change[]>;
  /**
   * Finds parcel changes that are not in the change log, such as edits by an editor or a synchroniser,
   * and logs them unless `mayWrite` is false. Each is logged once even with several stores. Returns whether it wrote,
   * or null if nothing was read since the last call.
   */
  logEdits(now: EpochMs, mayWrite: boolean): Promise<boolean | null>;
  /** Reads one parcel's history by its name (`historyIdOf`). Empty if the parcel has no history. */
  readHistory(historyId: string): Promise<ParcelHistory>;
  /**
   * Applies a change to one parcel's newest history and writes it. Writes nothing if the change returns its
   * argument.
   */
  updateHistory(historyId: string, change: (current: ParcelHistory) => ParcelHistory): Promise<ParcelHistory>;
  /** Deletes one parcel's history permanently. Does nothing if the parcel has no history. */
  removeHistory(historyId: string): Promise<void>;
  /** Returns new sentences for the user since the last call, each once. */
  takeNotices(): readonly string[];
}

/** Splits a list into pieces of at most `limit`. */
export function inBatches<Item>(items: readonly Item[], limit: number): readonly (readonly Item[])[] {
  const size = Math.max(1, Math.floor(limit));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A small JSON document shared by all processes of a watchlist. Methods reject with a `StoreError`. */
export interface Document<Data> {
  /** Resolves with the data. A missing or damaged document is empty. */
  read(): Promise<Data>;
  /**
   * Applies a change to the newest data, writes and returns the result. Writes nothing if the change returns its
   * argument. The change may be applied several times.
   */
  update(change: (current: Data) => Data, options?: UpdateOptions): Promise<Data>;
  /** Set if hosts share it: a host that cannot read or write it must not act on its own. */
  readonly isBinding?: true;
}

export interface UpdateOptions {
  /**
   * The lease number of the change. Rejects with a `LeaseLostError` if another host has a newer one. Null or absent if
   * no lease is needed. Files ignore it.
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

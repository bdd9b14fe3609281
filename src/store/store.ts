import { isDeepStrictEqual } from 'node:util';
import { createSerialQueue } from '../lib/async.ts';
import type { EpochMs } from '../lib/clock.ts';
import { foldNumber } from '../lib/text.ts';
import type { Change } from '../parcels/change.ts';
import { historyIdOf } from '../parcels/identity.ts';
import { noteChanges } from '../parcels/note-changes.ts';
import { emptyHistory, type Parcel, type ParcelHistory } from '../parcels/parcel.ts';
import {
  addedParcels,
  differences,
  emptyWatchlist,
  isSameList,
  removedParcels,
  type Watchlist,
} from '../parcels/parcel-list.ts';

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
   * Returns the newest list if any program has changed it since `known`, or null. Unchanged parcels stay the same objects.
   * The call is cheap if nothing has changed.
   */
  newer(known: StoredParcels): Promise<StoredParcels | null>;
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

/** Maximum number of lines in the change log. */
export const maxChanges = 20_000;
/** Older lines of the change log are deleted. */
export const maxChangeAgeMs = 90 * 24 * 60 * 60_000;

/** Splits a list into batches of at most `limit` items. */
export function splitIntoBatches<Item>(items: readonly Item[], limit: number): readonly (readonly Item[])[] {
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

/** Returns a function that assigns a revision to each list that a store reads. Any difference produces a new revision. */
export function createRevisions(): (parcels: readonly Parcel[], changeSeq: number) => StoredParcels {
  let newest: StoredParcels = { revision: 0, parcels: [], changeSeq: 0 };
  return (parcels, changeSeq) => {
    const isSame = changeSeq === newest.changeSeq && isSameList(parcels, newest.parcels);
    if (newest.revision === 0 || !isSame) newest = { revision: newest.revision + 1, parcels, changeSeq };
    return newest;
  };
}

/**
 * Whether writes that are based on a list are outdated: one of their parcels has changed since, or a parcel was added that
 * has the same number as a new one.
 */
export function areOutdated(
  writes: readonly ParcelWrite[],
  basedOn: readonly Parcel[],
  current: readonly Parcel[],
): boolean {
  if (isSameList(basedOn, current)) return false;
  const previous = new Map(basedOn.map((parcel) => [parcel.id, parcel]));
  const changedParcels = current.filter((parcel) => {
    const before = previous.get(parcel.id);
    previous.delete(parcel.id);
    return before !== parcel && !isDeepStrictEqual(before, parcel);
  });
  const ids = new Set([...previous.keys(), ...changedParcels.map(({ id }) => id)]);
  const numbers = new Set(changedParcels.map(({ trackNo }) => foldNumber(trackNo)));
  return writes.some(
    ({ id, parcel }) =>
      ids.has(id) ||
      (parcel !== null && numbers.has(foldNumber(parcel.trackNo)) && !current.some((known) => known.id === id)),
  );
}

/** Applies writes to a list. New parcels come last. */
export function applyWrites(parcels: readonly Parcel[], writes: readonly ParcelWrite[]): readonly Parcel[] {
  if (writes.length === 0) return parcels;
  const remaining = new Map(writes.map(({ id, parcel }) => [id, parcel]));
  const after: Parcel[] = [];
  for (const parcel of parcels) {
    const replacement = remaining.get(parcel.id);
    if (replacement !== null) after.push(replacement ?? parcel);
    remaining.delete(parcel.id);
  }
  for (const added of remaining.values()) if (added !== null) after.push(added);
  return after;
}

export const writesBetween = (before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelWrite[] =>
  differences(before, after).flatMap(({ before: old, after: parcel }) => {
    const id = (parcel ?? old)?.id;
    return id === undefined ? [] : [{ id, parcel }];
  });

/**
 * A watchlist in memory, for the demo, simulations and tests.
 * @param maxLines maximum number of lines in the change log
 */
export function createMemoryStore(initial: Watchlist = emptyWatchlist, maxLines = maxChanges): WatchlistStore {
  let watchlist = initial;
  /** Modified in place: copying it for each change would cost more than everything else. */
  const log: Change[] = [...(initial.changes?.recent ?? [])];
  const queue = createSerialQueue();
  const withRevision = createRevisions();
  const histories = new Map<string, ParcelHistory>();
  const trash = new Map<string, ParcelHistory>();
  const getHistory = (parcelId: string): ParcelHistory => histories.get(parcelId) ?? emptyHistory;
  const move = (parcelId: string, from: Map<string, ParcelHistory>, to: Map<string, ParcelHistory>): void => {
    const history = from.get(parcelId);
    if (history === undefined) return;
    from.delete(parcelId);
    to.set(parcelId, history);
  };
  const replace = async (writes: readonly ParcelWrite[], now: EpochMs): Promise<void> => {
    const parcels = applyWrites(watchlist.parcels, writes);
    const [{ parcels: before }] = [watchlist];
    watchlist = await noteChanges(watchlist, { ...watchlist, parcels }, { now, loggedSeq: log.at(-1)?.seq ?? 0 });
    const lastSeq = log.at(-1)?.seq ?? 0;
    for (const change of watchlist.changes?.recent ?? []) if (change.seq > lastSeq) log.push(change);
    if (log.length > maxLines * 1.5) log.splice(0, log.length - maxLines);
    const after = watchlist.parcels;
    for (const id of removedParcels(before, after).map(historyIdOf)) move(id, histories, trash);
    for (const id of addedParcels(before, after).map(historyIdOf)) if (!histories.has(id)) move(id, trash, histories);
  };
  const current = (): StoredParcels => withRevision(watchlist.parcels, watchlist.changes?.seq ?? 0);
  return {
    read: async () => current(),
    async write(writes, basedOn, now) {
      return await queue.run(async () => {
        const isWritten = !areOutdated(writes, basedOn.parcels, watchlist.parcels);
        if (isWritten && writes.length > 0) await replace(writes, now);
        return { isWritten };
      });
    },
    newer: async ({ revision }) => (current().revision === revision ? null : current()),
    changeLogAfter: async (seq) => log.slice(log.findLastIndex((change) => change.seq <= seq) + 1).slice(-maxLines),
    // Nothing else writes to this store.
    logEdits: async () => null,
    readHistory: async (parcelId) => getHistory(parcelId),
    updateHistory: async (parcelId, change) => {
      const history = change(getHistory(parcelId));
      histories.set(parcelId, history);
      return history;
    },
    removeHistory: async (parcelId) => {
      histories.delete(parcelId);
    },
    takeNotices: () => [],
  };
}

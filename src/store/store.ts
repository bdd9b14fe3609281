import type { EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import { isLight, type WholeParcel } from '../parcels/light-parcel.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';
import type { ParcelPositions } from '../parcels/parcel-list.ts';
import {
  mayBeQuiet,
  noUsualStillness,
  type StoodStill,
  stoodStill,
  type UsualStillness,
  usualStillness,
} from '../parcels/stillness.ts';

/** Where a store has got to: grows whenever parcels have changed, by whomever. Counts for one store object only. */
export type Revision = number;

/** Whether parcels are read with all that they hold, or as `LightParcel`s. */
export type ParcelForm = 'whole' | 'light';

/** All parcels as they were at a revision. */
export interface StoredParcels {
  readonly revision: Revision;
  /** Of a long list, `LightParcel`s: what they lack is read with {@link WatchlistStore.whole}. */
  readonly parcels: readonly Parcel[];
  /** The newest line of the change log; 0 when it has none. */
  readonly changeSeq: number;
}

/** What is to become of one parcel. */
export interface ParcelWrite {
  readonly id: string;
  /** Null for one that is to be removed. */
  readonly parcel: WholeParcel | null;
}

/** Under what a write holds. */
interface WriteOptions {
  /** The number of the lease under which it was decided, refused where somebody else has taken that since; null or absent for a write that needs none. */
  readonly fence?: number | null;
}

/** What came of writing. */
interface WriteOutcome {
  /** False when somebody else has changed one of the parcels meanwhile; then nothing was written. */
  readonly isWritten: boolean;
  /** True when nothing was written because somebody else has taken the lease. */
  readonly isFenced?: true;
  readonly current: StoredParcels;
}

/** How far the reading of a list has come, in parcels. */
export interface ReadProgress {
  readonly read: number;
  /** Null as long as it is not known. */
  readonly total: number | null;
}

/** What has changed between two revisions. */
export interface StoreChanges {
  /** The newer one. */
  readonly revision: Revision;
  /** The newest line of the change log. */
  readonly changeSeq: number;
  /** Parcels that are new or have changed, as they are now. */
  readonly changed: readonly Parcel[];
  /** Ids of parcels that are there no more. */
  readonly removed: readonly string[];
  /** True when the older revision is not remembered any more: then `changed` holds all parcels, and no other is there. */
  readonly isAll: boolean;
}

/** The parcels that are to be checked soonest: whole ones, by `waitsUntil`, soonest first. */
export interface SoonestParcels extends StoredParcels {
  /** True when no other parcel waits. */
  readonly isAll: boolean;
}

/** Port to where the watchlist is kept. All methods reject with a `StoreError`. */
export interface WatchlistStore {
  /** Why nothing can be written here, as a sentence with what to do; null or absent where it can. Known once something was read. */
  readonly readOnly?: string | null;
  /** True where a write costs what it changes, and not the whole list: then answers are written as they come. */
  readonly writesAtOnce?: boolean;
  /** Finds parcels in the list that the store holds, for whoever holds nearly the same one; absent where it holds none. */
  readonly positions?: ParcelPositions;
  /** All parcels, light ones of a long list; none when there is no watchlist yet. */
  read(): Promise<StoredParcels>;
  /** The parcels of these ids as a whole, in any order; those that are not there are left out. */
  whole(ids: readonly string[]): Promise<readonly Parcel[]>;
  /**
   * The parcels that are to be checked soonest, `most` of them, without the others being read; absent where a store holds
   * all of them anyway. Whoever has read them is told with {@link changesSince} of all that change, whether or not these
   * were among them.
   */
  soonest?(most: number): Promise<SoonestParcels>;
  /**
   * All parcels in their order, a page at a time, of which the store holds none; what others write meanwhile may be in it or
   * not. Absent where a store holds all of them anyway.
   */
  pages?(form: ParcelForm): AsyncIterable<readonly Parcel[]>;
  /** The whole parcels with these numbers, under any courier; absent where a store holds all of them anyway. */
  withNumbers?(numbers: readonly string[]): Promise<readonly Parcel[]>;
  /** The same for whoever reads no others: they are told with {@link changesSince} of all that change, as with {@link soonest}. */
  onlyNumbers?(numbers: readonly string[]): Promise<StoredParcels>;
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
   * as noticed at `now`, and marked in the parcel. Light parcels are refused.
   */
  write(writes: readonly ParcelWrite[], basedOn: Revision, now: EpochMs, options?: WriteOptions): Promise<WriteOutcome>;
  /** What has changed since a revision, null for nothing; costs next to nothing then. */
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

/** How many parcels are read at a time. */
const pageParcels = 1_000;

/**
 * A list with whole parcels in place of light ones, for what prints or writes all of each; those that have been removed
 * meanwhile are left out. Rejects with a `StoreError`.
 */
export async function wholeList(
  store: Pick<WatchlistStore, 'whole'>,
  parcels: readonly Parcel[],
): Promise<readonly Parcel[]> {
  const light = parcels.filter(isLight).map(({ id }) => id);
  if (light.length === 0) return parcels;
  const found = new Map<string, Parcel>();
  for (const page of inBatches(light, pageParcels)) {
    for (const parcel of await store.whole(page)) found.set(parcel.id, parcel);
  }
  return parcels.flatMap((parcel) => (isLight(parcel) ? (found.get(parcel.id) ?? []) : [parcel]));
}

/**
 * For how long parcels usually stand still, where that is to be said of one parcel. A store that holds no list is asked for
 * it only then, and page by page. Rejects with a `StoreError`.
 */
export async function usualBeside(store: WatchlistStore, parcel: Parcel, now: EpochMs): Promise<UsualStillness> {
  if (!mayBeQuiet(parcel, now)) return noUsualStillness;
  const known: StoodStill[] = [];
  const pages = store.pages?.('light') ?? [(await store.read()).parcels];
  for await (const page of pages) for (const one of page) known.push(...stoodStill(one));
  return usualStillness(known);
}

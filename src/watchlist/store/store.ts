import type { FileNotice } from '../files/file-notice.ts';
import type { ParcelHistory, Watchlist } from '../model/parcel.ts';

/**
 * Port to where the watchlist is kept. Every change is: lock, re-read, apply, write.
 * All methods reject with a `StoreError`.
 */
export interface WatchlistStore {
  /** Reads the index; an empty watchlist when there is none yet. */
  read(): Promise<Watchlist>;
  /**
   * Applies a change to the newest index and writes it; answers what was written. A change that returns its argument
   * writes nothing; one may be applied again when somebody else wrote meanwhile. A parcel that leaves the index waits
   * in the trash with its history for 30 days; one that comes back finds its history again.
   */
  update(change: (current: Watchlist) => Watchlist): Promise<Watchlist>;
  /** Whether someone else has written the index since this store last read or wrote it; costs next to nothing. */
  hasChanged(): Promise<boolean>;
  /** Reads one parcel's history by its name (`historyIdOf`); an empty one when there is none. */
  readHistory(historyId: string): Promise<ParcelHistory>;
  /** Applies a change to one parcel's newest history and writes it. A change that returns its argument writes nothing. */
  updateHistory(historyId: string, change: (current: ParcelHistory) => ParcelHistory): Promise<ParcelHistory>;
  /** Forgets one parcel's history for good; harmless when there is none. */
  removeHistory(historyId: string): Promise<void>;
  /** Notices since the last call, each given once. */
  takeNotices(): readonly FileNotice[];
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Random } from '../service/clock.ts';
import { removeFile } from './atomic-write.ts';
import { historyFormat, watchlistFormat } from './document.ts';
import { DocumentFiles } from './document-files.ts';
import { StoreFailedError, systemCode } from './errors.ts';
import type { ParcelHistory, Watchlist } from './parcel.ts';
import { idPattern } from './schema.ts';
import type { StoreNotice, WatchlistStore } from './store.ts';

/** Where the files are and what the store runs on. */
export interface FileStoreOptions {
  /** Holds `watchlist.json` and `history/`; created when needed. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * The watchlist in files (design.md, decisions 5 and 6): lowdb over an adapter that locks, validates, writes atomically
 * and never overwrites what is damaged. Several stores and processes may use one directory at once.
 */
export function createFileStore({ directory, clock, random }: FileStoreOptions): WatchlistStore {
  let notices: readonly StoreNotice[] = [];
  const notify = (notice: StoreNotice): void => {
    notices = [...notices, notice];
  };
  const files = new DocumentFiles({ clock, random, notify });
  const indexPath = join(directory, 'watchlist.json');

  let seenMark: string | null = null;
  const remember = async (path: string): Promise<void> => {
    seenMark = await fileMark(path);
  };

  // Ids come from a file that anybody may have edited; none may name a file elsewhere.
  const historyPath = (parcelId: string): string => {
    const path = join(directory, 'history', `${parcelId}.json`);
    if (!idPattern.test(parcelId)) throw new StoreFailedError(`"${parcelId}" is no id of a parcel.`, path);
    return path;
  };

  return {
    // The mark is taken before reading: a write in between is then noticed once more rather than missed.
    read: async (): Promise<Watchlist> => await files.read(indexPath, watchlistFormat, remember),
    update: async (change) => await files.update(indexPath, watchlistFormat, change, remember),
    hasChanged: async () => await files.exclusive(indexPath, async (path) => (await fileMark(path)) !== seenMark),
    readHistory: async (parcelId): Promise<ParcelHistory> => await files.read(historyPath(parcelId), historyFormat),
    updateHistory: async (parcelId, change) => await files.update(historyPath(parcelId), historyFormat, change),
    removeHistory: async (parcelId) => await files.exclusive(historyPath(parcelId), removeFile),
    takeNotices: () => {
      const taken = notices;
      notices = [];
      return taken;
    },
  };
}

/** Differs whenever the file was replaced: each write is a new file. */
async function fileMark(path: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(path);
    return `${ino}-${mtimeMs}-${size}`;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'none';
    throw error;
  }
}

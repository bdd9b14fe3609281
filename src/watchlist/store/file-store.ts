import { join } from 'node:path';
import type { Clock, EpochMs, Random } from '../../service/clock/clock.ts';
import { StoreFailedError, toStoreError } from '../errors.ts';
import { type ChangeHooks, DocumentFiles } from '../files/document-files.ts';
import { DocumentMemory } from '../files/document-memory.ts';
import { fileMark } from '../files/file-mark.ts';
import type { DocumentKind } from '../files/inspect-file.ts';
import { removeLeftOvers } from '../files/left-overs.ts';
import { removeFile } from '../files/remove-file.ts';
import type { Processes } from '../lock/lock-owner.ts';
import { historyIdOf, idPattern } from '../model/identity.ts';
import type { ParcelHistory, Watchlist } from '../model/parcel.ts';
import { comers, leavers } from '../model/watchlist-difference.ts';
import { Backups, backupName } from './backups.ts';
import { createWatchlistFormat, type FormatVersions, historyFormat } from './document.ts';
import { createRecovery, type Recovery } from './recovery.ts';
import type { StoreNotice, WatchlistStore } from './store.ts';
import { Trash } from './trash.ts';

/** Where the files are and what the store runs on. */
export interface FileStoreOptions {
  /** Holds `watchlist.json`, `history/`, `trash/` and `backups/`; created when needed. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Lets locks name their holders, and those of killed ones be taken over at once; absent or null: neither. */
  readonly processes?: Processes | null;
  /** File versions of the index; this program's unless told. */
  readonly versions?: FormatVersions;
}

const dayMs = 24 * 60 * 60_000;

/** The watchlist in files, with what was kept of it. */
export interface FileStore extends WatchlistStore {
  readonly recovery: Recovery;
}

/**
 * The watchlist in files (design.md, decisions 5 and 6): lowdb over an adapter that locks, validates, writes atomically
 * and never overwrites what is damaged. Several stores and processes may use one directory at once.
 */
export function createFileStore(options: FileStoreOptions): FileStore {
  const { directory, clock, random, processes = null } = options;
  let notices: readonly StoreNotice[] = [];
  const notify = (notice: StoreNotice): void => {
    notices = [...notices, notice];
  };
  const files = new DocumentFiles({ clock, random, processes, notify });
  const indexPath = join(directory, 'watchlist.json');
  const historyFolder = join(directory, 'history');
  const format = createWatchlistFormat(options.versions);
  const backupFolder = join(directory, 'backups');
  const backups = new Backups({ folder: backupFolder, clock, random, format });
  const trash = new Trash({ folder: join(directory, 'trash'), historyFolder, clock, random, format });

  const index: DocumentKind<Watchlist> = {
    format,
    memory: new DocumentMemory(),
    isPrecious: ({ parcels }) => parcels.length > 0,
    tidiesUp: true,
    async offerCopy() {
      const backup = await backups.newestGood();
      if (backup === null) return null;
      const count = backup.watchlist.parcels.length;
      return `The newest good backup is ${backup.path} (${count} ${count === 1 ? 'parcel' : 'parcels'}); "parcel-monitor restore ${backup.name}" brings it back.`;
    },
  };
  const history: DocumentKind<ParcelHistory> = {
    format: historyFormat,
    memory: null,
    isPrecious: () => false,
    tidiesUp: false,
    offerCopy: async () => null,
  };

  // Ids come from a file that anybody may have edited; none may name a file elsewhere.
  const historyPath = (parcelId: string): string => {
    const path = join(historyFolder, `${parcelId}.json`);
    if (!idPattern.test(parcelId)) throw new StoreFailedError(`"${parcelId}" is no id of a parcel.`, path);
    return path;
  };

  let prunedAt: EpochMs | null = null;
  /** The daily copy is a service beside the change, which must not fail for it. */
  const keepDaily = async (path: string): Promise<void> => {
    try {
      await backups.keepDaily(path);
      const now = clock.now();
      if (prunedAt !== null && Math.abs(now - prunedAt) < dayMs) return;
      await trash.prune();
      await removeLeftOvers(historyFolder, now, (name) => idPattern.test(name.replace(/\.json$/, '')));
      await removeLeftOvers(backupFolder, now, (name) => backupName.test(name));
      prunedAt = now;
    } catch (error) {
      const { message } = toStoreError(error, backupFolder);
      notify({ kind: 'no-backup', message: `The daily copy of the watchlist could not be made. ${message}` });
    }
  };
  /** The parcels are gone by then, and come back with their histories from wherever those are. */
  const takeHistories = async (historyIds: readonly string[]): Promise<void> => {
    try {
      await trash.takeHistories(historyIds);
    } catch (error) {
      const { message } = toStoreError(error, historyFolder);
      notify({ kind: 'history-left', message: `The history of a removed parcel stays where it is. ${message}` });
    }
  };
  const hooks: ChangeHooks<Watchlist> = {
    beforeReplacing: async ({ path }) => await keepDaily(path),
    async beforeWriting({ before, after }) {
      const leaving = leavers(before, after);
      if (leaving.length > 0) await trash.note(leaving);
      const coming = comers(before, after);
      if (coming.length > 0) await trash.giveBackHistories(coming.map(historyIdOf));
    },
    async afterWriting({ before, after }) {
      const left = leavers(before, after);
      if (left.length > 0) await takeHistories(left.map(historyIdOf));
    },
  };

  const store: WatchlistStore = {
    read: async (): Promise<Watchlist> => await files.read(indexPath, index),
    update: async (change) => await files.update(indexPath, index, change, hooks),
    hasChanged: async () =>
      await files.exclusive(indexPath, async (path) => (await fileMark(path)) !== index.memory?.mark),
    readHistory: async (parcelId): Promise<ParcelHistory> => await files.read(historyPath(parcelId), history),
    updateHistory: async (parcelId, change) => await files.update(historyPath(parcelId), history, change),
    removeHistory: async (parcelId) => await files.exclusive(historyPath(parcelId), removeFile),
    takeNotices: () => {
      const taken = notices;
      notices = [];
      return taken;
    },
  };
  const replaceIndex = async (change: (current: Watchlist) => Watchlist): Promise<string | null> => {
    let keptAs: string | null = null;
    await files.update(indexPath, index, change, {
      ...hooks,
      async beforeReplacing(made) {
        keptAs = await backups.keepNow(made.path);
        await hooks.beforeReplacing?.(made);
      },
    });
    return keptAs;
  };
  return { ...store, recovery: createRecovery({ store, backups, trash, replaceIndex }) };
}

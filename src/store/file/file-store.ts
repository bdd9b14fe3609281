import { join } from 'node:path';
import { type Clock, dayMs, type EpochMs, type Random } from '../../lib/clock.ts';
import { toStoreError } from '../../lib/store-errors.ts';
import { historyIdOf } from '../../parcels/identity.ts';
import { emptyChangeLog, isLoggedIn, noteChanges, UnloggedEdits } from '../../parcels/note-changes.ts';
import { assertValidId, idPattern, type Parcel, type ParcelHistory } from '../../parcels/parcel.ts';
import { addedParcels, removedParcels, type Watchlist } from '../../parcels/parcel-list.ts';
import { backupName, createBackups, createRecovery, type Recovery } from '../recovery.ts';
import { applyWrites, areOutdated, createRevisions, type StoredParcels, type WatchlistStore } from '../store.ts';
import { createTrash } from '../trash.ts';
import { ChangeFile } from './change-file.ts';
import { removeStaleTempFiles } from './damaged-files.ts';
import { historyFormat, watchlistFormat } from './formats.ts';
import { type DocumentKind, JsonDocument } from './json-document.ts';
import type { Processes } from './processes.ts';

export interface FileStoreOptions {
  /** The folder that contains `watchlist.json`, `history/`, `trash/` and `backups/`. Created when needed. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Allows locks to name their holders, and to be taken over immediately if their holder has died. */
  readonly processes?: Processes | null;
}

/** The watchlist in files, with backups and a trash. */
export interface FileStore extends WatchlistStore {
  readonly recovery: Recovery;
  /**
   * Applies a change to the newest list, and writes and returns the result. Writes nothing if the change returns its
   * argument. The change may run again if another process writes at the same time.
   */
  update(change: (current: Watchlist) => Watchlist): Promise<Watchlist>;
}

/**
 * Opens the watchlist in files. Every change is made under a lock and written atomically, and a damaged file is never
 * overwritten. Several stores and processes may use the same directory at the same time.
 */
export function createFileStore(options: FileStoreOptions): FileStore {
  const { directory, clock, random, processes = null } = options;
  const notices: string[] = [];
  const notify = (notice: string): void => void notices.push(notice);
  /** Runs a change's follow-up work. If that fails, the change must not fail, so the failure is only reported. */
  const followUp = async (path: string, failure: string, work: () => Promise<void>): Promise<void> =>
    await work().catch((error: unknown) => notify(`${failure} ${toStoreError(error, path).message}`));
  const indexPath = join(directory, 'watchlist.json');
  const historyFolder = join(directory, 'history');
  const backupFolder = join(directory, 'backups');
  const backups = createBackups({ folder: backupFolder, clock, random });
  const trash = createTrash({ folder: join(directory, 'trash'), historyFolder, clock, random, processes });

  const changeFile = new ChangeFile({ path: join(directory, 'changes.jsonl'), random, uid: processes?.uid ?? null });

  const documents = { clock, random, processes, notify };
  const indexKind: DocumentKind<Watchlist> = {
    format: watchlistFormat,
    siblings: new Set(),
    isPrecious: ({ parcels }) => parcels.length > 0,
    async restoreHint() {
      const newest = await backups.newestUsable();
      if (newest === null) return null;
      const { backup, watchlist } = newest;
      const count = watchlist.parcels.length;
      return `The most recent usable backup is ${backup.path} (${count} ${count === 1 ? 'parcel' : 'parcels'}); run "parcel-monitor restore ${backup.name}" to restore it.`;
    },
  };
  const index = new JsonDocument(indexPath, indexKind, documents);
  const histories = new Map<string, JsonDocument<ParcelHistory>>();
  const withHistory = async <Result>(
    id: string,
    work: (history: JsonDocument<ParcelHistory>) => Promise<Result>,
  ): Promise<Result> => {
    const path = join(historyFolder, `${id}.json`);
    // An edited file may contain any id, which must not point to a file elsewhere.
    assertValidId(id, path);
    const history = histories.get(id) ?? new JsonDocument(path, { format: historyFormat }, documents);
    histories.set(id, history);
    try {
      return await work(history);
    } finally {
      if (history.isIdle()) histories.delete(id);
    }
  };

  let prunedAt: EpochMs | null = null;
  const keepDaily = async (path: string): Promise<void> => {
    await backups.keepDaily(path);
    const now = clock.now();
    if (prunedAt !== null && Math.abs(now - prunedAt) < dayMs) return;
    await trash.prune();
    await removeStaleTempFiles(historyFolder, now, (name) => idPattern.test(name.replace(/\.json$/, '')));
    await removeStaleTempFiles(backupFolder, now, (name) => backupName.test(name));
    prunedAt = now;
  };
  /**
   * Returns the number of the last line in the log file. Returns 0 if the file cannot be read, so that the watchlist keeps
   * all of its pending lines.
   */
  const loggedSeq = async (): Promise<number> => await changeFile.lastSeq().catch(() => 0);
  /** Writes a change and its lines in the change log, and moves histories into the trash or out of it. */
  const write = async (
    change: (current: Watchlist) => Promise<Watchlist>,
    beforeReplacing = async (_path: string): Promise<void> => undefined,
  ): Promise<Watchlist> =>
    await index.update(
      async (before) => {
        const after = await change(before);
        const removed = removedParcels(before.parcels, after.parcels);
        if (removed.length > 0) await trash.addEntry(removed);
        const added = addedParcels(before.parcels, after.parcels);
        if (added.length > 0) await trash.restoreHistories(added.map(historyIdOf));
        return after;
      },
      {
        async beforeReplacing(path) {
          await beforeReplacing(path);
          await followUp(backupFolder, 'The daily backup of the watchlist failed.', () => keepDaily(path));
        },
        async afterWriting(before, after) {
          const removed = removedParcels(before.parcels, after.parcels).map(historyIdOf);
          // The parcels have already been removed. If they are restored, their histories are found in either place.
          await followUp(historyFolder, 'The history of a removed parcel was not moved to the trash.', () =>
            trash.addHistories(removed),
          );
          // The watchlist keeps new lines until they are in the log file, so that none is lost in a crash or on a full
          // disk.
          await followUp(
            changeFile.path,
            'New lines of the change log could not be moved out of the watchlist yet.',
            () => changeFile.append(after.changes?.recent ?? [], clock.now()),
          );
        },
      },
    );
  const update = async (
    change: (current: Watchlist) => Watchlist,
    now = clock.now(),
    beforeReplacing?: (path: string) => Promise<void>,
  ): Promise<Watchlist> =>
    await write(async (current) => {
      const after = change(current);
      // Read under the lock: since the last line was written, an editor may have restored an older watchlist.
      return after === current ? current : await noteChanges(current, after, { now, loggedSeq: await loggedSeq() });
    }, beforeReplacing);

  const withRevision = createRevisions();
  /**
   * The number of the log's last line for this watchlist. It is higher than the watchlist's own number if an editor or a
   * sync tool has restored an older watchlist.
   */
  let lastSeq: { readonly watchlist: Watchlist; readonly seq: number } | null = null;
  const findLastSeq = async (watchlist: Watchlist): Promise<number> => {
    // Cached for the last watchlist object only.
    if (lastSeq?.watchlist === watchlist) return lastSeq.seq;
    const seq = Math.max(watchlist.changes?.seq ?? 0, await loggedSeq());
    lastSeq = { watchlist, seq };
    return seq;
  };
  const edits = new UnloggedEdits();
  let newest: Watchlist | null = null;
  const remember = async (watchlist: Watchlist): Promise<StoredParcels> => {
    newest = watchlist;
    return withRevision(watchlist.parcels, await findLastSeq(watchlist));
  };
  /** Writes the lines that are missing since `base`, unless another process has written them in the meantime. */
  const writeMissing = async (base: readonly Parcel[], now: EpochMs): Promise<void> => {
    const since = edits.seq;
    const watchlist = await write(async (current) => {
      const recent = current.changes?.recent.filter(({ seq }) => seq > since) ?? [];
      const isLogged = isLoggedIn([...(await changeFile.after(since)), ...recent]);
      const options = { now, loggedSeq: await loggedSeq(), isLogged };
      return await noteChanges({ ...current, parcels: base }, current, options);
    });
    edits.settle(watchlist);
  };
  const store: WatchlistStore = {
    read: async () => await remember(await index.read()),
    async write(writes, basedOn, now) {
      let isWritten = true;
      let before: Watchlist | null = null;
      const after = await update((current) => {
        before = current;
        isWritten = !areOutdated(writes, basedOn.parcels, current.parcels);
        return isWritten && writes.length > 0 ? { ...current, parcels: applyWrites(current.parcels, writes) } : current;
      }, now);
      if (before !== null) edits.settleWrite(before, after);
      await remember(after);
      return { isWritten };
    },
    async newer({ revision }) {
      const read = await store.read();
      return read.revision === revision ? null : read;
    },
    async changeLogAfter(seq) {
      const watchlist = await index.read();
      const { recent, seq: newest } = watchlist.changes ?? emptyChangeLog;
      const [oldest] = recent;
      const newer = recent.filter((change) => change.seq > seq);
      if (oldest !== undefined && oldest.seq <= seq + 1 && newest === (await findLastSeq(watchlist))) return newer;
      try {
        const logged = await changeFile.after(seq);
        const last = logged.at(-1)?.seq ?? seq;
        return [...logged, ...newer.filter((change) => change.seq > last)];
      } catch (error) {
        throw toStoreError(error, changeFile.path);
      }
    },
    async logEdits(now, mayWrite) {
      if (newest === null || !edits.needsCheck(newest)) return null;
      const isComplete = edits.check(newest, await store.changeLogAfter(edits.seq));
      if (isComplete) return false;
      if (!mayWrite) edits.checkAgain();
      else await writeMissing(edits.parcels ?? [], now);
      return mayWrite;
    },
    readHistory: (id) => withHistory(id, (history) => history.read()),
    updateHistory: (id, change) => withHistory(id, (history) => history.update(change)),
    removeHistory: (id) => withHistory(id, (history) => history.remove()),
    takeNotices: () => notices.splice(0),
  };
  const replaceIndex = async (change: (current: Watchlist) => Watchlist): Promise<string | null> => {
    let keptAs: string | null = null;
    await update(change, clock.now(), async (path) => {
      keptAs = await backups.keepNow(path);
    });
    return keptAs;
  };
  return {
    ...store,
    update,
    recovery: createRecovery({ clock, store, backups, trash, replaceIndex }),
  };
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, dayMs, type EpochMs, type Random } from '../lib/clock.ts';
import { asStoreErrors, nullIfMissing, StoreError } from '../lib/store-errors.ts';
import { sameParcel } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { recoverFromTrash } from '../parcels/parcel-factory.ts';
import type { Watchlist } from '../parcels/parcel-list.ts';
import { removeFile } from './file/atomic-write.ts';
import { keepCopy, listNames } from './file/damaged-files.ts';
import { usableData, watchlistFormat } from './file/formats.ts';
import { readListedFile } from './file/open-file.ts';
import type { WatchlistStore } from './store.ts';
import type { Trash, TrashedParcel } from './trash.ts';

export interface BackupInfo extends Pick<Backup, 'at' | 'name' | 'path'> {
  /** Number of parcels. Null if the backup is damaged or from a newer version. */
  readonly parcels: number | null;
}

interface RestoredBackup {
  readonly backup: BackupInfo;
  /** The path of a copy of the previous index, or null if there was no index. */
  readonly keptAs: string | null;
}

export interface Recovery {
  /** Returns the backups of the index, newest first. */
  backups(): Promise<readonly BackupInfo[]>;
  /**
   * Restores a backup of the index, given by its file name or a day (`2026-11-18`, which means the newest of that day).
   * Copies the current index first. Parcels that are only in the current index are moved to the trash.
   */
  restoreBackup(nameOrDay: string): Promise<RestoredBackup>;
  /** Returns the removed parcels that are still in the trash, most recently removed first. */
  trashed(): Promise<readonly TrashedParcel[]>;
  /** Restores a removed parcel with its history. Rejects if its number is already on the list. */
  restoreParcel(parcelId: string): Promise<Parcel>;
}

interface RecoveryContext {
  readonly clock: Clock;
  readonly store: WatchlistStore;
  readonly backups: Backups;
  readonly trash: Trash;
  /** Copies the index, then changes it. Returns the path of the copy. */
  readonly replaceIndex: (change: (current: Watchlist) => Watchlist) => Promise<string | null>;
}

export function createRecovery({ clock, store, backups, trash, replaceIndex }: RecoveryContext): Recovery {
  const toInfo = ({ name, path, at }: Backup, watchlist: Watchlist | null): BackupInfo => {
    return { name, path, at, parcels: watchlist?.parcels.length ?? null };
  };
  const listTrashed = async (): Promise<readonly TrashedParcel[]> => {
    const [{ parcels }, trashed] = await Promise.all([store.read(), trash.list()]);
    const watched = new Set(parcels.map(({ id }) => id));
    return trashed.filter(({ parcel }) => !watched.has(parcel.id));
  };

  return {
    backups: () =>
      asStoreErrors('The backup folder', async () => {
        const infos = [];
        for (const backup of await backups.list()) infos.push(toInfo(backup, await backups.read(backup)));
        return infos;
      }),

    restoreBackup: (nameOrDay) =>
      asStoreErrors('The backup folder', async () => {
        const available = await backups.list();
        const backup =
          available.find(({ name }) => name === nameOrDay) ??
          available.find(({ at }) => new Date(at).toISOString().startsWith(nameOrDay) && nameOrDay.length === 10);
        if (backup === undefined) {
          const names = available.map(({ name }) => name).join(', ');
          throw new StoreError(
            'failed',
            `There is no backup "${nameOrDay}". ${available.length === 0 ? 'No backup has been made yet' : `Choose one of these: ${names}`}.`,
            nameOrDay,
          );
        }
        const watchlist = await backups.read(backup);
        if (watchlist === null) {
          throw new StoreError(
            'failed',
            `${backup.path} cannot be used: it is damaged or from a newer version of parcel-monitor. Choose a different backup.`,
            backup.path,
          );
        }
        const keptAs = await replaceIndex(() => watchlist);
        return { backup: toInfo(backup, watchlist), keptAs };
      }),

    trashed: () => asStoreErrors('The trash', listTrashed),

    restoreParcel: (parcelId) =>
      asStoreErrors('The trash', async () => {
        const trashedParcel = (await listTrashed()).find(({ parcel }) => parcel.id === parcelId);
        return await restoreFromTrash(store, trashedParcel, clock.now());
      }),
  };
}

/** Restores a parcel from the trash. Rejects with a `StoreError`, including if its number is already on the list. */
export async function restoreFromTrash(
  store: WatchlistStore,
  trashedParcel: TrashedParcel | undefined,
  now: EpochMs,
): Promise<Parcel> {
  if (trashedParcel === undefined)
    throw new StoreError('failed', 'This parcel is no longer in the trash.', 'the watchlist');
  const restored = recoverFromTrash(trashedParcel.parcel, now);
  const current = await store.read([restored.trackNo]);
  if (current.parcels.some((parcel) => parcel.id === restored.id || sameParcel(parcel, restored)))
    throw new StoreError('failed', `${restored.trackNo} is already on the list; nothing was changed.`, 'the watchlist');
  const { isWritten } = await store.write([{ id: restored.id, parcel: restored }], current, now);
  if (isWritten) return restored;
  throw new StoreError(
    'locked',
    { what: `Other programs keep changing ${restored.trackNo}.`, advice: 'Try again.' },
    'the watchlist',
  );
}

const maxBeforeRestore = 5;
/** How many backups from the future to keep per kind, because it may be today's clock that is wrong. */
const maxAhead = 8;
export const backupName = /^watchlist-(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2})(\d{2})Z)?\.json$/;

export interface Backup {
  readonly name: string;
  readonly path: string;
  /**
   * The time of the index in the backup: exact for a backup that was made before a restore, otherwise the end of its day
   * in UTC.
   */
  readonly at: EpochMs;
  readonly isDaily: boolean;
}

interface BackupsContext {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Backups of the index: from the last two days with a change, from the two weeks before (in UTC), and from before each
 * recent restore. Methods throw system errors.
 */
export type Backups = ReturnType<typeof createBackups>;

export function createBackups({ clock, folder, random }: BackupsContext) {
  /**
   * Copies the index if the day of its last change is over. Call this under the lock, right before the index is replaced.
   * After the first call on a day, this only reads the file's status.
   */
  const keepDaily = async (indexPath: string): Promise<void> => {
    const index = await nullIfMissing(stat(indexPath));
    if (index === null || isoDay(index.mtimeMs) >= isoDay(clock.now())) return;
    await keep(indexPath, isoDay(index.mtimeMs));
  };

  /** Copies the index now. Returns the copy's path, or null if there is no index. */
  const keepNow = async (indexPath: string): Promise<string | null> => {
    const now = new Date(clock.now()).toISOString();
    return await keep(indexPath, now.replace(/\.\d+/, '').replaceAll(':', ''));
  };

  const keep = async (indexPath: string, time: string): Promise<string | null> => {
    const copy = join(folder, `watchlist-${time}.json`);
    if (!(await keepCopy(indexPath, copy, random))) return null;
    await prune(copy);
    return copy;
  };

  const list = async (): Promise<readonly Backup[]> => {
    const backups = (await listNames(folder)).flatMap((file): Backup[] => {
      const [, day, hours, minutes, seconds] = backupName.exec(file) ?? [];
      if (day === undefined) return [];
      const isDaily = hours === undefined;
      const at = isDaily
        ? Date.parse(`${day}T00:00:00Z`) + dayMs - 1
        : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
      return Number.isFinite(at) ? [{ name: file, path: join(folder, file), at, isDaily }] : [];
    });
    return backups.sort((a, b) => b.at - a.at);
  };

  const read = async ({ path }: Backup): Promise<Watchlist | null> => {
    const bytes = await readListedFile(path);
    return bytes === null ? null : usableData(await watchlistFormat.decode(bytes));
  };

  /** Returns the newest usable backup that contains parcels, or null. */
  const newestUsable = async (): Promise<{ readonly backup: Backup; readonly watchlist: Watchlist } | null> => {
    for (const backup of await list()) {
      const watchlist = await read(backup);
      if (watchlist !== null && watchlist.parcels.length > 0) return { backup, watchlist };
    }
    return null;
  };

  /** Never removes the backup that was just made, even if its date is old. */
  const prune = async (newBackup: string): Promise<void> => {
    const backups = await list();
    const backupsToKeep = selectBackupsToKeep(backups, clock.now());
    for (const backup of backups)
      if (!backupsToKeep.has(backup) && backup.path !== newBackup) await removeFile(backup.path);
  };

  return { keepDaily, keepNow, list, read, newestUsable };
}

/**
 * Returns the backups to keep from a list that is sorted newest first: those of the two newest days, the newest one of
 * each of the two weeks before, and those made before recent restores. Only the order counts, so that nothing is lost if
 * the clock is wrong. Backups dated in the future do not displace others.
 */
export function selectBackupsToKeep(backups: readonly Backup[], now: EpochMs): ReadonlySet<Backup> {
  const keepOfKind = (isDaily: boolean, choose: (past: readonly Backup[]) => readonly Backup[]): readonly Backup[] => {
    const sameKind = backups.filter((backup) => backup.isDaily === isDaily);
    return [
      ...sameKind.filter(({ at }) => at > now).slice(0, maxAhead),
      ...choose(sameKind.filter(({ at }) => at <= now)),
    ];
  };
  return new Set([...keepOfKind(true, newestDays), ...keepOfKind(false, (past) => past.slice(0, maxBeforeRestore))]);
}

function newestDays(daily: readonly Backup[]): readonly Backup[] {
  const [first] = daily;
  if (first === undefined) return [];
  const weeks = [...new Set(daily.map(({ at }) => weekNumber(at)))]
    .filter((week) => week !== weekNumber(first.at))
    .slice(0, 2);
  return [...daily.slice(0, 2), ...weeks.flatMap((week) => daily.find(({ at }) => weekNumber(at) === week) ?? [])];
}

/** Weeks start on Monday; 1970 started on a Thursday. */
const weekNumber = (at: EpochMs): number => Math.floor((Math.floor(at / dayMs) + 3) / 7);
const isoDay = (at: EpochMs): string => new Date(at).toISOString().slice(0, 10);

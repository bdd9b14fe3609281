import type { Clock, EpochMs } from '../lib/clock.ts';
import { asStoreErrors, StoreError } from '../lib/store-errors.ts';
import { sameParcel } from '../parcels/identity.ts';
import type { Parcel, Watchlist } from '../parcels/parcel.ts';
import { takenFromTrash } from '../parcels/parcel-factory.ts';
import type { Backup, Backups } from './backups.ts';
import type { WatchlistStore } from './store.ts';
import type { Trash, TrashedParcel } from './trash.ts';

export interface OfferedBackup {
  readonly name: string;
  readonly path: string;
  /** The time of the index in the copy. */
  readonly at: EpochMs;
  /** Null if the copy is damaged or of a newer version. */
  readonly parcels: number | null;
}

interface RestoredBackup {
  readonly backup: OfferedBackup;
  /** The copy of the previous index; null if there was no index. */
  readonly keptAs: string | null;
}

export interface Recovery {
  /** Returns the copies of the index, newest first. */
  backups(): Promise<readonly OfferedBackup[]>;
  /**
   * Restores a copy of the index, given by file name or by day (`2026-11-18`, the newest of that day). Copies the
   * current index first; parcels that only the current index has go to the trash.
   */
  restoreBackup(nameOrDay: string): Promise<RestoredBackup>;
  /** Returns removed parcels that are still in the trash, latest first. */
  trashed(): Promise<readonly TrashedParcel[]>;
  /** Restores a removed parcel with its history. Rejects if its number is already on the list. */
  restoreParcel(parcelId: string): Promise<Parcel>;
}

interface RecoveryContext {
  readonly clock: Clock;
  readonly store: WatchlistStore;
  readonly backups: Backups;
  readonly trash: Trash;
  /** Changes the index after copying it. Returns the path of the copy. */
  readonly replaceIndex: (change: (current: Watchlist) => Watchlist) => Promise<string | null>;
}

export function createRecovery({ clock, store, backups, trash, replaceIndex }: RecoveryContext): Recovery {
  const offer = ({ name, path, at }: Backup, watchlist: Watchlist | null): OfferedBackup => {
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
        const offered = [];
        for (const backup of await backups.list()) offered.push(offer(backup, await backups.read(backup)));
        return offered;
      }),

    restoreBackup: (nameOrDay) =>
      asStoreErrors('The backup folder', async () => {
        const all = await backups.list();
        const found =
          all.find(({ name }) => name === nameOrDay) ??
          all.find(({ at }) => new Date(at).toISOString().startsWith(nameOrDay) && nameOrDay.length === 10);
        if (found === undefined) {
          const names = all.map(({ name }) => name).join(', ');
          throw new StoreError(
            'failed',
            `There is no backup "${nameOrDay}". ${all.length === 0 ? 'No backup has been made yet' : `Choose one of these: ${names}`}.`,
            nameOrDay,
          );
        }
        const watchlist = await backups.read(found);
        if (watchlist === null) {
          throw new StoreError(
            'failed',
            `${found.path} cannot be used: it is damaged or from a newer version.`,
            found.path,
          );
        }
        const keptAs = await replaceIndex(() => watchlist);
        return { backup: offer(found, watchlist), keptAs };
      }),

    trashed: () => asStoreErrors('The trash', listTrashed),

    restoreParcel: (parcelId) =>
      asStoreErrors('The trash', async () => {
        const found = (await listTrashed()).find(({ parcel }) => parcel.id === parcelId);
        return await watchAgain(store, found, clock.now());
      }),
  };
}

/** Restores a parcel from the trash. Rejects with a `StoreError`, also if its number is already on the list. */
export async function watchAgain(
  store: WatchlistStore,
  found: TrashedParcel | undefined,
  now: EpochMs,
): Promise<Parcel> {
  if (found === undefined) throw new StoreError('failed', 'This parcel is no longer in the trash.', 'the watchlist');
  const back = takenFromTrash(found.parcel, now);
  const { parcels, revision } = await store.read([back.trackNo]);
  if (parcels.some((parcel) => parcel.id === back.id || sameParcel(parcel, back)))
    throw new StoreError('failed', `${back.trackNo} is already on the list; nothing was changed.`, 'the watchlist');
  const { isWritten } = await store.write([{ id: back.id, parcel: back }], revision, now);
  if (isWritten) return back;
  throw new StoreError(
    'locked',
    { what: `Other programs keep changing ${back.trackNo}.`, advice: 'Try again.' },
    'the watchlist',
  );
}

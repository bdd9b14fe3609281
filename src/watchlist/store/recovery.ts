import type { Clock, EpochMs } from '../../service/clock/clock.ts';
import { asStoreErrors, StoreError } from '../errors.ts';
import { sameParcel } from '../model/identity.ts';
import type { Parcel, Watchlist } from '../model/parcel.ts';
import { takenFromTrash } from '../model/parcel-factory.ts';
import type { Backup, Backups } from './backups.ts';
import type { Trash, TrashedParcel } from './trash.ts';

/** A copy of the index, as it is offered. */
export interface OfferedBackup {
  readonly name: string;
  readonly path: string;
  /** The index was as it is in the copy until then. */
  readonly at: EpochMs;
  /** Null when the copy is damaged or of a newer version. */
  readonly parcels: number | null;
}

/** What came of restoring a backup. */
export interface RestoredBackup {
  readonly backup: OfferedBackup;
  /** The copy of the index as it was before; null when there was none. */
  readonly keptAs: string | null;
}

/** What can be brought back. Methods reject with a `StoreError`. */
export interface Recovery {
  /** Copies of the index, newest first. */
  backups(): Promise<readonly OfferedBackup[]>;
  /**
   * Puts a copy of the index in its place, given by file name or by day (`2026-11-18`, of which the newest counts). The
   * index as it is now is kept as another copy; parcels that only it holds go to the trash.
   */
  restoreBackup(nameOrDay: string): Promise<RestoredBackup>;
  /** Removed parcels that still wait in the trash, latest first. */
  trashed(): Promise<readonly TrashedParcel[]>;
  /** Watches a removed parcel again, as it was, with its history. Rejects when its number is watched already. */
  restoreParcel(parcelId: string): Promise<Parcel>;
}

/** What recovery works with. */
export interface RecoveryContext {
  readonly clock: Clock;
  readonly index: {
    readonly read: () => Promise<Watchlist>;
    readonly update: (change: (current: Watchlist) => Watchlist) => Promise<Watchlist>;
  };
  readonly backups: Backups;
  readonly trash: Trash;
  /** Changes the index, keeping a copy of it as it was; answers the copy's path. */
  readonly replaceIndex: (change: (current: Watchlist) => Watchlist) => Promise<string | null>;
}

/** Makes the {@link Recovery} of a store. */
export function createRecovery({ clock, index, backups, trash, replaceIndex }: RecoveryContext): Recovery {
  const offer = ({ name, path, at }: Backup, watchlist: Watchlist | null): OfferedBackup => {
    return { name, path, at, parcels: watchlist?.parcels.length ?? null };
  };
  const listTrashed = async (): Promise<readonly TrashedParcel[]> => {
    const [{ parcels }, trashed] = await Promise.all([index.read(), trash.list()]);
    const watched = new Set(parcels.map(({ id }) => id));
    return trashed.filter(({ parcel }) => !watched.has(parcel.id));
  };

  return {
    backups: () =>
      asStoreErrors('The folder of backups', async () => {
        const offered = [];
        for (const backup of await backups.list()) offered.push(offer(backup, await backups.read(backup)));
        return offered;
      }),

    restoreBackup: (nameOrDay) =>
      asStoreErrors('The folder of backups', async () => {
        const all = await backups.list();
        const found =
          all.find(({ name }) => name === nameOrDay) ??
          all.find(({ at }) => new Date(at).toISOString().startsWith(nameOrDay) && nameOrDay.length === 10);
        if (found === undefined) {
          const names = all.map(({ name }) => name).join(', ');
          throw new StoreError(
            'failed',
            `There is no backup "${nameOrDay}"; there ${all.length === 0 ? 'are none yet' : `are: ${names}`}.`,
            nameOrDay,
          );
        }
        const watchlist = await backups.read(found);
        if (watchlist === null) {
          throw new StoreError(
            'failed',
            `${found.path} cannot be used: it is damaged or of a newer version.`,
            found.path,
          );
        }
        const keptAs = await replaceIndex(() => watchlist);
        return { backup: offer(found, watchlist), keptAs };
      }),

    trashed: () => asStoreErrors('The trash', listTrashed),

    restoreParcel: (parcelId) =>
      asStoreErrors('The trash', async () => {
        const found = (await listTrashed()).find(({ parcel }) => parcel.id === parcelId)?.parcel;
        if (found === undefined) throw new StoreError('failed', 'This parcel is not in the trash any more.', parcelId);
        const back = takenFromTrash(found, clock.now());
        await index.update((current) => {
          if (current.parcels.some((parcel) => parcel.id === found.id || sameParcel(parcel, found))) {
            throw new StoreError('failed', `${found.trackNo} is watched already; nothing was changed.`, parcelId);
          }
          return { ...current, parcels: [...current.parcels, back] };
        });
        return back;
      }),
  };
}

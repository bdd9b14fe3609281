import type { Clock } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { type Recovery, watchAgain } from '../recovery.ts';
import type { WatchlistStore } from '../store.ts';
import type { TrashedParcel } from '../trash.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { parcelOf } from './parcel-rows.ts';
import { pageRows, sql } from './sql.ts';

interface PostgresRecoveryContext {
  readonly database: Database;
  readonly account: Account;
  readonly store: WatchlistStore;
  readonly clock: Clock;
}

/** The row of a removed parcel. */
interface TrashRow {
  readonly id: string;
  readonly text: string;
  readonly removed: number;
  readonly revision: number;
}

/** Returns the parcel of a row, if it can be used. */
function trashedParcel({ id, removed, text }: TrashRow): readonly TrashedParcel[] {
  const parcel = parcelOf(id, text);
  return parcel === null ? [] : [{ parcel, removedAt: removed }];
}

/** Recovery of removed parcels in a database. Backups of the whole database are the job of the engine's own tools. */
export function createPostgresRecovery({ account, clock, database, store }: PostgresRecoveryContext): Recovery {
  /** Reads all of them in pages, so that other work can run. */
  const trashedRows = async (): Promise<readonly TrashRow[]> => {
    const all: TrashRow[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page: readonly TrashRow[] = await database.query<TrashRow>(sql.trashPage, [account.id, after]);
      for (const row of page) all.push(row);
      after = page.length < pageRows ? null : (page.at(-1)?.id ?? null);
    }
    return all.sort((left, right) => right.removed - left.removed || right.revision - left.revision);
  };
  return {
    backups: async () => [],
    restoreBackup: async () => {
      throw new StoreError(
        'failed',
        `${database.place} has no daily copies. Back up and restore it with "pg_dump" and "pg_restore"; see "Backup of a database" in the manual.`,
        database.place,
      );
    },
    trashed: async () => (await trashedRows()).flatMap(trashedParcel),
    restoreParcel: async (parcelId) => {
      const [found] = (await database.query<TrashRow>(sql.trashedParcel, [account.id, parcelId])).flatMap(
        trashedParcel,
      );
      return await watchAgain(store, found, clock.now());
    },
  };
}

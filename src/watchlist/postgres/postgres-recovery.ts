import type { Clock } from '../../service/clock/clock.ts';
import { StoreError } from '../errors.ts';
import { sameParcel } from '../model/identity.ts';
import { asWhole } from '../model/light-parcel.ts';
import type { Parcel } from '../model/parcel.ts';
import { takenFromTrash } from '../model/parcel-factory.ts';
import type { Recovery } from '../store/recovery.ts';
import type { TrashedParcel } from '../store/trash.ts';
import { readAccount } from './account-row.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { parcelOf } from './parcel-rows.ts';
import type { PostgresStore } from './postgres-store.ts';
import { pageRows } from './read-rows.ts';

/** How often it is tried again when others write at the same time. */
const mostTries = 50;

/** What recovery in a database works with. */
export interface PostgresRecoveryContext {
  readonly database: Database;
  readonly account: Account;
  readonly store: PostgresStore;
  readonly clock: Clock;
}

/** A removed parcel as its row holds it. */
interface TrashRow {
  readonly id: string;
  readonly text: string;
  readonly removed: number;
  readonly revision: number;
}

/** The parcel of a row; none of one that cannot be used. */
function trashedParcel({ id, removed, text }: TrashRow): readonly TrashedParcel[] {
  const parcel = parcelOf(id, text);
  return parcel === null ? [] : [{ parcel, removedAt: removed }];
}

/** What can be brought back from a database: what was removed. Copies of it all are the engine's own tools' to make. */
export function createPostgresRecovery({ account, clock, database, store }: PostgresRecoveryContext): Recovery {
  const trashedRow = async (parcelId: string): Promise<readonly TrashRow[]> =>
    await database.query<TrashRow>(
      `select id, body as text, removed_at as removed, revision from parcel_monitor.removed
       where account_id = $1 and id = $2`,
      [account.id, parcelId],
    );
  /** All of them, page by page, so that nobody else waits for long. */
  const trashedRows = async (): Promise<readonly TrashRow[]> => {
    const all: TrashRow[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page: readonly TrashRow[] = await database.query<TrashRow>(
        `select id, body as text, removed_at as removed, revision from parcel_monitor.removed
         where account_id = $1 and id > $2 order by id limit ${pageRows}`,
        [account.id, after],
      );
      for (const row of page) all.push(row);
      after = page.length < pageRows ? null : (page.at(-1)?.id ?? null);
    }
    return all.sort((left, right) => right.removed - left.removed || right.revision - left.revision);
  };
  const restore = async (found: Parcel, tries = 1): Promise<Parcel> => {
    const { revision } = await readAccount(database, account);
    const alike = await store.withNumbers([found.trackNo]);
    const isWatched = (await store.whole([found.id])).length > 0 || alike.some((parcel) => sameParcel(parcel, found));
    if (isWatched)
      throw new StoreError('failed', `${found.trackNo} is watched already; nothing was changed.`, database.place);
    const back = takenFromTrash(found, clock.now());
    const { isWritten } = await store.write([{ id: back.id, parcel: asWhole(back) }], revision, clock.now());
    if (isWritten) return back;
    if (tries < mostTries) return await restore(found, tries + 1);
    throw new StoreError('locked', `Others keep changing ${found.trackNo}. Try again.`, database.place);
  };
  return {
    backups: async () => [],
    restoreBackup: async () => {
      throw new StoreError(
        'failed',
        `No daily copies are kept of a watchlist in a database: ${database.place} is copied and brought back with the engine's own tools, "pg_dump" and "pg_restore" (see "A shared watchlist" in the README).`,
        database.place,
      );
    },
    trashed: async () => (await trashedRows()).flatMap(trashedParcel),
    restoreParcel: async (parcelId) => {
      const [found] = (await trashedRow(parcelId)).flatMap(trashedParcel);
      if (found === undefined)
        throw new StoreError('failed', 'This parcel is not in the trash any more.', database.place);
      return await restore(found.parcel);
    },
  };
}

import { cleanText } from '../../lib/clean-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { StoreError, toStoreError } from '../../lib/store-errors.ts';
import { type Change, readChange } from '../../parcels/change.ts';
import { type Recovery, restoreFromTrash } from '../recovery.ts';
import {
  applyWrites,
  maxChangeAgeMs,
  maxChanges,
  type ReadProgress,
  type StoredParcels,
  type WatchlistStore,
} from '../store.ts';
import { type TrashedParcel, trashKeptMs } from '../trash.ts';
import { type Account, type Database, lockAccount, readAccount } from './database.ts';
import { createHistories } from './histories.ts';
import { numberKey, ParcelRows, parseParcel } from './parcel-rows.ts';
import { pageRows, sql } from './sql.ts';
import { writeParcels } from './write-parcels.ts';

/** Maximum length of an id in a message. Ids that another program wrote can have any length. */
const maxIdLength = 100;

/** Returns one notice for all skipped rows, because there may be many. */
function skippedNotice([first = '', ...rest]: readonly string[], place: string): string {
  const more = rest.length === 0 ? '' : ` and ${rest.length.toLocaleString('en')} more`;
  const rows = `${cleanText(first).slice(0, maxIdLength)}${more} in ${place}`;
  return `${rows} cannot be used and ${more === '' ? 'was' : 'were'} skipped; another program must have modified the tables. See "A list in a database" in the manual.`;
}

interface PostgresStoreOptions {
  readonly database: Database;
  readonly account: Account;
}

interface PostgresRecoveryOptions extends PostgresStoreOptions {
  readonly store: WatchlistStore;
  readonly clock: Clock;
}

/** A `WatchlistStore` with all optional members, because a database supports every one of them. */
export type PostgresStore = Required<WatchlistStore>;

/**
 * The watchlist of one account in a database. Several stores and processes may use it at the same time: every write locks the
 * account, and commits the parcels together with their lines in the change log.
 */
export function createPostgresStore({ account, database }: PostgresStoreOptions): PostgresStore {
  const notices: string[] = [];
  const skipped = new Set<string>();
  const unreported: string[] = [];
  const skip = (row: string): void => {
    if (skipped.has(row)) return;
    skipped.add(row);
    unreported.push(row);
  };
  const rows = new ParcelRows(account, (id) => skip(`The parcel ${id}`));
  const histories = createHistories({ database, account, onUnusable: (id) => skip(`The history ${id}`) });
  const listeners = new Set<(progress: ReadProgress) => void>();
  const readAll = async (): Promise<StoredParcels> =>
    await rows.readAll(database, (progress) => {
      for (const listener of listeners) listener(progress);
    });
  /** Runs after a write. Its failure must not fail the write. */
  const tryPrune = async (): Promise<void> => {
    try {
      await prune(database, account);
    } catch (error) {
      const { message } = toStoreError(error, database.place);
      notices.push(`Old entries were not deleted from the database and will be deleted later. ${message}`);
    }
  };

  return {
    get readOnly() {
      return database.readOnly;
    },
    writesAtOnce: true,
    async read(numbers) {
      if (numbers === undefined) return await readAll();
      // Read the revision first: then changes made during the read are returned again by the next `newer`.
      const { changeSeq, revision } = await readAccount(database, account);
      return { revision, changeSeq, parcels: await rows.readByKeys(database, 'number_key', numbers.map(numberKey)) };
    },
    onReading: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onNews: (listener) =>
      database.onNews((announced) => {
        if (announced === null || announced === String(account.id)) listener();
      }),
    async write(writes, basedOn, now, { fence = null } = {}) {
      if (writes.length === 0) return { isWritten: true };
      if (database.readOnly !== null) throw new StoreError('read-only', database.readOnly, database.place);
      const { revision } = basedOn;
      const result = await writeParcels({ database, account, rows }, { writes, basedOn: revision, now, fence });
      if (result.kind === 'fenced') return { isWritten: false, isFenced: true };
      if (result.kind === 'written' && result.isPruneDue) await tryPrune();
      return { isWritten: result.kind === 'written' };
    },
    async newer({ parcels, revision: since }) {
      const { changes, changeSeq, isForgotten, revision } = await rows.readChanges(database, since);
      if (isForgotten) return await readAll();
      return revision === since ? null : { revision, changeSeq, parcels: applyWrites(parcels, changes) };
    },
    changeLogAfter: async (seq) => await changeLogAfter(database, account, seq),
    // There is no way to detect manual edits to the tables.
    logEdits: async () => null,
    readHistory: (historyId) => histories.request(historyId),
    updateHistory: (historyId, change) => histories.request(historyId, change),
    removeHistory: (historyId) => histories.remove(historyId),
    takeNotices: () => [
      ...notices.splice(0),
      ...(unreported.length === 0 ? [] : [skippedNotice(unreported.splice(0), database.place)]),
    ],
  };
}

/** Returns the change log entries after `after`, oldest first, limited to the newest 20,000. */
async function changeLogAfter(database: Database, account: Account, after: number): Promise<readonly Change[]> {
  const { changeSeq } = await readAccount(database, account);
  const lines: Change[] = [];
  let last = Math.max(after, changeSeq - maxChanges);
  while (last < changeSeq) {
    const rows = await database.query<{ seq: number; text: string }>(sql.changePage, [account.id, last]);
    lines.push(...rows.flatMap(({ text }) => readChange(text) ?? []));
    if (rows.length < pageRows) break;
    last = rows.at(-1)?.seq ?? changeSeq;
  }
  return lines;
}

/**
 * Permanently deletes expired entries of the trash and old or excess lines of the change log, at most once a day by the
 * database's clock. Rejects with a `StoreError`.
 */
export async function prune(database: Database, account: Account): Promise<void> {
  await database.transaction(async (transaction) => {
    const { changeSeq, isPruneDue } = await lockAccount(transaction, account, database.place);
    if (!isPruneDue) return;
    const expired = await transaction.query<{ revision: number }>(sql.pruneTrash(trashKeptMs), [account.id]);
    await transaction.query(sql.pruneHistories(trashKeptMs), [account.id]);
    await transaction.query(sql.pruneChanges(maxChangeAgeMs), [account.id, changeSeq - maxChanges]);
    const forgotten = expired.reduce((newest, { revision }) => Math.max(newest, revision), 0);
    await transaction.query(sql.recordPrune, [account.id, forgotten]);
  });
}

interface TrashRow {
  readonly id: string;
  readonly text: string;
  readonly removed: number;
  readonly revision: number;
}

function trashedParcel({ id, removed, text }: TrashRow): readonly TrashedParcel[] {
  const parcel = parseParcel(id, text);
  return parcel === null ? [] : [{ parcel, removedAt: removed }];
}

/** Restores removed parcels. Backups of the whole database are left to the engine's own tools. */
export function createPostgresRecovery({ account, clock, database, store }: PostgresRecoveryOptions): Recovery {
  /** Reads all rows, in pages so that other work can run in between. */
  const trashedRows = async (): Promise<readonly TrashRow[]> => {
    const rows: TrashRow[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page: readonly TrashRow[] = await database.query<TrashRow>(sql.trashPage, [account.id, after]);
      for (const row of page) rows.push(row);
      after = page.length < pageRows ? null : (page.at(-1)?.id ?? null);
    }
    return rows.sort((left, right) => right.removed - left.removed || right.revision - left.revision);
  };
  return {
    backups: async () => [],
    restoreBackup: async () => {
      throw new StoreError(
        'failed',
        `There are no daily backups of ${database.place}. Back up and restore it with "pg_dump" and "pg_restore"; see "Backing up a database" in the manual.`,
        database.place,
      );
    },
    trashed: async () => (await trashedRows()).flatMap(trashedParcel),
    restoreParcel: async (parcelId) => {
      const [trashed] = (await database.query<TrashRow>(sql.trashedParcel, [account.id, parcelId])).flatMap(
        trashedParcel,
      );
      return await restoreFromTrash(store, trashed, clock.now());
    },
  };
}

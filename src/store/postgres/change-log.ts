import type { EpochMs } from '../../lib/clock.ts';
import { type Change, readChange } from '../../parcels/change.ts';
import { changesKeptMs, mostChanges } from '../file/change-file.ts';
import { trashKeptMs } from '../trash.ts';
import { type Account, lockAccount, readAccount } from './accounts.ts';
import type { Database } from './database.ts';
import { pageRows, sql } from './sql.ts';

/**
 * The lines of an account's change log after a number, oldest first, page by page; the newest 20,000 at most.
 * @param noticedFrom without those that were noticed before
 */
export async function changeLogAfter(
  database: Database,
  account: Account,
  after: number,
  noticedFrom: EpochMs | null = null,
): Promise<readonly Change[]> {
  const { changeSeq } = await readAccount(database, account);
  const lines: Change[] = [];
  let last = Math.max(after, changeSeq - mostChanges);
  while (last < changeSeq) {
    const rows = await database.query<{ seq: number; text: string }>(sql.changePage, [account.id, last, noticedFrom]);
    lines.push(...rows.flatMap(({ text }) => readChange(text) ?? []));
    if (rows.length < pageRows) break;
    last = rows.at(-1)?.seq ?? changeSeq;
  }
  return lines;
}

/**
 * Throws away for good what has waited in the trash for long enough and what of the change log is too old or too much, by
 * the database's clock and at most once a day. Rejects with a `StoreError`.
 */
export async function prune(database: Database, account: Account): Promise<void> {
  await database.transaction(async (transaction) => {
    const { changeSeq, isPruneDue } = await lockAccount(transaction, account, database.place);
    if (!isPruneDue) return;
    const gone = await transaction.query<{ revision: number }>(sql.pruneTrash(trashKeptMs), [account.id]);
    await transaction.query(sql.pruneHistories(trashKeptMs), [account.id]);
    await transaction.query(sql.pruneChanges(changesKeptMs), [account.id, changeSeq - mostChanges]);
    const forgotten = gone.reduce((newest, { revision }) => Math.max(newest, revision), 0);
    await transaction.query(sql.notePrune, [account.id, forgotten]);
  });
}

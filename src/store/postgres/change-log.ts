import type { EpochMs } from '../../lib/clock.ts';
import { type Change, readChange } from '../../parcels/change.ts';
import { changesKeptMs, mostChanges } from '../file/change-file.ts';
import { trashKeptMs } from '../trash.ts';
import { type Account, lockAccount, readAccount } from './accounts.ts';
import type { Database } from './database.ts';
import { pageRows } from './parcel-rows.ts';

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
    const rows = await database.query<{ seq: number; text: string }>(
      `select seq, body as text from parcel_monitor.change
       where account_id = $1 and seq > $2 and ($3::float8 is null or noticed_at >= to_timestamp($3::float8 / 1000.0))
       order by seq limit ${pageRows}`,
      [account.id, last, noticedFrom],
    );
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
    const before = (ms: number): string => `clock_timestamp() - interval '${ms / 1_000} seconds'`;
    const gone = await transaction.query<{ revision: number }>(
      `delete from parcel_monitor.removed where account_id = $1 and removed_at < ${before(trashKeptMs)} returning revision`,
      [account.id],
    );
    await transaction.query(
      `delete from parcel_monitor.history where account_id = $1 and removed_at < ${before(trashKeptMs)}`,
      [account.id],
    );
    await transaction.query(
      `delete from parcel_monitor.change
       where account_id = $1 and (seq <= $2 or noticed_at < ${before(changesKeptMs)})`,
      [account.id, changeSeq - mostChanges],
    );
    const forgotten = gone.reduce((newest, { revision }) => Math.max(newest, revision), 0);
    await transaction.query(
      `update parcel_monitor.account set pruned_at = clock_timestamp(), pruned_revision = greatest(pruned_revision, $2)
       where id = $1`,
      [account.id, forgotten],
    );
  });
}

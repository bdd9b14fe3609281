import { changesKeptMs, mostChanges } from '../changes/change-file.ts';
import { trashKeptMs } from '../store/trash.ts';
import { lockAccount } from './account-row.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';

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

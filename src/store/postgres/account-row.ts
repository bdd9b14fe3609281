import { type Account, accountIsGone } from './accounts.ts';
import type { Database, Transaction } from './database.ts';

/**
 * What a role that only reads sees of accounts, as a list for a statement: not the marks of keys, from which a short key could be
 * guessed by who knows the salt of the installation as well.
 */
export const readersColumns = 'id, name, service, revision, seq, pruned_revision, pruned_at, created_at';

/** How far an account's watchlist has got. */
export interface AccountState {
  readonly revision: number;
  /** Of the newest line of the change log. */
  readonly changeSeq: number;
  /** What was removed up to here is not remembered any more. */
  readonly prunedRevision: number;
  /** Whether it is time to throw away what is too old. */
  readonly isPruneDue: boolean;
}

const columns = `revision, seq as "changeSeq", pruned_revision as "prunedRevision",
  pruned_at not between clock_timestamp() - interval '1 day' and clock_timestamp() + interval '1 hour' as "isPruneDue"`;

/** How far an account has got. Rejects with a `StoreError`, also where it is gone. */
export async function readAccount(database: Database, account: Account): Promise<AccountState> {
  const [row] = await database.query<AccountState>(`select ${columns} from parcel_monitor.account where id = $1`, [
    account.id,
  ]);
  return row ?? accountIsGone(database.place, account);
}

/** The same, and nobody else writes the account before the transaction has ended. Rejects where it is gone. */
export async function lockAccount(transaction: Transaction, account: Account, place: string): Promise<AccountState> {
  const [row] = await transaction.query<AccountState>(
    `select ${columns} from parcel_monitor.account where id = $1 for update`,
    [account.id],
  );
  return row ?? accountIsGone(place, account);
}

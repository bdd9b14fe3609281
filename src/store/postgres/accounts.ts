import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { Database, Transaction } from './database.ts';
import { sql } from './sql.ts';

/** One of the watchlists in a database, with its own quota. */
export interface Account {
  readonly id: number;
  /** The value of the setting `storeAccount`. */
  readonly name: string;
  /** The base URL of the service that the account was created for. */
  readonly service: string;
}

/** The account to use if `storeAccount` is not set. */
const defaultAccount = 'default';

/**
 * Returns the account with this name. For null, returns the default account, or the only one: older versions named
 * accounts after the service. Returns null if it does not exist yet. Rejects with a `StoreError` that lists the accounts
 * if there are several candidates.
 */
export async function lookForAccount(database: Database, named: string | null): Promise<Account | null> {
  const accounts = await database.query<Account>(sql.accounts);
  const found = accounts.find(({ name }) => name === (named ?? defaultAccount));
  if (found !== undefined || named !== null || accounts.length <= 1)
    return found ?? (named === null ? accounts[0] : null) ?? null;
  throw new StoreError(
    'failed',
    {
      what: `${database.place} has several watchlists (${accounts.map(shownName).join(', ')}).`,
      advice: 'Set storeAccount to the name of yours.',
    },
    database.place,
  );
}

/** Like {@link lookForAccount}, but creates a missing account, for the service with this base URL. */
export async function findAccount(database: Database, named: string | null, service: string): Promise<Account> {
  const found = await lookForAccount(database, named);
  if (found !== null) return found;
  const name = named ?? defaultAccount;
  if (database.readOnly !== null)
    throw new StoreError(
      'read-only',
      `${database.place} has no watchlist "${name}" yet, and it cannot be created. ${database.readOnly}`,
      database.place,
    );
  // Another host may be creating it at the same time.
  await database.query(sql.createAccount, [name, service]);
  return (await lookForAccount(database, name)) ?? accountIsGone(database.place, { name });
}

/** Throws the `StoreError` for an account that no longer exists. */
export function accountIsGone(place: string, account: Pick<Account, 'name'>): never {
  throw new StoreError(
    'failed',
    `The watchlist ${shownName(account)} was deleted from ${place}. Restart the program to create a new one.`,
    place,
  );
}

/** Quotes the name and removes control characters, because another program may have chosen it. */
export const shownName = ({ name }: Pick<Account, 'name'>): string => `"${cleanText(name)}"`;

/** How far an account's watchlist has progressed. */
interface AccountState {
  readonly revision: number;
  /** The newest line of the change log. */
  readonly changeSeq: number;
  /** Removals up to this revision are no longer known. */
  readonly prunedRevision: number;
  /** Whether old data is due for deletion. */
  readonly isPruneDue: boolean;
}

/** Rejects with a `StoreError`, including if the account no longer exists. */
export async function readAccount(
  database: Pick<Database, 'query' | 'place'>,
  account: Account,
): Promise<AccountState> {
  const [row] = await database.query<AccountState>(sql.accountState, [account.id]);
  return row ?? accountIsGone(database.place, account);
}

/** Like {@link readAccount}, and locks the account until the transaction ends. */
export async function lockAccount(transaction: Transaction, account: Account, place: string): Promise<AccountState> {
  const [row] = await transaction.query<AccountState>(sql.lockedAccountState, [account.id]);
  return row ?? accountIsGone(place, account);
}

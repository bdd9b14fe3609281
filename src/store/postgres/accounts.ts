import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { Database, Transaction } from './database.ts';
import { sql } from './sql.ts';

/** One watchlist of a database, with its quota. */
export interface Account {
  readonly id: number;
  /** As `storeAccount` names it. */
  readonly name: string;
  /** The base URL of the service that it was made for. */
  readonly service: string;
}

/** The account of a database that is meant where `storeAccount` is not set. */
export const defaultAccount = 'default';

/**
 * Finds the account of this name; with null the default one, else the only one there is: older versions named accounts after the
 * service. Returns null where it would have to be made. Rejects with a `StoreError` that names the accounts where several could be meant.
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
      advice: 'Name yours with storeAccount.',
    },
    database.place,
  );
}

/** Finds an account as {@link lookForAccount} does, and makes it where there is none, for the service of this base URL. */
export async function findAccount(database: Database, named: string | null, service: string): Promise<Account> {
  const found = await lookForAccount(database, named);
  if (found !== null) return found;
  const name = named ?? defaultAccount;
  if (database.readOnly !== null)
    throw new StoreError(
      'read-only',
      `${database.place} has no watchlist "${name}" yet, and it cannot be created there. ${database.readOnly}`,
      database.place,
    );
  // Another host may make it at the same time.
  await database.query(sql.makeAccount, [name, service]);
  return (await lookForAccount(database, name)) ?? accountIsGone(database.place, { name });
}

/** Throws the `StoreError` of an account that is not there. */
export function accountIsGone(place: string, account: Pick<Account, 'name'>): never {
  throw new StoreError(
    'failed',
    `${place} no longer has the watchlist ${shownName(account)}: it was removed. Start the program again for a new one.`,
    place,
  );
}

/** As a message quotes it: another program may have chosen it. */
export const shownName = ({ name }: Pick<Account, 'name'>): string => `"${cleanText(name)}"`;

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

/** How far an account has got. Rejects with a `StoreError`, also where it is gone. */
export async function readAccount(
  database: Pick<Database, 'query' | 'place'>,
  account: Account,
): Promise<AccountState> {
  const [row] = await database.query<AccountState>(sql.accountState, [account.id]);
  return row ?? accountIsGone(database.place, account);
}

/** The same, and no other program writes the account before the transaction has ended. Rejects where it is gone. */
export async function lockAccount(transaction: Transaction, account: Account, place: string): Promise<AccountState> {
  const [row] = await transaction.query<AccountState>(sql.lockedAccountState, [account.id]);
  return row ?? accountIsGone(place, account);
}

import { createHmac } from 'node:crypto';
import { cleanText } from '../../service/text/clean-text.ts';
import { StoreError } from '../errors.ts';
import type { Database } from './database.ts';
import { stateOf } from './server-errors.ts';

/** One watchlist of a database, with its quota and its key. */
export interface Account {
  readonly id: number;
  /** As `storeAccount` names it. */
  readonly name: string;
  /** The base URL of the service that it was made for. */
  readonly service: string;
}

/** What is known of the account that is wanted. */
export interface AccountWish {
  /** `storeAccount`; null where it is not set. */
  readonly named: string | null;
  readonly baseUrl: string;
  /** The API key; null where none is at hand without running a command. */
  readonly key: string | null;
  /** The name of the account that this state folder has used at this address and base URL; null where there is none. */
  readonly remembered: string | null;
}

/** An account with the marks of its keys. */
interface MarkedAccount extends Account {
  readonly marks: readonly string[];
  /** Of the installation, see {@link keyMark}. */
  readonly salt: string;
}

/** The account that is meant. */
export interface FoundAccount {
  readonly account: Account;
  /** Whether the key of the wish is one of its keys, so that it need not be claimed. */
  readonly hasKey: boolean;
}

/** How often it is looked again when somebody else has made an account in between. */
const mostTries = 5;

/**
 * The account of a database that is meant, made where it is a new one: the named one; else the one of the key; else the one
 * that was used here before; else the only one; else a new one. Rejects with a `StoreError` where several could be meant.
 */
export async function findAccount(database: Database, wish: AccountWish): Promise<Account> {
  return (await findAccountAndKey(database, wish)).account;
}

/** As {@link findAccount}, with what is known of the key by then. */
export async function findAccountAndKey(database: Database, wish: AccountWish): Promise<FoundAccount> {
  for (let tries = 1; ; tries += 1) {
    try {
      return foundAccount(await find(database, wish), wish);
    } catch (error) {
      // Somebody else has made the account of this name at the same time.
      if (stateOf(error) !== '23505' || tries >= mostTries) throw error;
    }
  }
}

/** The same as far as it is there: null where it would be made. Writes nothing. Rejects as {@link findAccount}. */
export async function lookForAccountAndKey(database: Database, wish: AccountWish): Promise<FoundAccount | null> {
  const { account } = await look(database, wish);
  return account === null ? null : foundAccount(account, wish);
}

/** All accounts of a database, oldest first. */
export async function listAccounts(database: Pick<Database, 'query'>): Promise<readonly Account[]> {
  return (await markedAccounts(database)).map(withoutMarks);
}

/**
 * Sees to it that a key is one of an account's before the service is called with it: an account without any takes it, and
 * one that `storeAccount` names takes another. Rejects with a `StoreError` that says what to do where it is not.
 */
export async function claimKey(
  database: Database,
  account: Account,
  { baseUrl, isNamed, key }: { readonly baseUrl: string; readonly isNamed: boolean; readonly key: string },
): Promise<void> {
  const accounts = await markedAccounts(database);
  const mark = await markOf(database, accounts, baseUrl, key);
  const current = accounts.find(({ id }) => id === account.id);
  if (current === undefined) throw gone(database, account);
  if (current.marks.includes(mark)) return;
  const owner = accounts.find(({ marks }) => marks.includes(mark));
  if (isNamed) {
    if (database.readOnly === null) await addMark(database, account.id, mark);
    return;
  }
  if (current.marks.length === 0 && owner === undefined) {
    if (database.readOnly !== null || (await addFirstMark(database, account.id, mark))) return;
    // Somebody with another key was faster.
    await claimKey(database, account, { baseUrl, isNamed, key });
    return;
  }
  const other =
    owner === undefined
      ? 'to another name for a watchlist of its own'
      : `to ${shownName(owner)} for the watchlist that this key has had so far`;
  throw new StoreError(
    'failed',
    `This API key is not the one that the account ${shownName(account)} in ${database.place} was used with. Set storeAccount to ${shownName(account)} to use it there all the same, or ${other}.`,
    database.place,
  );
}

/**
 * What is kept of a key: neither it nor anything that it could be had from.
 * @param salt of the installation
 */
export function keyMark(salt: string, baseUrl: string, key: string): string {
  return createHmac('sha256', salt).update(`${baseUrl}\n${key}`).digest('hex').slice(0, 16);
}

async function find(database: Database, wish: AccountWish): Promise<MarkedAccount> {
  const { account, accounts, unclaimed } = await look(database, wish);
  if (account === null) return await make(database, wish, wish.named ?? freeName(wish, accounts));
  if (unclaimed === null || database.readOnly !== null || (await addFirstMark(database, account.id, unclaimed)))
    return account;
  // Somebody with another key was faster.
  return await find(database, wish);
}

const foundAccount = (found: MarkedAccount, { baseUrl, key }: AccountWish): FoundAccount => ({
  account: withoutMarks(found),
  hasKey: key !== null && found.marks.includes(keyMark(found.salt, baseUrl, key)),
});

/** What there is of what is wanted. */
interface Found {
  /** Null where it is to be made. */
  readonly account: MarkedAccount | null;
  readonly accounts: readonly MarkedAccount[];
  /** The mark of the key that the account is to get as its first; null where it has marks, or needs none. */
  readonly unclaimed: string | null;
}

async function look(database: Database, wish: AccountWish): Promise<Found> {
  const accounts = await markedAccounts(database);
  const found = (account: MarkedAccount | null | undefined, unclaimed: string | null = null): Found => ({
    account: account ?? null,
    accounts,
    unclaimed,
  });
  const ofName = (name: string | null): MarkedAccount | undefined => accounts.find((account) => account.name === name);
  if (wish.named !== null) return found(ofName(wish.named));
  const remembered = ofName(wish.remembered);
  if (wish.key === null) return found(remembered ?? onlyOne(database, accounts, wish));
  const mark = await markOf(database, accounts, wish.baseUrl, wish.key);
  const known = accounts.find(({ marks }) => marks.includes(mark)) ?? remembered;
  if (known !== undefined) return found(known);
  const first = accounts.find(({ marks, service }) => marks.length === 0 && service === wish.baseUrl);
  return found(first, first === undefined ? null : mark);
}

/** The only account that can be meant, those of the same service first; null where there is none at all. */
function onlyOne(
  database: Database,
  accounts: readonly MarkedAccount[],
  { baseUrl }: AccountWish,
): MarkedAccount | null {
  const ofService = accounts.filter(({ service }) => service === baseUrl);
  const candidates = ofService.length > 0 ? ofService : accounts;
  if (candidates.length <= 1) return candidates[0] ?? null;
  const names = candidates.map(shownName).join(', ');
  throw new StoreError(
    'failed',
    `${database.place} holds several watchlists (${names}). Name yours with storeAccount, or set the API key that it is used with.`,
    database.place,
  );
}

async function make(database: Database, { baseUrl, key }: AccountWish, name: string): Promise<MarkedAccount> {
  if (database.readOnly !== null)
    throw new StoreError(
      'read-only',
      `${database.place} does not hold a watchlist "${name}" yet, and one cannot be made there. ${database.readOnly}`,
      database.place,
    );
  const salt = await saltOf(database);
  const marks = key === null ? [] : [keyMark(salt, baseUrl, key)];
  const [made] = await database.query<{ id: number }>(
    'insert into parcel_monitor.account (name, service, key_marks) values ($1, $2, $3) returning id',
    [name, baseUrl, marks],
  );
  return { id: made?.id ?? 0, name, service: baseUrl, marks, salt };
}

/** The host of the base URL, with a number where that is taken. */
function freeName({ baseUrl }: AccountWish, accounts: readonly Account[]): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : 'watchlist';
  const taken = new Set(accounts.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? host : `${host}-${number}`;
    if (!taken.has(name)) return name;
  }
}

async function markedAccounts(database: Pick<Database, 'query'>): Promise<readonly MarkedAccount[]> {
  return await database.query<MarkedAccount>(
    `select id, name, service, key_marks as marks, coalesce((select i.salt from parcel_monitor.installation i), '') as salt
     from parcel_monitor.account order by id`,
  );
}

async function markOf(
  database: Pick<Database, 'query'>,
  [known]: readonly MarkedAccount[],
  baseUrl: string,
  key: string,
): Promise<string> {
  return keyMark(known?.salt ?? (await saltOf(database)), baseUrl, key);
}

async function saltOf(database: Pick<Database, 'query'>): Promise<string> {
  const [row] = await database.query<{ salt: string }>('select salt from parcel_monitor.installation');
  return row?.salt ?? '';
}

async function addMark(database: Database, accountId: number, mark: string): Promise<void> {
  await database.query(
    'update parcel_monitor.account set key_marks = array_append(key_marks, $2::text) where id = $1 and not ($2::text = any(key_marks))',
    [accountId, mark],
  );
}

/** For an account without any; answers whether it still was. */
async function addFirstMark(database: Database, accountId: number, mark: string): Promise<boolean> {
  const rows = await database.query(
    "update parcel_monitor.account set key_marks = array[$2::text] where id = $1 and key_marks = '{}' returning id",
    [accountId, mark],
  );
  return rows.length > 0;
}

const withoutMarks = ({ id, name, service }: Account): Account => ({ id, name, service });

const gone = (database: Database, account: Account): StoreError =>
  new StoreError(
    'failed',
    `${database.place} does not hold the watchlist ${shownName(account)} any more.`,
    database.place,
  );

/** As a message quotes it: whoever may write there chooses it. */
export const shownName = ({ name }: Pick<Account, 'name'>): string => `"${cleanText(name)}"`;

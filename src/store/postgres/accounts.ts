import { createHmac } from 'node:crypto';
import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
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
}

/** All accounts of a database, oldest first. */
interface Accounts {
  readonly accounts: readonly MarkedAccount[];
  /** Of the installation, see {@link keyMark}; null where this role may not read it, nor the marks of keys. */
  readonly salt: string | null;
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
export async function findAccount(database: Database, wish: AccountWish): Promise<FoundAccount> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await find(database, wish);
    } catch (error) {
      // Somebody else has made the account of this name at the same time.
      if (stateOf(error) !== '23505' || tries >= mostTries) throw error;
    }
  }
}

/** The same as far as it is there: null where it would be made. Writes nothing. Rejects as {@link findAccount}. */
export async function lookForAccount(database: Database, wish: AccountWish): Promise<FoundAccount | null> {
  const { account, mark } = await look(database, wish);
  return account === null ? null : foundAccount(account, mark);
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
  const { accounts, salt } = await readAccounts(database);
  // Whoever only reads calls nobody with the key.
  if (salt === null) return;
  const mark = keyMark(salt, baseUrl, key);
  const current = accounts.find(({ id }) => id === account.id) ?? accountIsGone(database.place, account);
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
    {
      what: `This API key is not the one that the account ${shownName(account)} in ${database.place} was used with.`,
      advice: `Set storeAccount to ${shownName(account)} to use it there all the same, or ${other}.`,
    },
    database.place,
  );
}

/**
 * What is kept of a key: neither it nor anything that it could be had from.
 * @param salt of the installation
 */
function keyMark(salt: string, baseUrl: string, key: string): string {
  return createHmac('sha256', salt).update(`${baseUrl}\n${key}`).digest('hex').slice(0, 16);
}

async function find(database: Database, wish: AccountWish): Promise<FoundAccount> {
  const { account, accounts, mark, unclaimed } = await look(database, wish);
  if (account === null)
    return foundAccount(await make(database, wish.baseUrl, mark, wish.named ?? freeName(wish, accounts)), mark);
  if (unclaimed === null || database.readOnly !== null || (await addFirstMark(database, account.id, unclaimed)))
    return foundAccount(account, mark);
  // Somebody with another key was faster.
  return await find(database, wish);
}

const foundAccount = ({ id, marks, name, service }: MarkedAccount, mark: string | null): FoundAccount => ({
  account: { id, name, service },
  hasKey: mark !== null && marks.includes(mark),
});

/** What there is of what is wanted. */
interface Found {
  /** Null where it is to be made. */
  readonly account: MarkedAccount | null;
  readonly accounts: readonly MarkedAccount[];
  /** Of the key of the wish; null where there is none. */
  readonly mark: string | null;
  /** The mark of the key that the account is to get as its first; null where it has marks, or needs none. */
  readonly unclaimed: string | null;
}

async function look(database: Database, wish: AccountWish): Promise<Found> {
  const { accounts, salt } = await readAccounts(database);
  const mark = wish.key === null || salt === null ? null : keyMark(salt, wish.baseUrl, wish.key);
  const found = (account: MarkedAccount | null | undefined, unclaimed: string | null = null): Found => ({
    account: account ?? null,
    accounts,
    mark,
    unclaimed,
  });
  const ofName = (name: string | null): MarkedAccount | undefined => accounts.find((account) => account.name === name);
  if (wish.named !== null) return found(ofName(wish.named));
  const remembered = ofName(wish.remembered);
  if (mark === null) return found(remembered ?? onlyOne(database, { accounts, salt }, wish));
  const known = accounts.find(({ marks }) => marks.includes(mark)) ?? remembered;
  if (known !== undefined) return found(known);
  const first = accounts.find(({ marks, service }) => marks.length === 0 && service === wish.baseUrl);
  return found(first, first === undefined ? null : mark);
}

/** The only account that can be meant, those of the same service first; null where there is none at all. */
function onlyOne(database: Database, { accounts, salt }: Accounts, { baseUrl }: AccountWish): MarkedAccount | null {
  const ofService = accounts.filter(({ service }) => service === baseUrl);
  const candidates = ofService.length > 0 ? ofService : accounts;
  if (candidates.length <= 1) return candidates[0] ?? null;
  const names = candidates.map(shownName).join(', ');
  throw new StoreError(
    'failed',
    {
      what: `${database.place} holds several watchlists (${names}).`,
      advice: `Name yours with storeAccount${salt === null ? '' : ', or set the API key that it is used with'}.`,
    },
    database.place,
  );
}

async function make(database: Database, service: string, mark: string | null, name: string): Promise<MarkedAccount> {
  if (database.readOnly !== null)
    throw new StoreError(
      'read-only',
      `${database.place} does not hold a watchlist "${name}" yet, and one cannot be made there. ${database.readOnly}`,
      database.place,
    );
  const marks = mark === null ? [] : [mark];
  const [made] = await database.query<{ id: number }>(
    'insert into parcel_monitor.account (name, service, key_marks) values ($1, $2, $3) returning id',
    [name, service, marks],
  );
  return { id: made?.id ?? 0, name, service, marks };
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

async function readAccounts(database: Database): Promise<Accounts> {
  try {
    return await readMarkedAccounts(database);
  } catch (error) {
    // Who writes marks a key with the salt, and never without.
    if (stateOf(error) !== '42501' || database.readOnly === null) throw error;
    const accounts = await database.query<Account>('select id, name, service from parcel_monitor.account order by id');
    return { accounts: accounts.map((account) => ({ ...account, marks: [] })), salt: null };
  }
}

async function readMarkedAccounts(database: Database): Promise<Accounts> {
  const rows = await database.query<(MarkedAccount | { readonly id: null }) & { readonly salt: string | null }>(
    `select i.salt, a.id, a.name, a.service, a.key_marks as marks from (select 1 as one) as always
     left join parcel_monitor.installation i on true left join parcel_monitor.account a on true order by a.id`,
  );
  return { accounts: rows.filter((row) => row.id !== null), salt: rows[0]?.salt ?? '' };
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

/** Throws the `StoreError` of an account that is not there. */
export function accountIsGone(place: string, account: Account): never {
  throw new StoreError(
    'failed',
    `${place} does not hold the watchlist ${shownName(account)} any more. Somebody has removed it; start again for a new one.`,
    place,
  );
}

/** As a message quotes it: whoever may write there chooses it. */
export const shownName = ({ name }: Pick<Account, 'name'>): string => `"${cleanText(name)}"`;

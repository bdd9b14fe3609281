import { createSerialQueue } from '../../lib/async.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { sleep } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { channel, type DatabaseOptions, keepConnected, LiveConnection } from './live-connection.ts';
import { sqlStateOf } from './server-errors.ts';
import type { Row } from './server-facts.ts';
import { sql } from './sql.ts';

/** Statements that are committed together. */
export interface Transaction {
  query<Result extends object = Row>(text: string, values?: readonly unknown[]): Promise<readonly Result[]>;
  /**
   * Notifies an account's listeners after the commit. The payload is the account's number. Does nothing if the engine
   * lacks notifications.
   */
  announce(payload: string): Promise<void>;
}

interface QueryOptions {
  /** Uses the heartbeat's short timeout. For small statements that run often, so that they detect a dead connection. */
  readonly failsFast?: boolean;
}

const maxTries = 8;

/**
 * One connection to a database, opened on first use and reopened after it breaks. Requests run one at a time, and wait
 * for a transaction to finish. All methods reject with a `StoreError`, of kind `cut-off` while the database is
 * unreachable. JSON is returned as text, instants as milliseconds, whole numbers as numbers.
 */
export type Database = ReturnType<typeof createDatabase>;

export function createDatabase(options: DatabaseOptions) {
  const { address, clock, random } = options;
  const { place } = address;
  const queue = createSerialQueue();
  const newsListeners = new Set<(announced: string | null) => void>();
  const notifyListeners = (announced: string | null): void => {
    for (const listener of [...newsListeners]) listener(announced);
  };
  const live = new LiveConnection(options, notifyListeners);
  const { timings } = live;
  let keepAlive: AbortController | null = null;

  /** While we are reconnecting in the background, requests fail immediately instead of trying to connect as well. */
  const throwWhileReconnecting = (): void => {
    if (keepAlive === null || live.current !== null) return;
    const { lastFailure } = live;
    if (lastFailure !== null) throw new StoreError('cut-off', lastFailure.message, place, lastFailure.cause);
  };

  const query = async <Result extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    { failsFast = false }: QueryOptions = {},
  ): Promise<readonly Result[]> =>
    await queue.run(async () => {
      throwWhileReconnecting();
      const connection = await live.acquire();
      const responseMs = failsFast ? timings.heartbeatResponseMs : timings.responseMs;
      // A pooler may use a server connection without our session settings, so set them in a transaction.
      if (connection.facts.isPooled)
        return await tryTransaction((transaction) => transaction.query<Result>(text, values), responseMs);
      try {
        return (await connection.run(text, values, responseMs)) as readonly Result[];
      } catch (error) {
        throw await live.handleFailure(error, connection);
      }
    });

  const tryTransaction = async <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    responseMs: number,
  ): Promise<Result> => {
    const connection = await live.acquire();
    const run = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
      try {
        return await connection.run(text, values, responseMs);
      } catch (error) {
        throw await live.handleFailure(error, connection);
      }
    };
    try {
      await run(connection.beginStatement(responseMs));
      const result = await work({
        query: async (text, values) => (await run(text, values)) as never,
        announce: async (payload) => {
          if (connection.facts.supportsNotify) await run(sql.announce, [channel, payload]);
        },
      });
      await run('commit');
      return result;
    } catch (error) {
      if (live.current === connection) await run('rollback');
      throw error;
    }
  };
  const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(sqlStateOf(error) ?? '');
  const transaction = async <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { responseMs = timings.responseMs }: { readonly responseMs?: number } = {},
  ): Promise<Result> =>
    await queue.run(async () => {
      throwWhileReconnecting();
      for (let tries = 1; ; tries += 1) {
        try {
          return await tryTransaction(work, responseMs);
        } catch (error) {
          if (!isConflict(error) || tries >= maxTries) throw error;
          await sleep(clock, random() * 20 * 2 ** tries);
        }
      }
    });

  return {
    /** Safe to show, such as `postgres://ann@nas/parcels`: it never contains a password. */
    place,
    /** Runs one statement, which must qualify its tables with their schema. */
    query,
    /**
     * Commits all of the work or none of it. The work may run again after a conflict, so it must have no other side
     * effects, and it must use only the transaction. `responseMs` is the timeout per statement, in milliseconds.
     */
    transaction,
    /**
     * Calls the listener when there may be changes to fetch: with the account's number for each notification, and with
     * null after each reconnect, and every second if notifications do not arrive. Keeps the connection alive. Returns a
     * function that unsubscribes.
     */
    onNews(listener: (announced: string | null) => void): () => void {
      newsListeners.add(listener);
      if (keepAlive === null && !live.isClosed) {
        keepAlive = new AbortController();
        const enqueue = (work: () => Promise<void>): Promise<void> => queue.run(work);
        void keepConnected({ live, enqueue, onNews: notifyListeners, clock, random }, keepAlive.signal);
      }
      return () => {
        newsListeners.delete(listener);
        if (newsListeners.size > 0) return;
        keepAlive?.abort();
        keepAlive = null;
      };
    },
    /**
     * Why we cannot write, as a sentence. Null if we can, or if that is not known yet. Rechecked with each heartbeat
     * while there are listeners.
     */
    get readOnly(): string | null {
      return live.readOnly;
    },
    /** Whether we are behind a pooler, so that changes are polled for every second. False while that is unknown. */
    get isPooled(): boolean {
      return live.isPooled;
    },
    /** Returns the last measured difference of the database's clock minus ours. Initially 0. */
    clockOffsetMs: (): number => live.offsetMs,
    open: async () => void (await queue.run(() => live.acquire())),
    /** Closes the connection once pending requests have finished. */
    async close(): Promise<void> {
      keepAlive?.abort();
      keepAlive = null;
      await queue.run(() => live.close());
    },
  };
}

/** The account that shared data belongs to, and its database. */
export interface StatePlace {
  readonly database: Pick<Database, 'place' | 'query' | 'transaction' | 'readOnly'>;
  readonly accountId: number;
}

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
export async function lookUpAccount(database: Database, requestedName: string | null): Promise<Account | null> {
  const accounts = await database.query<Account>(sql.accounts);
  const account = accounts.find(({ name }) => name === (requestedName ?? defaultAccount));
  if (account !== undefined || requestedName !== null || accounts.length <= 1)
    return account ?? (requestedName === null ? accounts[0] : null) ?? null;
  throw new StoreError(
    'failed',
    {
      what: `${database.place} has several watchlists (${accounts.map(quotedName).join(', ')}).`,
      advice: 'Set storeAccount to the name of yours.',
    },
    database.place,
  );
}

/** Like {@link lookUpAccount}, but creates a missing account, for the service with this base URL. */
export async function findAccount(database: Database, requestedName: string | null, service: string): Promise<Account> {
  const existing = await lookUpAccount(database, requestedName);
  if (existing !== null) return existing;
  const name = requestedName ?? defaultAccount;
  if (database.readOnly !== null)
    throw new StoreError(
      'read-only',
      `${database.place} has no watchlist "${name}" yet, and it cannot be created. ${database.readOnly}`,
      database.place,
    );
  // Another host may be creating it at the same time.
  await database.query(sql.createAccount, [name, service]);
  return (await lookUpAccount(database, name)) ?? throwAccountDeleted(database.place, { name });
}

/** Throws the `StoreError` for an account that no longer exists. */
export function throwAccountDeleted(place: string, account: Pick<Account, 'name'>): never {
  throw new StoreError(
    'failed',
    `The watchlist ${quotedName(account)} was deleted from ${place}. Restart the program to create a new one.`,
    place,
  );
}

/** Quotes the name and removes control characters, because another program may have chosen it. */
export const quotedName = ({ name }: Pick<Account, 'name'>): string => `"${cleanText(name)}"`;

interface AccountState {
  readonly revision: number;
  /** The newest line of the change log. */
  readonly changeSeq: number;
  /** Removals up to this revision are no longer known. */
  readonly prunedRevision: number;
  readonly isPruneDue: boolean;
}

/** Rejects with a `StoreError`, including if the account no longer exists. */
export async function readAccount(
  database: Pick<Database, 'query' | 'place'>,
  account: Account,
): Promise<AccountState> {
  const [row] = await database.query<AccountState>(sql.accountState, [account.id]);
  return row ?? throwAccountDeleted(database.place, account);
}

/** Like {@link readAccount}, and locks the account until the transaction ends. */
export async function lockAccount(transaction: Transaction, account: Account, place: string): Promise<AccountState> {
  const [row] = await transaction.query<AccountState>(sql.lockedAccountState, [account.id]);
  return row ?? throwAccountDeleted(place, account);
}

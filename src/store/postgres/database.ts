import { createSerialQueue } from '../../lib/async.ts';
import { sleep } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { channel, type DatabaseOptions, keepConnected, LiveConnection } from './live-connection.ts';
import { stateOf } from './server-errors.ts';
import type { Row } from './server-facts.ts';
import { sql } from './sql.ts';

/** Statements that belong together. */
export interface Transaction {
  query<Answer extends object = Row>(text: string, values?: readonly unknown[]): Promise<readonly Answer[]>;
  /**
   * Notifies listeners of an account, by its number, after the commit. Does nothing if the engine has no notifications.
   */
  announce(payload: string): Promise<void>;
}

/** Options of a statement. */
interface QueryOptions {
  /** True for small statements that repeat: they detect a dead connection early, like the heartbeat after them. */
  readonly isLook?: boolean;
}

/** How often a transaction is retried after a conflict. */
const maxTries = 8;

/**
 * One connection to a database, made on first use and again after it breaks. Requests run one after the other; a
 * transaction blocks them. All methods reject with a `StoreError`, of kind `cut-off` while the database is
 * unreachable. JSON is returned as text, instants as milliseconds, whole numbers as numbers.
 */
export type Database = ReturnType<typeof createDatabase>;

export function createDatabase(options: DatabaseOptions) {
  const { address, clock, random } = options;
  const { place } = address;
  const queue = createSerialQueue();
  const newsListeners = new Set<(announced: string | null) => void>();
  const announceNews = (announced: string | null): void => {
    for (const listener of [...newsListeners]) listener(announced);
  };
  const live = new LiveConnection(options, announceNews);
  const { times } = live;
  let keeping: AbortController | null = null;

  /** // While we are already reconnecting, requests fail immediately instead of waiting for another try. */
  const refuseWhileTrying = (): void => {
    if (keeping === null || live.current !== null) return;
    const { lastFailure } = live;
    if (lastFailure !== null) throw new StoreError('cut-off', lastFailure.message, place, lastFailure.cause);
  };

  const query = async <Answer extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    { isLook = false }: QueryOptions = {},
  ): Promise<readonly Answer[]> =>
    await queue.run(async () => {
      refuseWhileTrying();
      const on = await live.made();
      const responseMs = isLook ? times.heartbeatAnswerMs : times.responseMs;
      // The session's settings are now on another connection.
      if (on.facts.isPooled)
        return await tryTransaction((transaction) => transaction.query<Answer>(text, values), responseMs);
      try {
        return (await on.run(text, values, responseMs)) as readonly Answer[];
      } catch (error) {
        throw await live.failed(error, on);
      }
    });

  const tryTransaction = async <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    responseMs: number,
  ): Promise<Result> => {
    const on = await live.made();
    const ask = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
      try {
        return await on.run(text, values, responseMs);
      } catch (error) {
        throw await live.failed(error, on);
      }
    };
    try {
      await ask(on.beginning(responseMs));
      const result = await work({
        query: async (text, values) => (await ask(text, values)) as never,
        announce: async (payload) => {
          if (on.facts.mayAnnounce) await ask(sql.announce, [channel, payload]);
        },
      });
      await ask('commit');
      return result;
    } catch (error) {
      if (live.current === on) await ask('rollback');
      throw error;
    }
  };
  const isInTheWay = (error: unknown): boolean => ['40001', '40P01'].includes(stateOf(error) ?? '');
  const transaction = async <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { responseMs = times.responseMs }: { readonly responseMs?: number } = {},
  ): Promise<Result> =>
    await queue.run(async () => {
      refuseWhileTrying();
      for (let tries = 1; ; tries += 1) {
        try {
          return await tryTransaction(work, responseMs);
        } catch (error) {
          if (!isInTheWay(error) || tries >= maxTries) throw error;
          await sleep(clock, random() * 20 * 2 ** tries);
        }
      }
    });

  return {
    /** Safe to show: `postgres://ann@nas/parcels`, never with a password. */
    place,
    /** Runs one statement; it names its tables with their schema. */
    query,
    /**
     * Runs all of the work or none; it may run again after a conflict, so it must change only the database. Use only
     * the transaction inside. `responseMs` is the limit per statement, in milliseconds.
     */
    transaction,
    /**
     * Calls the listener when there may be news: with the account number when another program notifies, and with null
     * each second if notifications do not arrive, and after each reconnect. Keeps the connection alive. Returns a
     * function to stop.
     */
    onNews(listener: (announced: string | null) => void): () => void {
      newsListeners.add(listener);
      if (keeping === null && !live.isClosed) {
        keeping = new AbortController();
        // Callers get its failures; nothing else in it can fail.
        void keepConnected({ live, inTurn: (work) => queue.run(work), announceNews, clock, random }, keeping.signal);
      }
      return () => {
        newsListeners.delete(listener);
        if (newsListeners.size > 0) return;
        keeping?.abort();
        keeping = null;
      };
    },
    /**
     * Why we cannot write, as a sentence; null if we can or do not know yet. Checked again from time to time while
     * there are listeners.
     */
    get readOnly(): string | null {
      return live.readOnly;
    },
    /** Whether there is a pooler in between, so that we poll for news each second; false while that is unknown. */
    get isPooled(): boolean {
      return live.isPooled;
    },
    /** Returns the database's clock minus ours, in milliseconds, as last measured; 0 before the first connection. */
    clockOffsetMs: (): number => live.offsetMs,
    /** Connects if necessary. */
    open: async () => void (await queue.run(() => live.made())),
    /** Closes the connection after pending requests. */
    async close(): Promise<void> {
      keeping?.abort();
      keeping = null;
      await queue.run(() => live.close());
    },
  };
}

/** The account whose rows a document belongs to. */
export interface StatePlace {
  readonly database: Pick<Database, 'place' | 'query' | 'transaction' | 'readOnly'>;
  readonly accountId: number;
}

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
  /** Wakes those who listen for news of an account, by its number, when the transaction has ended well; nothing where the engine knows no such thing. */
  announce(payload: string): Promise<void>;
}

/**
 * One connection to a database, made when it is first needed and made again when it broke. What is asked of it happens one
 * after the other; a transaction holds it. All methods reject with a `StoreError`, of kind `cut-off` while it cannot be
 * reached. JSON is answered as the text that it is, instants as milliseconds, whole numbers as numbers.
 */
export interface Database {
  /** As it is shown: `postgres://ann@nas/parcels`, never with a password. */
  readonly place: string;
  /** One statement, whose tables are named with their schema. */
  query<Answer extends object = Row>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<readonly Answer[]>;
  /**
   * All of the work or none of it; the work is done again when others were in its way, so it must not change anything but
   * the database. Inside, only the transaction may be asked. `answerMs` is how long one of its statements may take, in milliseconds.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: { readonly answerMs?: number },
  ): Promise<Result>;
  /**
   * Calls whenever there may be news: when somebody announced some (with what they announced: the number of an account),
   * and with null each second where announcements do not come through, and after each reconnecting. Keeps the connection
   * alive and looks whether it is. Answers how to stop that.
   */
  onNews(listener: (announced: string | null) => void): () => void;
  /**
   * Why nothing can be written, as a sentence; null when it can, or while that is not known. Asked again from time to time while
   * somebody wants news.
   */
  readonly readOnly: string | null;
  /** Whether a pooler stands between, so that news is asked for each second; false while that is not known. */
  readonly isPooled: boolean;
  /** The database's clock less ours, in milliseconds, as last measured; 0 before the first connection. */
  clockOffsetMs(): number;
  /** Has the connection made, if there is none. */
  open(): Promise<void>;
  /** Ends the connection for good, when what was asked for has ended. */
  close(): Promise<void>;
}

/** How one statement is asked. */
interface QueryOptions {
  /**
   * True for what is small and asked again and again: like the heartbeat, which waits behind it, it finds out soon whether the
   * connection is dead.
   */
  readonly isLook?: boolean;
}

/** How often a transaction is done again when others are in its way. */
const mostTries = 8;

/** Makes a {@link Database}; nothing is sent before something is asked. */
export function createDatabase(options: DatabaseOptions): Database {
  const { address, clock, random } = options;
  const { place } = address;
  const queue = createSerialQueue();
  const newsListeners = new Set<(announced: string | null) => void>();
  const tellNews = (announced: string | null): void => {
    for (const listener of [...newsListeners]) listener(announced);
  };
  const live = new LiveConnection(options, tellNews);
  const { times } = live;
  let keeping: AbortController | null = null;

  /** While it is tried again and again anyway, nobody waits for one more try. */
  const refuseWhileTrying = (): void => {
    if (keeping === null || live.state.current !== null) return;
    const { lastFailure } = live.state;
    if (lastFailure !== null) throw new StoreError('cut-off', lastFailure.message, place, lastFailure.cause);
  };

  const query = async <Answer extends object>(
    text: string,
    values: readonly unknown[] = [],
    { isLook = false }: QueryOptions = {},
  ): Promise<readonly Answer[]> =>
    await queue.run(async () => {
      refuseWhileTrying();
      const on = await live.made();
      const answerMs = isLook ? times.heartbeatAnswerMs : times.answerMs;
      // What is set for a session is on another connection there by now.
      if (on.facts.isPooled)
        return await tryTransaction((transaction) => transaction.query<Answer>(text, values), answerMs);
      try {
        return (await on.run(text, values, answerMs)) as readonly Answer[];
      } catch (error) {
        throw await live.failed(error, on);
      }
    });

  const tryTransaction = async <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    answerMs: number,
  ): Promise<Result> => {
    const on = await live.made();
    const ask = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
      try {
        return await on.run(text, values, answerMs);
      } catch (error) {
        throw await live.failed(error, on);
      }
    };
    try {
      await ask(on.beginning(answerMs));
      const result = await work({
        query: async (text, values) => (await ask(text, values)) as never,
        announce: async (payload) => {
          if (on.facts.mayAnnounce) await ask(sql.announce, [channel, payload]);
        },
      });
      await ask('commit');
      return result;
    } catch (error) {
      if (live.state.current === on) await ask('rollback');
      throw error;
    }
  };
  const isInTheWay = (error: unknown): boolean => ['40001', '40P01'].includes(stateOf(error) ?? '');
  const transaction: Database['transaction'] = async (work, { answerMs = times.answerMs } = {}) =>
    await queue.run(async () => {
      refuseWhileTrying();
      for (let tries = 1; ; tries += 1) {
        try {
          return await tryTransaction(work, answerMs);
        } catch (error) {
          if (!isInTheWay(error) || tries >= mostTries) throw error;
          await sleep(clock, random() * 20 * 2 ** tries);
        }
      }
    });

  return {
    place,
    query,
    transaction,
    onNews(listener) {
      newsListeners.add(listener);
      if (keeping === null && !live.state.isClosed) {
        keeping = new AbortController();
        // Its failures are told to whoever asks; nothing else can fail in it.
        void keepConnected({ live, inTurn: (work) => queue.run(work), tellNews, clock, random }, keeping.signal);
      }
      return () => {
        newsListeners.delete(listener);
        if (newsListeners.size > 0) return;
        keeping?.abort();
        keeping = null;
      };
    },
    get readOnly() {
      return live.state.readOnly;
    },
    get isPooled() {
      return live.state.isPooled;
    },
    clockOffsetMs: () => live.state.offsetMs,
    open: async () => void (await queue.run(() => live.made())),
    async close() {
      keeping?.abort();
      keeping = null;
      await queue.run(() => live.close());
    },
  };
}

/** Where an account's own rows are. */
export interface StatePlace {
  readonly database: Pick<Database, 'place' | 'query' | 'transaction' | 'readOnly'>;
  readonly accountId: number;
}

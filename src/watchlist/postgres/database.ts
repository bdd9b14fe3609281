import { type Clock, type Random, sleep } from '../../service/clock/clock.ts';
import { StoreError } from '../errors.ts';
import { createSerialQueue } from '../files/serial-queue.ts';
import { type Connection, connect } from './connection.ts';
import { readOnlyReason } from './read-only.ts';
import type { ServerAddress } from './server-address.ts';
import { endsConnection, stateOf, toDatabaseError } from './server-errors.ts';
import type { Row } from './server-facts.ts';

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
  /** One statement. Tables of the program need no schema before their names. */
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
export interface QueryOptions {
  /**
   * True for what is small and asked again and again: like the heartbeat, which waits behind it, it finds out soon whether the
   * connection is dead.
   */
  readonly isLook?: boolean;
}

/** How long things take with any database, in milliseconds. */
export const defaultTimings = {
  /** See `Deadlines`. */
  connectMs: 5_000,
  statementMs: 12_000,
  lockMs: 5_000,
  idleMs: 7_000,
  answerMs: 15_000,
  /** Between two looks whether the connection lives. */
  heartbeatMs: 5_000,
  /** How long nothing may come in answer to such a look, and to any other (`isLook`). */
  heartbeatAnswerMs: 5_000,
  /** Between two questions for news where none is announced. */
  newsMs: 1_000,
  /** Before the first and the last tries to connect again. */
  shortestBackOffMs: 200,
  longestBackOffMs: 5_000,
};

/** How long things take. */
export type DatabaseTimings = Readonly<typeof defaultTimings>;

/** What a database is opened with. */
export interface DatabaseOptions {
  readonly address: ServerAddress;
  /** The machine's own, not one that follows the database's. */
  readonly clock: Clock;
  readonly random: Random;
  /** As the server lists us: `parcel-monitor board nas`. */
  readonly applicationName: string;
  readonly timings?: Partial<DatabaseTimings>;
}

const channel = 'parcel_monitor';
const probe = 'probe';
/** How often a transaction is done again when others are in its way. */
const mostTries = 8;

/** Makes a {@link Database}; nothing is sent before something is asked. */
export function createDatabase({ address, applicationName, clock, random, timings }: DatabaseOptions): Database {
  const { place } = address;
  const times = { ...defaultTimings, ...timings };
  const queue = createSerialQueue();
  const newsListeners = new Set<(announced: string | null) => void>();
  let connection: Connection | null = null;
  /** Aborted when that breaks. */
  let broken = new AbortController();
  let readOnly: string | null = null;
  let isPooled = false;
  let offsetMs = 0;
  let isClosed = false;
  /** Announcements of ours have come back on this connection. */
  let isHeard = false;
  let keeping: AbortController | null = null;
  let lastFailure: StoreError | null = null;

  const tellNews = (announced: string | null): void => {
    for (const listener of [...newsListeners]) listener(announced);
  };
  const lose = (of: Connection | null): void => {
    if (of !== connection) return;
    connection = null;
    broken.abort();
    isHeard = false;
  };
  const heard = (payload: string): void => {
    if (payload === probe) isHeard = true;
    else tellNews(payload);
  };
  /** The connection; made if there is none. Only in the queue. */
  const connected = async (): Promise<Connection> => {
    if (isClosed) throw new StoreError('cut-off', `${place} has been closed.`, place);
    if (connection !== null) return connection;
    const made: { connection: Connection | null } = { connection: null };
    try {
      made.connection = await connect({
        address,
        clock,
        applicationName,
        deadlines: times,
        onBroken: () => lose(made.connection),
        onNotification: heard,
      });
    } catch (error) {
      lastFailure = toDatabaseError(error, place);
      throw lastFailure;
    }
    connection = made.connection;
    broken = new AbortController();
    lastFailure = null;
    readOnly = readOnlyReason(connection.facts, place);
    ({ isPooled } = connection.facts);
    offsetMs = connection.facts.offsetMs;
    return connection;
  };
  const failed = async (error: unknown, on: Connection): Promise<StoreError> => {
    if (endsConnection(error)) {
      lose(on);
      await on.close().catch(() => undefined);
    }
    return toDatabaseError(error, place);
  };
  /** While it is tried again and again anyway, nobody waits for one more try. */
  const refuseWhileTrying = (): void => {
    if (keeping !== null && connection === null && lastFailure !== null)
      throw new StoreError('cut-off', lastFailure.message, place, lastFailure.cause);
  };

  const query = async <Answer extends object>(
    text: string,
    values: readonly unknown[] = [],
    { isLook = false }: QueryOptions = {},
  ): Promise<readonly Answer[]> =>
    await queue.run(async () => {
      refuseWhileTrying();
      const on = await connected();
      try {
        return (await on.run(text, values, isLook ? times.heartbeatAnswerMs : times.answerMs)) as readonly Answer[];
      } catch (error) {
        throw await failed(error, on);
      }
    });

  const tryTransaction = async <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    answerMs: number,
  ): Promise<Result> => {
    const on = await connected();
    const ask = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
      try {
        return await on.run(text, values, answerMs);
      } catch (error) {
        throw await failed(error, on);
      }
    };
    try {
      await ask(on.beginning(answerMs));
      const result = await work({
        query: async (text, values) => (await ask(text, values)) as never,
        announce: async (payload) => {
          if (on.facts.mayAnnounce) await ask('select pg_notify($1, $2)', [channel, payload]);
        },
      });
      await ask('commit');
      return result;
    } catch (error) {
      if (connection === on) await ask('rollback');
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

  /** Has announcements come to us, and finds out whether they do. */
  const listen = async (): Promise<void> => {
    await queue.run(async () => {
      const on = await connected();
      if (on.facts.isReplica || on.facts.isPooled) return;
      try {
        await on.run(`listen ${channel}`, []);
        await on.run(`select pg_notify('${channel}', '${probe}')`, []);
      } catch (error) {
        // An engine without them: it is asked each second.
        if (endsConnection(error)) throw await failed(error, on);
      }
    });
  };
  const beat = async (): Promise<void> => {
    await queue.run(async () => {
      const on = connection;
      if (on === null) return;
      try {
        offsetMs = await on.measureOffset(times.heartbeatAnswerMs);
        if (readOnly === null) return;
        // A replica may have been promoted, or a right been given: neither ends a connection.
        await on.look();
        readOnly = readOnlyReason(on.facts, place);
      } catch (error) {
        await failed(error, on);
      }
    });
  };
  /** Listens, looks whether the connection lives, and makes it again, as long as somebody wants news. */
  const keep = async (signal: AbortSignal): Promise<void> => {
    let listening: Connection | null = null;
    /** Nobody waits any longer when nothing is to be kept, or the connection breaks. */
    let ended = signal;
    let failures = 0;
    let untilBeatMs = times.heartbeatMs;
    while (!signal.aborted) {
      if (connection === null || listening !== connection) {
        try {
          await listen();
          if (signal.aborted) return;
          listening = connection;
          ended = AbortSignal.any([signal, broken.signal]);
          failures = 0;
          untilBeatMs = times.heartbeatMs;
          tellNews(null);
        } catch {
          // It is known as `lastFailure`, and told to whoever asks something of the database.
          const most = Math.min(times.longestBackOffMs, times.shortestBackOffMs * 2 ** failures);
          failures += 1;
          if (!(await sleep(clock, most * (0.5 + random() / 2), signal))) return;
          continue;
        }
      }
      const waitMs = Math.min(times.newsMs, untilBeatMs);
      await sleep(clock, waitMs, ended);
      if (signal.aborted) return;
      untilBeatMs -= waitMs;
      if (!isHeard && connection !== null) tellNews(null);
      if (untilBeatMs > 0) continue;
      untilBeatMs = times.heartbeatMs;
      const wasReadOnly = readOnly !== null;
      await beat();
      // A replica that has been promoted announces what happens.
      if (wasReadOnly && readOnly === null) listening = null;
    }
  };
  return {
    place,
    query,
    transaction,
    onNews(listener) {
      newsListeners.add(listener);
      if (keeping === null && !isClosed) {
        keeping = new AbortController();
        // Its failures are told to whoever asks; nothing else can fail in it.
        void keep(keeping.signal);
      }
      return () => {
        newsListeners.delete(listener);
        if (newsListeners.size > 0) return;
        keeping?.abort();
        keeping = null;
      };
    },
    get readOnly() {
      return readOnly;
    },
    get isPooled() {
      return isPooled;
    },
    clockOffsetMs: () => offsetMs,
    open: async () => void (await queue.run(connected)),
    async close() {
      keeping?.abort();
      keeping = null;
      await queue.run(async () => {
        isClosed = true;
        const on = connection;
        connection = null;
        await on?.close();
      });
    },
  };
}

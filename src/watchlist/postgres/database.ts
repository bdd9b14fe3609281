import { type Clock, type EpochMs, type Random, sleep } from '../../service/clock/clock.ts';
import type { StoreError } from '../errors.ts';
import { createSerialQueue } from '../files/serial-queue.ts';
import { type Connection, connect } from './connection.ts';
import { readOnlyReason } from './read-only.ts';
import type { ServerAddress } from './server-address.ts';
import { CutOffError, endsConnection, stateOf, toDatabaseError } from './server-errors.ts';
import type { Deadlines, Row } from './server-facts.ts';

/** Statements that belong together. */
export interface Transaction {
  query<Answer extends object = Row>(text: string, values?: readonly unknown[]): Promise<readonly Answer[]>;
  /** Wakes those who listen for news of an account, by its number, when the transaction has ended well; nothing where the engine knows no such thing. */
  announce(payload: string): Promise<void>;
}

/** Whether the database can be reached. */
export interface ConnectionState {
  readonly state: 'connected' | 'cut-off';
  /** Since when, on our clock. */
  readonly since: EpochMs;
}

/**
 * One connection to a database, made when it is first needed and made again when it broke. What is asked of it happens one
 * after the other; a transaction holds it. All methods reject with a `StoreError`, a `CutOffError` while it cannot be
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
   * the database. Inside, only the transaction may be asked. `answerMs` is how long one of its statements may take.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Calls whenever there may be news: when somebody announced some (with what they announced: the number of an account),
   * and with null each second where announcements do not come through, and after each reconnecting. Keeps the connection
   * alive and looks whether it is. Answers how to stop that.
   */
  onNews(listener: (announced: string | null) => void): () => void;
  /** Counts as connected until it turns out not to be. Watching keeps the connection alive, as `onNews` does. */
  readonly connection: {
    current(): ConnectionState;
    subscribe(listener: (state: ConnectionState) => void): () => void;
  };
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

/** How a transaction is done. */
export interface TransactionOptions {
  /** How long one statement may take, in milliseconds. */
  readonly answerMs?: number;
}

/** How long things take, in milliseconds. */
export interface DatabaseTimings extends Deadlines {
  /** Between two looks whether the connection lives. */
  readonly heartbeatMs: number;
  /** How long nothing may come in answer to such a look, and to any other (`isLook`). */
  readonly heartbeatAnswerMs: number;
  /** Between two questions for news where none is announced. */
  readonly newsMs: number;
  /** Before the first and the last tries to connect again. */
  readonly shortestBackOffMs: number;
  readonly longestBackOffMs: number;
}

/** What holds for any database. */
export const defaultTimings: DatabaseTimings = {
  connectMs: 5_000,
  statementMs: 12_000,
  lockMs: 5_000,
  idleMs: 7_000,
  answerMs: 15_000,
  heartbeatMs: 5_000,
  heartbeatAnswerMs: 5_000,
  newsMs: 1_000,
  shortestBackOffMs: 200,
  longestBackOffMs: 5_000,
};

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
  const stateListeners = new Set<(state: ConnectionState) => void>();
  let connection: Connection | null = null;
  let state: ConnectionState = { state: 'connected', since: clock.now() };
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
  const setState = (next: ConnectionState['state']): void => {
    if (state.state === next) return;
    state = { state: next, since: clock.now() };
    for (const listener of [...stateListeners]) listener(state);
  };
  const lose = (of: Connection | null): void => {
    if (of !== connection) return;
    connection = null;
    isHeard = false;
    if (!isClosed) setState('cut-off');
  };
  const heard = (payload: string): void => {
    if (payload === probe) isHeard = true;
    else tellNews(payload);
  };
  /** The connection; made if there is none. Only in the queue. */
  const connected = async (): Promise<Connection> => {
    if (isClosed) throw new CutOffError(`${place} has been closed.`, place);
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
      setState('cut-off');
      throw lastFailure;
    }
    connection = made.connection;
    lastFailure = null;
    readOnly = readOnlyReason(connection.facts, place);
    ({ isPooled } = connection.facts);
    offsetMs = connection.facts.offsetMs;
    setState('connected');
    return connection;
  };
  const failed = async (error: unknown, on: Connection): Promise<StoreError> => {
    if (endsConnection(error)) {
      lose(on);
      await on.close().catch(() => undefined);
    }
    return toDatabaseError(error, place);
  };
  const isTrying = (): boolean => keeping !== null && connection === null && lastFailure !== null;
  /** While it is tried again and again anyway, nobody waits for one more try. */
  const refuseWhileTrying = (): void => {
    if (isTrying() && lastFailure !== null)
      throw new CutOffError(lastFailure.message, place, { cause: lastFailure.cause });
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
    let isCommitting = false;
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
      isCommitting = true;
      await ask('commit');
      return result;
    } catch (error) {
      if (isCommitting && error instanceof CutOffError)
        throw new CutOffError(error.message, place, { cause: error.cause, isOutcomeUnknown: true });
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
    let failures = 0;
    let untilBeatMs = times.heartbeatMs;
    while (!signal.aborted) {
      if (connection === null || listening !== connection) {
        try {
          await listen();
          if (signal.aborted) return;
          listening = connection;
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
      if (!(await sleepWhile(waitMs, signal))) return;
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
  /** Waits, but not when the connection breaks meanwhile. */
  const sleepWhile = async (ms: number, signal: AbortSignal): Promise<boolean> => {
    const broken = new AbortController();
    const stop = (): void => broken.abort();
    signal.addEventListener('abort', stop, { once: true });
    const unwatch = watchState((next) => {
      if (next.state === 'cut-off') stop();
    });
    try {
      await sleep(clock, ms, broken.signal);
      return !signal.aborted;
    } finally {
      unwatch();
      signal.removeEventListener('abort', stop);
    }
  };
  const watchState = (listener: (state: ConnectionState) => void): (() => void) => {
    stateListeners.add(listener);
    return () => stateListeners.delete(listener);
  };
  /** Somebody wants to know of news or of the connection, until they do not any more. */
  let interested = 0;
  const keepFor = (leave: () => void): (() => void) => {
    interested += 1;
    if (keeping === null && !isClosed) {
      keeping = new AbortController();
      // Its failures are told to whoever asks; nothing else can fail in it.
      void keep(keeping.signal);
    }
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      leave();
      interested -= 1;
      if (interested > 0) return;
      keeping?.abort();
      keeping = null;
    };
  };

  return {
    place,
    query,
    transaction,
    onNews(listener) {
      newsListeners.add(listener);
      return keepFor(() => newsListeners.delete(listener));
    },
    connection: {
      current: () => state,
      subscribe: (listener) => keepFor(watchState(listener)),
    },
    get readOnly() {
      return readOnly;
    },
    get isPooled() {
      return isPooled;
    },
    clockOffsetMs: () => offsetMs,
    open: async () => {
      await queue.run(async () => {
        await connected();
      });
    },
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

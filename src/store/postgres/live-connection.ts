import { type Clock, type Random, sleep } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { type Connection, connect } from './connection.ts';
import { endsConnection, toDatabaseError } from './server-errors.ts';
import { readOnlyReason, type ServerAddress } from './server-facts.ts';
import { sql } from './sql.ts';

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

/** Where boards of one database announce news to each other. */
export const channel = 'parcel_monitor';
const probe = 'probe';

/** What is known of a connection. All but `current` and `isHeard` outlives it. */
interface LiveState {
  /** Null while there is none. */
  current: Connection | null;
  /** Why nothing can be written, as a sentence; null if it can, or while that is not known. */
  readOnly: string | null;
  /** Whether there is a pooler in between; false while that is not known. */
  isPooled: boolean;
  /** The database's clock minus ours, in milliseconds, as last measured; 0 before the first connection. */
  offsetMs: number;
  /** Whether our own announcements come back to us. */
  isHeard: boolean;
  isClosed: boolean;
  /** Why there is no connection; null if there is one, and before the first try. */
  lastFailure: StoreError | null;
}

/**
 * The connection to a database that there is now, made when it is asked for and forgotten when it breaks, and what the server
 * said of itself when it was asked last. Whoever asks it for something sees to it that one thing happens after the other.
 */
export class LiveConnection {
  /** How long things take here. */
  readonly times: DatabaseTimings;
  readonly #options: DatabaseOptions;
  readonly #tellNews: (announced: string) => void;
  readonly #state: LiveState = {
    current: null,
    readOnly: null,
    isPooled: false,
    offsetMs: 0,
    isHeard: false,
    isClosed: false,
    lastFailure: null,
  };
  #broken = new AbortController();

  /** @param tellNews told what others have announced */
  constructor(options: DatabaseOptions, tellNews: (announced: string) => void) {
    this.#options = options;
    this.times = { ...defaultTimings, ...options.timings };
    this.#tellNews = tellNews;
  }

  /** Aborted when the current connection breaks. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** What is known of the connection and its server at this moment. */
  get state(): Readonly<LiveState> {
    return this.#state;
  }

  /** The connection; made if there is none. Rejects with a `StoreError`. */
  async made(): Promise<Connection> {
    const { address, applicationName, clock } = this.#options;
    const { place } = address;
    if (this.#state.isClosed) throw new StoreError('cut-off', `${place} has been closed.`, place);
    if (this.#state.current !== null) return this.#state.current;
    const made: { connection: Connection | null } = { connection: null };
    try {
      made.connection = await connect({
        address,
        clock,
        applicationName,
        deadlines: this.times,
        onBroken: () => this.#lose(made.connection),
        onNotification: (payload) => this.#hear(payload),
      });
    } catch (error) {
      this.#state.lastFailure = toDatabaseError(error, place);
      throw this.#state.lastFailure;
    }
    const { connection } = made;
    this.#state.current = connection;
    this.#broken = new AbortController();
    this.#state.lastFailure = null;
    this.#state.readOnly = readOnlyReason(connection.facts, place);
    this.#state.isPooled = connection.facts.isPooled;
    this.#state.offsetMs = connection.facts.offsetMs;
    return connection;
  }

  /** What a failure on a connection is to whoever asked; ends the connection where the failure does. */
  async failed(error: unknown, on: Connection): Promise<StoreError> {
    if (endsConnection(error)) {
      this.#lose(on);
      await on.close().catch(() => undefined);
    }
    return toDatabaseError(error, this.#options.address.place);
  }

  /** Has announcements come to us, and finds out whether they do. Rejects with a `StoreError`. */
  async listen(): Promise<void> {
    const on = await this.made();
    if (on.facts.isReplica || on.facts.isPooled) return;
    try {
      await on.run(`listen ${channel}`, []);
      await on.run(sql.announce, [channel, probe]);
    } catch (error) {
      // An engine without them: it is asked each second.
      if (endsConnection(error)) throw await this.failed(error, on);
    }
  }

  /** Looks whether it lives, measures the clock, and whether it can be written by now where it could not. */
  async look(): Promise<void> {
    const on = this.#state.current;
    if (on === null) return;
    try {
      this.#state.offsetMs = await on.measureOffset(this.times.heartbeatAnswerMs);
      if (this.#state.readOnly === null) return;
      // A replica may have been promoted, or a right been given: neither ends a connection.
      await on.look();
      this.#state.readOnly = readOnlyReason(on.facts, this.#options.address.place);
    } catch (error) {
      await this.failed(error, on);
    }
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#state.isClosed = true;
    const on = this.#state.current;
    this.#state.current = null;
    await on?.close();
  }

  #lose(of: Connection | null): void {
    if (of !== this.#state.current) return;
    this.#state.current = null;
    this.#broken.abort();
    this.#state.isHeard = false;
  }

  #hear(payload: string): void {
    if (payload === probe) this.#state.isHeard = true;
    else this.#tellNews(payload);
  }
}

/** What {@link keepConnected} works with. */
interface Keeping {
  readonly live: LiveConnection;
  /** Does something with the connection when everything before it is done. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Told null when there may be news. */
  readonly tellNews: (announced: null) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** Listens, looks whether the connection lives, and makes it again, until the signal is aborted. Never rejects. */
export async function keepConnected(
  { live, inTurn, tellNews, clock, random }: Keeping,
  signal: AbortSignal,
): Promise<void> {
  const { times } = live;
  let listening: Connection | null = null;
  /** Nobody waits any longer when nothing is to be kept, or the connection breaks. */
  let ended = signal;
  let failures = 0;
  let untilBeatMs = times.heartbeatMs;
  while (!signal.aborted) {
    if (live.state.current === null || listening !== live.state.current) {
      try {
        await inTurn(() => live.listen());
        if (signal.aborted) return;
        listening = live.state.current;
        ended = AbortSignal.any([signal, live.broken]);
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
    if (!live.state.isHeard && live.state.current !== null) tellNews(null);
    if (untilBeatMs > 0) continue;
    untilBeatMs = times.heartbeatMs;
    const wasReadOnly = live.state.readOnly !== null;
    await inTurn(() => live.look());
    // A replica that has been promoted announces what happens.
    if (wasReadOnly && live.state.readOnly === null) listening = null;
  }
}

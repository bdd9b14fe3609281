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

/**
 * The connection to a database that there is now, made when it is asked for and forgotten when it breaks, and what the server
 * said of itself when it was asked last. Whoever asks it for something sees to it that one thing happens after the other.
 */
export class LiveConnection {
  /** How long things take here. */
  readonly times: DatabaseTimings;
  readonly #options: DatabaseOptions;
  readonly #tellNews: (announced: string) => void;
  #current: Connection | null = null;
  #broken = new AbortController();
  #readOnly: string | null = null;
  #isPooled = false;
  #offsetMs = 0;
  #isHeard = false;
  #isClosed = false;
  #lastFailure: StoreError | null = null;

  /** @param tellNews told what others have announced */
  constructor(options: DatabaseOptions, tellNews: (announced: string) => void) {
    this.#options = options;
    this.times = { ...defaultTimings, ...options.timings };
    this.#tellNews = tellNews;
  }

  /** Null while there is none. */
  get current(): Connection | null {
    return this.#current;
  }

  /** Aborted when the current one breaks. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Why nothing can be written, as a sentence; null when it can, or while that is not known. */
  get readOnly(): string | null {
    return this.#readOnly;
  }

  /** Whether a pooler stands between; false while that is not known. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** The database's clock less ours, in milliseconds, as last measured; 0 before the first connection. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Whether announcements of ours have come back on the current one. */
  get isHeard(): boolean {
    return this.#isHeard;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Why there is none; null when there is one, and before the first try. */
  get lastFailure(): StoreError | null {
    return this.#lastFailure;
  }

  /** The connection; made if there is none. Rejects with a `StoreError`. */
  async made(): Promise<Connection> {
    const { address, applicationName, clock } = this.#options;
    const { place } = address;
    if (this.#isClosed) throw new StoreError('cut-off', `${place} has been closed.`, place);
    if (this.#current !== null) return this.#current;
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
      this.#lastFailure = toDatabaseError(error, place);
      throw this.#lastFailure;
    }
    const { connection } = made;
    this.#current = connection;
    this.#broken = new AbortController();
    this.#lastFailure = null;
    this.#readOnly = readOnlyReason(connection.facts, place);
    this.#isPooled = connection.facts.isPooled;
    this.#offsetMs = connection.facts.offsetMs;
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
    const on = this.#current;
    if (on === null) return;
    try {
      this.#offsetMs = await on.measureOffset(this.times.heartbeatAnswerMs);
      if (this.#readOnly === null) return;
      // A replica may have been promoted, or a right been given: neither ends a connection.
      await on.look();
      this.#readOnly = readOnlyReason(on.facts, this.#options.address.place);
    } catch (error) {
      await this.failed(error, on);
    }
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const on = this.#current;
    this.#current = null;
    await on?.close();
  }

  #lose(of: Connection | null): void {
    if (of !== this.#current) return;
    this.#current = null;
    this.#broken.abort();
    this.#isHeard = false;
  }

  #hear(payload: string): void {
    if (payload === probe) this.#isHeard = true;
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
    if (live.current === null || listening !== live.current) {
      try {
        await inTurn(() => live.listen());
        if (signal.aborted) return;
        listening = live.current;
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
    if (!live.isHeard && live.current !== null) tellNews(null);
    if (untilBeatMs > 0) continue;
    untilBeatMs = times.heartbeatMs;
    const wasReadOnly = live.readOnly !== null;
    await inTurn(() => live.look());
    // A replica that has been promoted announces what happens.
    if (wasReadOnly && live.readOnly === null) listening = null;
  }
}

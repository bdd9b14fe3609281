import { type Clock, type Random, sleep } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { type Connection, connect } from './connection.ts';
import { endsConnection, toDatabaseError } from './server-errors.ts';
import { readOnlyReason, type ServerAddress } from './server-facts.ts';
import { sql } from './sql.ts';

/** Default times, in milliseconds. */
export const defaultTimings = {
  /** See `Deadlines`. */
  connectMs: 5_000,
  statementMs: 12_000,
  lockMs: 5_000,
  idleMs: 7_000,
  responseMs: 15_000,
  /** Time between two heartbeats. */
  heartbeatMs: 5_000,
  /** Maximum silence before a heartbeat fails, and other small requests (`isLook`). */
  heartbeatAnswerMs: 5_000,
  /** Time between two queries for news if there are no notifications. */
  newsMs: 1_000,
  /** Minimum and maximum wait before a try to reconnect. */
  minBackOffMs: 200,
  maxBackOffMs: 5_000,
};

export type DatabaseTimings = Readonly<typeof defaultTimings>;

export interface DatabaseOptions {
  readonly address: ServerAddress;
  /** The machine's own clock, which does not follow the database's. */
  readonly clock: Clock;
  readonly random: Random;
  /** The name that the server lists, such as `parcel-monitor board nas`. */
  readonly applicationName: string;
  readonly timings?: Partial<DatabaseTimings>;
}

/** The channel on which boards of one database notify each other. */
export const channel = 'parcel_monitor';
const probe = 'probe';

/**
 * The current connection to a database, opened on demand and dropped when it breaks, with the last known facts of the
 * server. Callers must run one request at a time.
 */
export class LiveConnection {
  readonly times: DatabaseTimings;
  readonly #options: DatabaseOptions;
  readonly #announceNews: (announced: string) => void;
  /** Null without a connection. */
  current: Connection | null = null;
  /** Why we cannot write, as a sentence. Null if we can or do not know yet. */
  readOnly: string | null = null;
  /** Whether there is a pooler in between. False while that is unknown. */
  isPooled = false;
  /** The database's clock minus ours, in milliseconds, as last measured. 0 before the first connection. */
  offsetMs = 0;
  /** Whether we receive our own notifications. */
  isHeard = false;
  isClosed = false;
  /** Why there is no connection. Null if there is one, and before the first try. */
  lastFailure: StoreError | null = null;
  #broken = new AbortController();

  /** @param announceNews called with each notification from others */
  constructor(options: DatabaseOptions, announceNews: (announced: string) => void) {
    this.#options = options;
    this.times = { ...defaultTimings, ...options.timings };
    this.#announceNews = announceNews;
  }

  /** Aborted when the current connection breaks. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Returns the connection, and connects if needed. Rejects with a `StoreError`. */
  async made(): Promise<Connection> {
    const { address, applicationName, clock } = this.#options;
    const { place } = address;
    if (this.isClosed) throw new StoreError('cut-off', `The connection to ${place} is closed.`, place);
    if (this.current !== null) return this.current;
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
      this.lastFailure = toDatabaseError(error, place);
      throw this.lastFailure;
    }
    const { connection } = made;
    this.current = connection;
    this.#broken = new AbortController();
    this.lastFailure = null;
    this.readOnly = readOnlyReason(connection.facts, place);
    this.isPooled = connection.facts.isPooled;
    this.offsetMs = connection.facts.offsetMs;
    return connection;
  }

  /** Turns a failure into an error for the caller. Closes the connection if it is unusable. */
  async failed(error: unknown, on: Connection): Promise<StoreError> {
    if (endsConnection(error)) {
      this.#lose(on);
      await on.close().catch(() => undefined);
    }
    return toDatabaseError(error, this.#options.address.place);
  }

  /** Subscribes to notifications and tests whether they arrive. Rejects with a `StoreError`. */
  async listen(): Promise<void> {
    const on = await this.made();
    if (on.facts.isReplica || on.facts.isPooled) return;
    try {
      await on.run(`listen ${channel}`, []);
      await on.run(sql.announce, [channel, probe]);
    } catch (error) {
      // Some engines have no notifications. Then we query each second.
      if (endsConnection(error)) throw await this.failed(error, on);
    }
  }

  /** Sends a heartbeat, measures the clock, and checks whether we can write now if we could not before. */
  async look(): Promise<void> {
    const on = this.current;
    if (on === null) return;
    try {
      this.offsetMs = await on.measureOffset(this.times.heartbeatAnswerMs);
      if (this.readOnly === null) return;
      // A replica may have been promoted, or a right granted, without a new connection.
      await on.look();
      this.readOnly = readOnlyReason(on.facts, this.#options.address.place);
    } catch (error) {
      await this.failed(error, on);
    }
  }

  /** Closes it permanently. */
  async close(): Promise<void> {
    this.isClosed = true;
    const on = this.current;
    this.current = null;
    await on?.close();
  }

  #lose(of: Connection | null): void {
    if (of !== this.current) return;
    this.current = null;
    this.#broken.abort();
    this.isHeard = false;
  }

  #hear(payload: string): void {
    if (payload === probe) this.isHeard = true;
    else this.#announceNews(payload);
  }
}

interface Keeping {
  readonly live: LiveConnection;
  /** Runs work on the connection after all earlier requests. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Called with null when there may be news. */
  readonly announceNews: (announced: null) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** Listens, sends heartbeats and reconnects until the signal is aborted. Never rejects. */
export async function keepConnected(
  { live, inTurn, announceNews, clock, random }: Keeping,
  signal: AbortSignal,
): Promise<void> {
  const { times } = live;
  let listening: Connection | null = null;
  /** Ends the wait if we are to stop, or if the connection breaks. */
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
        announceNews(null);
      } catch {
        // It is saved as `lastFailure`, which later requests report.
        const maxPauseMs = Math.min(times.maxBackOffMs, times.minBackOffMs * 2 ** failures);
        failures += 1;
        if (!(await sleep(clock, maxPauseMs * (0.5 + random() / 2), signal))) return;
        continue;
      }
    }
    const waitMs = Math.min(times.newsMs, untilBeatMs);
    await sleep(clock, waitMs, ended);
    if (signal.aborted) return;
    untilBeatMs -= waitMs;
    if (!live.isHeard && live.current !== null) announceNews(null);
    if (untilBeatMs > 0) continue;
    untilBeatMs = times.heartbeatMs;
    const wasReadOnly = live.readOnly !== null;
    await inTurn(() => live.look());
    // After its promotion, a replica sends notifications.
    if (wasReadOnly && live.readOnly === null) listening = null;
  }
}

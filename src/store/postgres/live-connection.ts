import { type Clock, type Random, sleep } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { type Connection, connect } from './connection.ts';
import { endsConnection, toDatabaseError } from './server-errors.ts';
import { readOnlyReason, type ServerAddress } from './server-facts.ts';
import { sql } from './sql.ts';

/** Default timings, in milliseconds. */
export const defaultTimings = {
  /** See `Deadlines`. */
  connectMs: 5_000,
  statementMs: 12_000,
  lockMs: 5_000,
  idleMs: 7_000,
  responseMs: 15_000,
  heartbeatMs: 5_000,
  /** How long a heartbeat or other small request (`failsFast`) may go unanswered. */
  heartbeatResponseMs: 5_000,
  /** Polling interval when notifications are unavailable. */
  newsMs: 1_000,
  /** Minimum and maximum delay before a reconnect attempt. */
  minBackOffMs: 200,
  maxBackOffMs: 5_000,
};

export type DatabaseTimings = Readonly<typeof defaultTimings>;

export interface DatabaseOptions {
  readonly address: ServerAddress;
  /** The local clock, which is not adjusted to the database's. */
  readonly clock: Clock;
  readonly random: Random;
  /** The name shown in `pg_stat_activity`, such as `parcel-monitor board nas`. */
  readonly applicationName: string;
  readonly timings?: Partial<DatabaseTimings>;
}

/** The channel on which programs that share a database notify each other. */
export const channel = 'parcel_monitor';
const probePayload = 'probe';

/**
 * The current connection to a database, opened on demand and dropped when it breaks, and the last known facts about the
 * server. Callers must run one request at a time.
 */
export class LiveConnection {
  readonly timings: DatabaseTimings;
  readonly #options: DatabaseOptions;
  readonly #onNews: (announced: string) => void;
  /** Null while disconnected. */
  current: Connection | null = null;
  /** Why we cannot write, as a sentence. Null if we can, or if that is not known yet. */
  readOnly: string | null = null;
  /** Whether we are behind a pooler. False while that is unknown. */
  isPooled = false;
  /** The database's clock minus ours, as last measured. 0 before the first connection. */
  offsetMs = 0;
  /** Whether notifications arrive, because our own probe did. */
  receivesNotifications = false;
  isClosed = false;
  /** Why the last attempt to connect failed. Null while connected, and before the first attempt. */
  lastFailure: StoreError | null = null;
  #broken = new AbortController();

  /** @param onNews called with the payload of each notification, except our own probe */
  constructor(options: DatabaseOptions, onNews: (announced: string) => void) {
    this.#options = options;
    this.timings = { ...defaultTimings, ...options.timings };
    this.#onNews = onNews;
  }

  /** Aborted when the current connection breaks. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Returns the current connection, or opens one. Rejects with a `StoreError`. */
  async acquire(): Promise<Connection> {
    const { address, applicationName, clock } = this.#options;
    const { place } = address;
    if (this.isClosed) throw new StoreError('cut-off', `The connection to ${place} is closed.`, place);
    if (this.current !== null) return this.current;
    const opened: { connection: Connection | null } = { connection: null };
    try {
      opened.connection = await connect({
        address,
        clock,
        applicationName,
        deadlines: this.timings,
        onBroken: () => this.#drop(opened.connection),
        onNotification: (payload) => this.#receive(payload),
      });
    } catch (error) {
      this.lastFailure = toDatabaseError(error, place);
      throw this.lastFailure;
    }
    const { connection } = opened;
    this.current = connection;
    this.#broken = new AbortController();
    this.lastFailure = null;
    this.readOnly = readOnlyReason(connection.facts, place);
    this.isPooled = connection.facts.isPooled;
    this.offsetMs = connection.facts.offsetMs;
    return connection;
  }

  /** Converts a failure of a request into an error for the caller. Closes the connection if it is no longer usable. */
  async handleFailure(error: unknown, connection: Connection): Promise<StoreError> {
    if (endsConnection(error)) {
      this.#drop(connection);
      await connection.close().catch(() => undefined);
    }
    return toDatabaseError(error, this.#options.address.place);
  }

  /** Subscribes to notifications and tests whether they arrive. Rejects with a `StoreError`. */
  async listen(): Promise<void> {
    const connection = await this.acquire();
    if (connection.facts.isReplica || connection.facts.isPooled) return;
    try {
      await connection.run(`listen ${channel}`, []);
      await connection.run(sql.announce, [channel, probePayload]);
    } catch (error) {
      // Some Postgres-compatible engines lack LISTEN/NOTIFY; we poll instead.
      if (endsConnection(error)) throw await this.handleFailure(error, connection);
    }
  }

  /** Checks the connection, measures the database's clock, and, if we could not write, checks whether we can now. */
  async heartbeat(): Promise<void> {
    const connection = this.current;
    if (connection === null) return;
    try {
      this.offsetMs = await connection.measureOffset(this.timings.heartbeatResponseMs);
      if (this.readOnly === null) return;
      // A replica can be promoted, or a privilege granted, while the connection stays open.
      await connection.refreshFacts();
      this.readOnly = readOnlyReason(connection.facts, this.#options.address.place);
    } catch (error) {
      await this.handleFailure(error, connection);
    }
  }

  /** Closes the connection permanently: later requests are rejected. */
  async close(): Promise<void> {
    this.isClosed = true;
    const connection = this.current;
    this.current = null;
    await connection?.close();
  }

  #drop(connection: Connection | null): void {
    if (connection !== this.current) return;
    this.current = null;
    this.#broken.abort();
    this.receivesNotifications = false;
  }

  #receive(payload: string): void {
    if (payload === probePayload) this.receivesNotifications = true;
    else this.#onNews(payload);
  }
}

interface KeepConnectedOptions {
  readonly live: LiveConnection;
  /** Runs work once all earlier requests have finished. */
  readonly enqueue: (work: () => Promise<void>) => Promise<void>;
  /** Called with null when there may be changes to fetch. */
  readonly onNews: (announced: null) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** Subscribes to notifications, sends heartbeats and reconnects until the signal is aborted. Never rejects. */
export async function keepConnected(
  { live, enqueue, onNews, clock, random }: KeepConnectedOptions,
  signal: AbortSignal,
): Promise<void> {
  const { timings } = live;
  let subscribed: Connection | null = null;
  /** Aborted when we must stop or the connection breaks. */
  let wakeUp = signal;
  let failures = 0;
  let untilHeartbeatMs = timings.heartbeatMs;
  while (!signal.aborted) {
    if (live.current === null || subscribed !== live.current) {
      try {
        await enqueue(() => live.listen());
        if (signal.aborted) return;
        subscribed = live.current;
        wakeUp = AbortSignal.any([signal, live.broken]);
        failures = 0;
        untilHeartbeatMs = timings.heartbeatMs;
        onNews(null);
      } catch {
        // The error is in `lastFailure`, which later requests report.
        const maxPauseMs = Math.min(timings.maxBackOffMs, timings.minBackOffMs * 2 ** failures);
        failures += 1;
        if (!(await sleep(clock, maxPauseMs * (0.5 + random() / 2), signal))) return;
        continue;
      }
    }
    const waitMs = Math.min(timings.newsMs, untilHeartbeatMs);
    await sleep(clock, waitMs, wakeUp);
    if (signal.aborted) return;
    untilHeartbeatMs -= waitMs;
    if (!live.receivesNotifications && live.current !== null) onNews(null);
    if (untilHeartbeatMs > 0) continue;
    untilHeartbeatMs = timings.heartbeatMs;
    const wasReadOnly = live.readOnly !== null;
    await enqueue(() => live.heartbeat());
    // A promoted replica supports notifications, so subscribe again.
    if (wasReadOnly && live.readOnly === null) subscribed = null;
  }
}

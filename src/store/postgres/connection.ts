import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import type { Clock, EpochMs } from '../../lib/clock.ts';
import {
  beginStatement,
  type Deadlines,
  queryFacts,
  type Row,
  type ServerAddress,
  type ServerFacts,
} from './server-facts.ts';
import { sql } from './sql.ts';

interface ConnectionContext {
  readonly address: ServerAddress;
  readonly clock: Clock;
  readonly applicationName: string;
  readonly deadlines: Deadlines;
  /** Called once if the connection breaks, but not if it is closed. */
  readonly onBroken: (error: Error) => void;
  /** Called with the payload of each notification on our channel. */
  readonly onNotification: (payload: string) => void;
}

/** The server asked for the password in cleartext over an unencrypted connection. The password was not sent. */
export class CleartextPasswordError extends Error {
  constructor() {
    super('The server asked for the password in cleartext.');
    this.name = new.target.name;
  }
}

/** OIDs of the types that we convert from text. */
const int8 = 20;
const timestamptz = 1184;
const bool = 16;
const numberOids: ReadonlySet<number> = new Set([int8, 21, 23, 26, 700, 701]);

/** JSON stays text that callers parse. Instants become {@link EpochMs}. */
const types: ClientConfig['types'] = {
  getTypeParser: ((oid: number) => (text: string) => {
    if (numberOids.has(oid)) return Number(text);
    if (oid === bool) return text === 't';
    return oid === timestamptz ? parseTimestamp(text) : text;
  }) as NonNullable<ClientConfig['types']>['getTypeParser'],
};

const [earliest, latest] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Parses `2026-11-22 15:00:00.123456+00`. The offset is not zero if a pooler lost our `TimeZone` setting. Another
 * program may have stored `infinity`, or a year that we cannot represent; then we use the nearest instant that we can.
 */
function parseTimestamp(text: string): EpochMs {
  const instant = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  if (!Number.isNaN(instant)) return instant;
  return text.startsWith('-') || text.endsWith(' BC') ? earliest : latest;
}

export type Connection = Awaited<ReturnType<typeof connect>>;

/** Connects and queries the server's facts. Rejects with an error of the driver or the server. */
export async function connect(context: ConnectionContext) {
  const { address, applicationName, clock, deadlines } = context;
  const connectTimer = connectLimit(deadlines.connectMs, () => abort(new Error('timed out while connecting')));
  const client = new Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    password: async () => (await connectTimer.pauseDuring(address.password)) ?? '',
    ssl: address.tls ?? false,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types,
  });
  if (address.tls === null && !address.host.startsWith('/')) refuseCleartext(client);
  let hasEnded = false;
  let isConnected = false;
  const markBroken = (error: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (isConnected) context.onBroken(error);
  };
  client.on('error', markBroken);
  client.on('end', () => markBroken(new Error('Connection terminated')));
  client.on('notification', ({ payload = '' }) => {
    if (!hasEnded) context.onNotification(payload);
  });
  const abort = (error: Error): void => {
    markBroken(error);
    clientStream(client).destroy();
  };
  /** Rejects with an error of the driver or the server. Drops the connection if it is silent for `responseMs`. */
  const run = async (
    text: string,
    values: readonly unknown[],
    responseMs = deadlines.responseMs,
  ): Promise<readonly Row[]> => {
    if (hasEnded) throw new Error('Connection terminated');
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new Error('timed out while waiting for a response');
      timeout.reject(error);
      abort(error);
    }, responseMs);
    // A long response over a slow connection counts as progress.
    const onData = (): void => void timer.refresh();
    const stream = clientStream(client);
    stream.on('data', onData);
    try {
      const result = client.query<Row>({ text, values: [...values] });
      // After the timeout, nothing else handles its rejection.
      result.catch(() => undefined);
      return (await Promise.race([result, timeout.promise])).rows;
    } finally {
      clearTimeout(timer);
      stream.off('data', onData);
    }
  };
  /** Returns the server's clock minus ours, in milliseconds. */
  const measureOffset = async (responseMs: number): Promise<number> => {
    const sentAt = clock.now();
    const [row] = await run(sql.serverTime, [], responseMs);
    return Number(row?.['now']) - (sentAt + clock.now()) / 2;
  };
  const close = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    const timer = setTimeout(() => clientStream(client).destroy(), 1_000);
    try {
      await client.end();
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    await connectTimer.during(client.connect());
    const factsContext = { run, clock, deadlines, processId: serverProcessId(client) };
    let facts = await queryFacts(factsContext);
    isConnected = true;
    return {
      get facts(): ServerFacts {
        return facts;
      },
      async refreshFacts(): Promise<void> {
        facts = await queryFacts(factsContext);
      },
      /** Returns the statement that begins a transaction with this timeout per statement, in milliseconds. */
      beginStatement: (responseMs: number): string => beginStatement(facts, deadlines, responseMs),
      ...{ run, measureOffset, close },
    };
  } catch (error) {
    clientStream(client).destroy();
    hasEnded = true;
    throw error;
  }
}

/** Limits the time to connect, without the time that the user needs for the password, such as to touch a token. */
function connectLimit(limitMs: number, onLate: () => void) {
  const timeout = Promise.withResolvers<never>();
  timeout.promise.catch(() => undefined);
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const start = (): void => {
    stop();
    timer = setTimeout(() => {
      timeout.reject(new Error('timed out while connecting'));
      onLate();
    }, limitMs);
  };
  return {
    async during(work: Promise<unknown>): Promise<void> {
      start();
      try {
        await Promise.race([work, timeout.promise]);
      } finally {
        stop();
      }
    },
    async pauseDuring<Result>(work: () => Promise<Result>): Promise<Result> {
      stop();
      const result = await work();
      start();
      return result;
    },
  };
}

/**
 * Rejects requests for the password in cleartext, because a different program could be listening on this port. (Over a
 * Unix socket we answer them: normally only the server can create one in its folder.) The driver's own handler would
 * answer a second request with the password that it already has.
 */
function refuseCleartext(client: Client): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  const request = 'authenticationCleartextPassword';
  connection.removeAllListeners(request);
  connection.on(request, () => connection.emit('error', new CleartextPasswordError()));
}

/** Returns the driver's stream, which is missing from its types. */
const clientStream = (client: Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** Returns the server's process id of the connection, which is missing from the driver's types, too. */
const serverProcessId = (client: Client): number | null =>
  (client as unknown as { processID: number | null }).processID;

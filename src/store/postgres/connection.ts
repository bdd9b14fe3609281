import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import type { Clock, EpochMs } from '../../lib/clock.ts';
import { askFacts, beginning, type Deadlines, type Row, type ServerAddress, type ServerFacts } from './server-facts.ts';
import { sql } from './sql.ts';

interface ConnectionContext {
  readonly address: ServerAddress;
  /** The machine's own clock. */
  readonly clock: Clock;
  readonly applicationName: string;
  readonly deadlines: Deadlines;
  /** Called once if it breaks, not if it is closed. */
  readonly onBroken: (error: Error) => void;
  /** Called with the text of each notification on our channel. */
  readonly onNotification: (payload: string) => void;
}

/** Nothing was sent: the server wants the plain password on an unencrypted connection. */
export class CleartextPasswordError extends Error {
  constructor() {
    super('The server asks for the password in cleartext.');
    this.name = new.target.name;
  }
}

/** Types whose text we convert. */
const int8 = 20;
const timestamptz = 1184;
const bool = 16;
const numbers: ReadonlySet<number> = new Set([int8, 21, 23, 26, 700, 701]);
const lists: ReadonlyMap<number, (text: string) => unknown> = new Map([[1009, textList]]);

/** JSON stays text, and callers parse it. Instants become {@link EpochMs}. */
const types: ClientConfig['types'] = {
  getTypeParser: ((oid: number) => (text: string) => {
    if (numbers.has(oid)) return Number(text);
    if (oid === bool) return text === 't';
    if (oid === timestamptz) return parseTimestamp(text);
    return lists.get(oid)?.(text) ?? text;
  }) as NonNullable<ClientConfig['types']>['getTypeParser'],
};

const [earliest, latest] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * `2026-11-22 15:00:00.123456+00`, as the server writes it, in our zone unless a pooler has lost the setting. Other
 * programs may have written `infinity` or a year that we cannot represent: we use the nearest instant.
 */
function parseTimestamp(text: string): EpochMs {
  const instant = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  if (!Number.isNaN(instant)) return instant;
  return text.startsWith('-') || text.endsWith(' BC') ? earliest : latest;
}

/** Parses `{a,b}`, a list of texts that need no quotes. */
function textList(text: string): readonly string[] {
  const inner = text.slice(1, -1);
  return inner === '' ? [] : inner.split(',');
}

/** One connection, open until it breaks or is closed. */
export type Connection = Awaited<ReturnType<typeof connect>>;

/** Connects and queries the facts. Rejects with errors of the driver or the server. */
export async function connect(context: ConnectionContext) {
  const { address, applicationName, clock, deadlines } = context;
  const limit = connectLimit(deadlines.connectMs, () => abort(new Error('timeout: no connection in time')));
  const client = new Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    password: async () => (await limit.pausedDuring(address.password)) ?? '',
    ssl: address.tls ?? false,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types,
  });
  if (address.tls === null && !address.host.startsWith('/')) refuseCleartext(client);
  let hasEnded = false;
  let isMade = false;
  const broke = (error: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (isMade) context.onBroken(error);
  };
  client.on('error', broke);
  client.on('end', () => broke(new Error('Connection terminated')));
  client.on('notification', ({ payload = '' }) => {
    if (!hasEnded) context.onNotification(payload);
  });
  const abort = (error: Error): void => {
    broke(error);
    streamOf(client).destroy();
  };
  /** Rejects with errors of the driver or the server; ends a connection that is silent for this long. */
  const run = async (
    text: string,
    values: readonly unknown[],
    responseMs = deadlines.responseMs,
  ): Promise<readonly Row[]> => {
    if (hasEnded) throw new Error('Connection terminated');
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new Error('timeout: no response in time');
      late.reject(error);
      abort(error);
    }, responseMs);
    // A long response on a slow line still counts as progress.
    const heard = (): void => void timer.refresh();
    const stream = streamOf(client);
    stream.on('data', heard);
    try {
      const result = client.query<Row>({ text, values: [...values] });
      // A late response is also a failure.
      result.catch(() => undefined);
      return (await Promise.race([result, late.promise])).rows;
    } finally {
      clearTimeout(timer);
      stream.off('data', heard);
    }
  };
  /** Returns the server's clock minus ours, as of now. */
  const measureOffset = async (responseMs: number): Promise<number> => {
    const sentAt = clock.now();
    const [row] = await run(sql.serverTime, [], responseMs);
    return Number(row?.['now']) - (sentAt + clock.now()) / 2;
  };
  const close = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    const timer = setTimeout(() => streamOf(client).destroy(), 1_000);
    try {
      await client.end();
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    await limit.during(client.connect());
    const asking = { clock, deadlines, processId: processIdOf(client) };
    let facts = await askFacts(run, asking);
    isMade = true;
    return {
      /** The facts from the last query. */
      get facts(): ServerFacts {
        return facts;
      },
      /** Queries the facts again. */
      async look(): Promise<void> {
        facts = await askFacts(run, asking);
      },
      /** Returns the statement that begins a transaction with this limit per statement, in milliseconds. */
      beginning: (responseMs: number): string => beginning(facts, deadlines, responseMs),
      ...{ run, measureOffset, close },
    };
  } catch (error) {
    streamOf(client).destroy();
    hasEnded = true;
    throw error;
  }
}

/**
 * Limits the time to connect, but not the time for the user to enter the password, such as a PIN or a touch on a token.
 */
function connectLimit(limitMs: number, onLate: () => void) {
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => undefined);
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const start = (): void => {
    stop();
    timer = setTimeout(() => {
      late.reject(new Error('timeout: no connection in time'));
      onLate();
    }, limitMs);
  };
  return {
    async during(work: Promise<unknown>): Promise<void> {
      start();
      try {
        await Promise.race([work, late.promise]);
      } finally {
        stop();
      }
    },
    async pausedDuring<Answer>(work: () => Promise<Answer>): Promise<Answer> {
      stop();
      const result = await work();
      start();
      return result;
    },
  };
}

/**
 * Another program on this port could ask for the plain password. We send it only through a socket in a folder that
 * others cannot write to. This replaces the driver's handler, which answers a second request without asking us.
 */
function refuseCleartext(client: Client): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  const request = 'authenticationCleartextPassword';
  connection.removeAllListeners(request);
  connection.on(request, () => connection.emit('error', new CleartextPasswordError()));
}

/** The stream of the driver's client, which its types do not name. */
const streamOf = (client: Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** The process id of the driver's client, which its types do not name either. */
const processIdOf = (client: Client): number | null => (client as unknown as { processID: number | null }).processID;

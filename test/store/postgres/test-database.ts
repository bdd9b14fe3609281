import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { migrate } from '../../../src/store/postgres/administration.ts';
import { type Account, createDatabase, type Database, findAccount } from '../../../src/store/postgres/database.ts';
import type { DatabaseTimings } from '../../../src/store/postgres/live-connection.ts';
import type { ServerAddress } from '../../../src/store/postgres/server-facts.ts';
import { realClock } from '../../support/real-clock.ts';

/** How a test opens a database. */
export interface OpenOptions {
  readonly timings?: Partial<DatabaseTimings>;
  readonly clock?: Clock;
  /** A role that overrides the one in the address. */
  readonly user?: string;
  readonly password?: string;
}

/** Parses a `postgres://…` address as the program does, but without TLS. */
export function serverAddressOf(address: string, { password, user }: OpenOptions = {}): ServerAddress {
  const url = new URL(address);
  const name = user ?? decodeURIComponent(url.username);
  const database = url.pathname.slice(1);
  return {
    place: `postgres://${name}@${url.hostname}/${database}`,
    host: url.hostname,
    port: Number(url.port === '' ? 5432 : url.port),
    database,
    user: name,
    password: async () => password ?? (url.password === '' ? null : decodeURIComponent(url.password)),
    tls: null,
  };
}

/** Opens a database, and closes it at the end of the test. */
export function openDatabase(address: string, options: OpenOptions = {}): Database {
  const database = createDatabase({
    address: serverAddressOf(address, options),
    clock: options.clock ?? realClock,
    random: Math.random,
    applicationName: 'parcel-monitor test',
    ...(options.timings === undefined ? {} : { timings: options.timings }),
  });
  onTestFinished(() => database.close());
  return database;
}

/** Creates the program's tables. */
export async function makeTables(address: string): Promise<void> {
  const database = createDatabase({
    address: serverAddressOf(address),
    clock: realClock,
    random: Math.random,
    applicationName: 'parcel-monitor test',
  });
  await migrate(database);
  await database.close();
}

let accounts = 0;

/** Creates a separate account in a database that many tests use. */
export async function newAccount(database: Database): Promise<Account> {
  accounts += 1;
  return await findAccount(database, `test ${accounts}`, 'https://api.example.com/');
}

import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { type Account, findAccount } from '../../../src/store/postgres/accounts.ts';
import { createDatabase, type Database } from '../../../src/store/postgres/database.ts';
import type { DatabaseTimings } from '../../../src/store/postgres/live-connection.ts';
import { migrate } from '../../../src/store/postgres/schema.ts';
import type { ServerAddress } from '../../../src/store/postgres/server-facts.ts';
import { realClock } from '../../support/real-clock.ts';

/** How a test opens a database. */
export interface TestOpening {
  readonly timings?: Partial<DatabaseTimings>;
  readonly clock?: Clock;
  /** A role that overrides the one in the address. */
  readonly user?: string;
  readonly password?: string;
}

/** Parses a `postgres://…` address like the program, without TLS. */
export function serverAddressOf(address: string, { password, user }: TestOpening = {}): ServerAddress {
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

/** A database that is closed at the end of the test. */
export function openDatabase(address: string, opening: TestOpening = {}): Database {
  const database = createDatabase({
    address: serverAddressOf(address, opening),
    clock: opening.clock ?? realClock,
    random: Math.random,
    applicationName: 'parcel-monitor test',
    ...(opening.timings === undefined ? {} : { timings: opening.timings }),
  });
  onTestFinished(() => database.close());
  return database;
}

/** Makes the tables. */
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

let made = 0;

/** A separate watchlist, in a database that many tests use. */
export async function newAccount(database: Database): Promise<Account> {
  made += 1;
  return await findAccount(database, `test ${made}`, 'https://api.example.com/');
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../src/lib/clock.ts';
import { StoreError } from '../../../src/lib/store-errors.ts';
import { migrate } from '../../../src/store/postgres/administration.ts';
import { type Account, createDatabase, type Database, findAccount } from '../../../src/store/postgres/database.ts';
import type { DatabaseTimings } from '../../../src/store/postgres/live-connection.ts';
import {
  createPostgresRecovery,
  createPostgresStore,
  type PostgresStore,
} from '../../../src/store/postgres/postgres-store.ts';
import type { Recovery } from '../../../src/store/recovery.ts';
import { systemClock } from '../../../src/system/clock.ts';

/** A watchlist in a database, as one process sees it. */
export interface OpenStore {
  readonly database: Database;
  readonly account: Account;
  readonly store: PostgresStore;
  readonly recovery: Recovery;
}

export interface StoreOpening {
  /** `postgres://…`, without a password. */
  readonly address: string;
  /** Name of the account. */
  readonly account: string;
  readonly clock?: Clock;
  readonly timings?: Partial<DatabaseTimings>;
}

/** Opens a watchlist in a database, and creates its tables if there aren't any. */
export async function openStore({
  account: accountName,
  address,
  clock = systemClock,
  timings = {},
}: StoreOpening): Promise<OpenStore> {
  const { hostname, pathname, port, username } = new URL(address);
  const database = createDatabase({
    address: {
      place: `postgres://${hostname}${pathname}`,
      host: hostname,
      port: Number(port === '' ? 5432 : port),
      database: pathname.slice(1),
      user: username,
      password: async () => null,
      tls: null,
    },
    clock: systemClock,
    random: Math.random,
    applicationName: 'parcel-monitor tests',
    timings,
  });
  const account = await retryUntilWritten(async () => {
    await migrate(database);
    return await findAccount(database, accountName, 'https://tests.example/');
  });
  const store = createPostgresStore({ database, account });
  return { database, account, store, recovery: createPostgresRecovery({ account, clock, database, store }) };
}

/** Retries while a store is unreachable, full or busy, as a board does. */
export async function retryUntilWritten<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || !['cut-off', 'disk-full', 'locked'].includes(error.kind)) throw error;
      await delay(20);
    }
  }
}

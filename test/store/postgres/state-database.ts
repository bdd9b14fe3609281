import { onTestFinished } from 'vitest';
import type { Clock, Random } from '../../../src/lib/clock.ts';
import { shiftedClock } from '../../../src/lib/clock-skew.ts';
import type { Processes } from '../../../src/store/file/processes.ts';
import { migrate } from '../../../src/store/postgres/administration.ts';
import { createDatabase, type Database } from '../../../src/store/postgres/database.ts';
import type { DatabaseTimings } from '../../../src/store/postgres/live-connection.ts';
import { createDatabaseState, type DatabaseState } from '../../../src/store/postgres/shared-state.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { realClock } from '../../support/real-clock.ts';

/** A test's own database with an account, and hosts that use it. */

export interface HostOptions {
  readonly host?: string;
  readonly kind?: string;
  /** The machine's own clock, which may be wrong. */
  readonly clock?: Clock;
  readonly processes?: Processes | null;
  readonly accountId?: number;
  /** The port of a proxy. By default, the host connects to the database directly. */
  readonly port?: number;
  readonly timings?: Partial<DatabaseTimings>;
  readonly leaseTimings?: { readonly leaseMs: number; readonly trustMs: number; readonly renewMs: number };
}

/** A host with its own connection. */
export interface Host extends DatabaseState {
  readonly database: Database;
  /** The clock that follows the database's time. */
  readonly clock: Clock;
}

/** A database with the program's tables and one account. */
export interface StateDatabase {
  readonly test: TestDatabase;
  readonly accountId: number;
  host(options?: HostOptions): Host;
  /** Creates another account and returns its id. */
  account(): Promise<number>;
}

const random: Random = Math.random;
let hosts = 0;
let accounts = 0;

/** Creates a {@link StateDatabase}. Hosts end with the test that creates them. */
export async function createStateDatabase(template?: StateDatabase): Promise<StateDatabase> {
  const test = await createTestDatabase(template === undefined ? {} : { template: template.test.name });
  const open = (clock: Clock = realClock, port?: number, timings: Partial<DatabaseTimings> = {}): Database => {
    const { hostname, pathname, port: ownPort, username } = new URL(test.address);
    const address = {
      place: `postgres://${hostname}${pathname}`,
      host: hostname,
      port: port ?? Number(ownPort),
      database: pathname.slice(1),
      user: username,
      password: async () => null,
      tls: null,
    };
    return createDatabase({ address, clock, random, applicationName: 'parcel-monitor test', timings });
  };
  if (template === undefined) {
    const database = open();
    await migrate(database);
    await database.query(
      `insert into parcel_monitor.account (name, service) values ('home', 'https://service.example')`,
    );
    await database.close();
  }
  const [account] = await test.query<{ id: string }>('select id from parcel_monitor.account');
  const accountId = Number(account?.id);
  return {
    test,
    accountId,
    async account() {
      const [row] = await test.query<{ id: string }>(
        `insert into parcel_monitor.account (name, service) values ($1, 'https://service.example') returning id`,
        [`account${++accounts}`],
      );
      return Number(row?.id);
    },
    host(options = {}) {
      const { host = `host${++hosts}`, kind = 'board', processes = null, leaseTimings } = options;
      const database = open(options.clock, options.port, options.timings);
      const clock = shiftedClock(options.clock ?? realClock, () => database.clockOffsetMs());
      const state = createDatabaseState({
        database,
        accountId: options.accountId ?? accountId,
        clock,
        holder: `holder${random().toString(36).slice(2)}`,
        host,
        kind,
        version: '0.1.0',
        processes,
        ...(leaseTimings === undefined ? {} : { timings: leaseTimings }),
      });
      onTestFinished(async () => {
        await state.lease.release().catch(() => {});
        await database.close();
      });
      return { ...state, database, clock };
    },
  };
}

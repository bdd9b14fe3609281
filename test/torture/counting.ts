import { setTimeout as pause } from 'node:timers/promises';
import { BusyCounter } from '../../src/lib/async.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { StoreError } from '../../src/lib/store-errors.ts';
import type { Parcel, Watchlist } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { defaultPollingPolicy } from '../../src/polling/schedule/policy.ts';
import { WatchlistLog } from '../../src/polling/watchlist-log.ts';
import { type Account, findAccount } from '../../src/store/postgres/accounts.ts';
import { createDatabase, type Database } from '../../src/store/postgres/database.ts';
import type { DatabaseTimings } from '../../src/store/postgres/live-connection.ts';
import { createPostgresStore, type PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createPostgresRecovery } from '../../src/store/postgres/recovery.ts';
import { migrate } from '../../src/store/postgres/schema.ts';
import type { Recovery } from '../../src/store/recovery.ts';
import { systemClock } from '../../src/system/clock.ts';
import { counterId, moverId } from './cast.ts';

/** A watchlist in a database, as one process has it. */
export interface OpenStore {
  readonly database: Database;
  readonly account: Account;
  readonly store: PostgresStore;
  readonly recovery: Recovery;
}

/** How a store is opened. */
export interface StoreOpening {
  /** `postgres://…`, without a password. */
  readonly address: string;
  /** Name of the account; `torture` by default. */
  readonly account?: string;
  readonly clock?: Clock;
  readonly timings?: Partial<DatabaseTimings>;
}

/** Opens a watchlist in a database, and makes its tables where there are none. */
export async function openStore({
  account: named = 'torture',
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
    applicationName: 'parcel-monitor torture',
    timings,
  });
  const account = await until(async () => {
    await migrate(database);
    return await findAccount(database, named, 'https://torture.example/');
  });
  const store = createPostgresStore({ database, account });
  return { database, account, store, recovery: createPostgresRecovery({ account, clock, database, store }) };
}

/** Tries again and again while the database is out of reach, full or busy, as a board does. */
export async function until<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || !['cut-off', 'disk-full', 'locked'].includes(error.kind)) throw error;
      await pause(20);
    }
  }
}

/** Counts in a parcel of its own, and in its history, and moves another one into the trash and back. */
export interface Counting {
  /** Where it has got to. */
  readonly count: number;
  /** Counts once; resolves when that is written. */
  next(): Promise<void>;
  close(): void;
}

/** Goes on where a watchlist stands; `name` tells those who count at once apart. */
export async function startCounting({ recovery, store }: OpenStore, name: string, clock: Clock): Promise<Counting> {
  const [counter, mover] = [`${counterId}-${name}`, `${moverId}-${name}`];
  const log = new WatchlistLog({
    store,
    clock,
    policy: defaultPollingPolicy,
    busy: new BusyCounter(),
    onParcels: () => {},
    onChangeSeq: () => {},
    onProblem: () => {},
  });
  /** What fails is kept, and written by one of the next tries. */
  const commit = async (change: (current: Watchlist) => Watchlist): Promise<void> => {
    const written = log.commit(change);
    await written.catch(() => until(() => log.flush()));
  };
  await until(() => log.reload());
  const fresh = (id: string): Parcel => {
    const draft = { trackNo: id, courierCode: null, label: '0', postalCode: null, phoneSuffix: null };
    return { ...newParcel(draft, clock.now(), Math.random), id };
  };
  const isNew = log.find(counter) === null;
  if (isNew) {
    await commit((current) => ({ ...current, parcels: [...current.parcels, fresh(counter), fresh(mover)] }));
    await until(() => store.updateHistory(mover, (history) => ({ ...history, received: { trackNo: mover } })));
  }
  const trashed = await until(() => recovery.trashed());
  const moving = log.find(mover) ?? trashed.find(({ parcel }) => parcel.id === mover)?.parcel;
  if (moving === undefined) throw new Error('The parcel that moves is lost.');
  let count = Number(log.find(counter)?.label);
  return {
    get count() {
      return count;
    },
    async next() {
      const number = count + 1;
      const detail = `${number}`;
      const checkpoint = {
        at: null,
        local: null,
        offset: null,
        certain: false,
        address: null,
        detail,
        subStatus: null,
      };
      await until(() => store.updateHistory(counter, (history) => ({ ...history, checkpoints: [checkpoint] })));
      // Says what is to be, not what is to be done: whether the last try was written need not be known.
      const isThere = number % 2 === 0;
      await commit((current) => {
        const has = current.parcels.some(({ id }) => id === mover);
        const counted = current.parcels.map((parcel) =>
          parcel.id === counter && parcel.label !== detail ? { ...parcel, label: detail, checkpointCount: 1 } : parcel,
        );
        if (has === isThere) return { ...current, parcels: counted };
        return {
          ...current,
          parcels: isThere ? [...counted, moving] : counted.filter(({ id }) => id !== mover),
        };
      });
      count = number;
    },
    close: () => log.close(),
  };
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, EpochMs } from '../../src/lib/clock.ts';
import { systemCode } from '../../src/lib/store-errors.ts';
import { readChange } from '../../src/parcels/change.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import type { DatabaseTimings } from '../../src/store/postgres/live-connection.ts';
import type { Recovery } from '../../src/store/recovery.ts';
import type { WatchlistStore } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { eventually } from '../support/eventually.ts';
import { openStore, retryUntilWritten } from '../support/postgres/open-store.ts';

/** Name of the account that all hosts share. */
export const account = 'stress';

/** A watchlist in a folder or a database, as one process sees it. */
export interface OpenWatchlist {
  readonly store: WatchlistStore;
  readonly recovery: Recovery;
  /** Resolves once no request from a killed process is pending. */
  settled(): Promise<void>;
  /** Describes damage that the store itself does not report. */
  findDamage(): Promise<readonly string[]>;
  /** The number of service calls that the processes counted, given their state folder. */
  countedCalls(stateFolder: string): Promise<number>;
  close(): Promise<void>;
}

interface Opening {
  readonly clock?: Clock;
  readonly timings?: Partial<DatabaseTimings>;
}

/** @param at a folder, or `postgres://…` */
export async function openWatchlist(at: string, opening: Opening = {}): Promise<OpenWatchlist> {
  return at.startsWith('postgres://') ? await openDatabase(at, opening) : openFolder(at);
}

function openFolder(directory: string): OpenWatchlist {
  const processes = createProcesses(process);
  const store = createFileStore({ directory, clock: systemClock, random: Math.random, processes });
  return {
    store,
    recovery: store.recovery,
    settled: async () => {},
    async findDamage() {
      const lines = (await readIfPresent(join(directory, 'changes.jsonl'))).split('\n').slice(0, -1);
      // Reading fails if a lock folder is removed in the meantime.
      const names = await eventually(() => readdir(directory, { recursive: true }));
      const aside = names.filter((name) => name.includes('.damaged-'));
      return [
        ...aside.map((name) => `${name} was moved aside`),
        ...lines.filter((line) => readChange(line) === null).map((line) => `not a change log line: ${line}`),
      ];
    },
    async countedCalls(stateFolder) {
      const meter = JSON.parse(await readFile(join(stateFolder, 'meter.json'), 'utf8')) as {
        readonly days: Readonly<Record<string, { readonly calls: number }>>;
      };
      return Object.values(meter.days).reduce((sum, { calls }) => sum + calls, 0);
    },
    close: async () => {},
  };
}

async function openDatabase(address: string, opening: Opening): Promise<OpenWatchlist> {
  const { database, recovery, store } = await openStore({ address, account, ...opening });
  return {
    store,
    recovery,
    async settled() {
      const activeSessions = (): Promise<readonly unknown[]> =>
        retryUntilWritten(() =>
          database.query(
            `select 1 as found from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')`,
          ),
        );
      while ((await activeSessions()).length > 0);
    },
    findDamage: async () => [],
    async countedCalls() {
      const [row] = await database.query<{ calls: string }>(
        `select sum((day.value ->> 'calls')::int)::text as calls
         from parcel_monitor.document, json_each(body -> 'days') as day where name = 'meter'`,
      );
      return Number(row?.calls ?? 0);
    },
    close: () => database.close(),
  };
}

async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Adds new numbers in one change. */
export async function addParcels(store: WatchlistStore, trackNos: readonly string[], now: EpochMs): Promise<void> {
  const writes = trackNos.map((trackNo) => {
    const draft = { trackNo, courierCode: null, label: null, postalCode: null, phoneSuffix: null };
    const parcel = newParcel(draft, now, Math.random);
    return { id: parcel.id, parcel };
  });
  for (;;) {
    const known = await retryUntilWritten(() => store.read());
    if ((await retryUntilWritten(() => store.write(writes, known, now))).isWritten) return;
  }
}

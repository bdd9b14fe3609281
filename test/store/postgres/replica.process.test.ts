import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { CallGate } from '../../../src/polling/gate/call-gate.ts';
import { createMonitor, type Monitor } from '../../../src/polling/monitor.ts';
import type { TrackingService } from '../../../src/service/port.ts';
import { reportServer } from '../../../src/store/postgres/administration.ts';
import { type Account, type Database, findAccount } from '../../../src/store/postgres/database.ts';
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { createDatabaseState } from '../../../src/store/postgres/shared-state.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { type PostgresServer, startPostgresServer } from '../../support/postgres/postgres-server.ts';
import { realClock } from '../../support/real-clock.ts';
import { writeWithRetry } from '../store-contract.ts';
import { makeTables, openDatabase } from './test-database.ts';

let primary: PostgresServer;
let replica: PostgresServer;
beforeAll(async () => {
  primary = await startPostgresServer();
  await makeTables(primary.address());
  replica = await startPostgresServer({ replicaOf: primary });
}, 60_000);
afterAll(() => Promise.all([primary.stop(), replica.stop()]));

/** Connects to both servers, and returns the account that both contain. */
async function openBoth(): Promise<{ onPrimary: Database; onReplica: Database; account: Account }> {
  const onPrimary = openDatabase(primary.address());
  const onReplica = openDatabase(replica.address(), { timings: { newsMs: 50, heartbeatMs: 200 } });
  const account = await findAccount(onPrimary, 'home', '');
  await eventually(async () => expect(await findAccount(onReplica, 'home', '')).toEqual(account));
  return { onPrimary, onReplica, account };
}

/** Starts a monitor, as a board would, and counts its calls to the service. */
async function startMonitor(
  database: Database,
  account: Account,
): Promise<{ monitor: Monitor; callCount: () => number }> {
  let calls = 0;
  const service: TrackingService = {
    batchLimits: { register: 100, query: 100 },
    couriers: async () => [],
    async register() {
      calls += 1;
      return { accepted: [], known: [], rejected: [], traceId: null };
    },
    async query() {
      calls += 1;
      return { records: [], unregistered: [], rejected: [], traceId: null };
    },
  };
  const { lease, memory, meter, presence } = createDatabaseState({
    database,
    accountId: account.id,
    clock: realClock,
    holder: 'reader',
    host: 'reader',
    kind: 'board',
    version: '0.1.0',
    processes: null,
  });
  const policy = { waitingMs: 20, paceMs: 1, coalesceMs: 0, jitterMs: 0, followMs: 50 };
  const gate = new CallGate({ clock: realClock, random: Math.random, lease, memory, meter, policy });
  const store = createPostgresStore({ database, account });
  const monitor = createMonitor({ clock: realClock, random: Math.random, presence, store, service, gate });
  onTestFinished(() => monitor.stop());
  await monitor.load();
  monitor.start();
  return { monitor, callCount: () => calls };
}

it("reports a replica's lag", async () => {
  const { onReplica, onPrimary } = await openBoth();
  const paused = openDatabase(replica.address());
  await paused.query('select pg_wal_replay_pause()');
  await onPrimary.query('create table public.note (body text)');
  await eventually(async () => {
    const { isReplica, lagSeconds } = await reportServer(onReplica);
    expect({ isReplica, isBehind: (lagSeconds ?? 0) > 0.1 }).toEqual({ isReplica: true, isBehind: true });
  });
  await paused.query('select pg_wal_replay_resume()');
  await eventually(async () => expect(await reportServer(onReplica)).toMatchObject({ lagSeconds: 0 }));
  expect(await reportServer(onPrimary)).toMatchObject({ isReplica: false, lagSeconds: null });
});

it("shows a replica's watchlist without polling, and works as usual once the replica is promoted", async () => {
  const { account, onReplica, onPrimary } = await openBoth();
  const { callCount, monitor } = await startMonitor(onReplica, account);
  const sentence = expect.stringContaining('is a read-only replica');
  await eventually(() =>
    expect(monitor.getState()).toMatchObject({
      notices: [sentence],
      polling: { isFollowing: true, readOnly: sentence },
    }),
  );
  const lamp = parcelOf('RB1CN');
  await writeWithRetry(createPostgresStore({ database: onPrimary, account }), () => [{ id: lamp.id, parcel: lamp }]);
  await eventually(() => expect(monitor.getState().parcels).toMatchObject([{ trackNo: 'RB1CN' }]));
  await expect(monitor.edit(lamp.id, { label: 'Lamp' })).rejects.toThrow('is a read-only replica');
  expect(callCount()).toBe(0);

  await primary.end('kill');
  await openDatabase(replica.address()).query('select pg_promote()');
  await eventually(() => {
    expect(monitor.getState()).toMatchObject({ notices: [], polling: { isFollowing: false, readOnly: null } });
    expect(callCount()).toBeGreaterThan(0);
  });
  await monitor.edit(lamp.id, { label: 'Lamp' });
  const promoted = openDatabase(replica.address());
  expect(await promoted.query('select host from parcel_monitor.lease')).toEqual([{ host: 'reader' }]);
  // The board's connection now also receives notifications.
  const news: (string | null)[] = [];
  onTestFinished(onReplica.onNews((announced) => news.push(announced)));
  await promoted.transaction((transaction) => transaction.announce('7'));
  await eventually(() => expect(news).toContain('7'));
});

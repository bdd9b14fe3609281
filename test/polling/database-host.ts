import { appendFileSync } from 'node:fs';
import { shiftedClock } from '../../src/lib/clock-skew.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { createMonitor } from '../../src/polling/monitor.ts';
import type { TrackingService } from '../../src/service/port.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { createDatabase, findAccount } from '../../src/store/postgres/database.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createDatabaseState } from '../../src/store/postgres/shared-state.ts';
import { systemClock } from '../../src/system/clock.ts';
import { serverAddressOf } from '../store/postgres/test-database.ts';

/**
 * A host with a monitor that polls a watchlist in a database endlessly, as fast as possible: one call per parcel. Every
 * call appends the host's name, the time and the lease's fence to a file. Prints whenever it begins to follow or to lead,
 * and releases the lease on SIGTERM.
 */

const [address = '', callsPath = '', host = '', leaseMs = ''] = process.argv.slice(2);
const random = Math.random;
// Each host's clock is an hour off, some ahead and some behind.
const skewMs = (host.codePointAt(0) ?? 0) % 2 === 0 ? 3_600_000 : -3_600_000;
const ownClock = { ...systemClock, now: () => systemClock.now() + skewMs };
const leaseDurationMs = Number(leaseMs);
const database = createDatabase({
  ...(leaseDurationMs > 0 ? { timings: { responseMs: 3_000, heartbeatMs: 1_000, heartbeatResponseMs: 1_000 } } : {}),
  address: serverAddressOf(address),
  clock: ownClock,
  random,
  applicationName: `parcel-monitor board ${host}`,
});
const account = await findAccount(database, 'home', '');
const clock = shiftedClock(ownClock, () => database.clockOffsetMs());
const { lease, memory, meter, presence } = createDatabaseState({
  database,
  accountId: account.id,
  clock,
  holder: `${host}-${process.pid}`,
  host,
  kind: 'board',
  version: '0.1.0',
  // As on another machine, where the death of a process goes unnoticed.
  processes: { ...createProcesses(process), scope: () => host },
  ...(leaseDurationMs > 0
    ? { timings: { leaseMs: leaseDurationMs, trustMs: leaseDurationMs * 0.8, renewMs: leaseDurationMs * 0.3 } }
    : {}),
});
const service: TrackingService = {
  batchLimits: { register: 100, query: 1 },
  couriers: async () => [],
  register: async () => ({ accepted: [], known: [], rejected: [], traceId: null }),
  async query() {
    appendFileSync(callsPath, `${host} ${systemClock.now()} ${lease.fence()}\n`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { records: [], unregistered: [], rejected: [], traceId: null };
  },
};
const monitor = createMonitor({
  clock,
  random,
  presence,
  store: createPostgresStore({ database, account }),
  service,
  gate: new CallGate({
    clock,
    random,
    lease,
    memory,
    meter,
    policy: {
      ...{ ladderMs: [], waitingMs: 20, fruitlessMaxMs: 20, paceMs: 1, coalesceMs: 0, jitterMs: 0 },
      ...(leaseDurationMs > 0 ? { followMs: 200, reloadMs: 600 } : {}),
    },
  }),
});
let printed = '';
monitor.subscribe(() => {
  const { callsSent, connectedPrograms, isFollowing } = monitor.getState().polling;
  const status = isFollowing
    ? `follows ${connectedPrograms?.checkedBy?.host ?? ''}`.trim()
    : callsSent > 0
      ? 'polls'
      : printed;
  if (status !== printed && status !== 'follows') process.stdout.write(`${status}\n`);
  if (status !== 'follows') printed = status;
});
process.once('SIGTERM', () => {
  void monitor
    .stop()
    .then(() => database.close())
    .then(() => process.exit());
});
await monitor.load();
monitor.start();

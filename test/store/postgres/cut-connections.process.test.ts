import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BudgetKeeper } from '../../../src/polling/gate/budget.ts';
import { defaultPollingPolicy } from '../../../src/polling/schedule/timings.ts';
import { defaultTimings } from '../../../src/store/postgres/live-connection.ts';
import { leaseTimings } from '../../../src/store/postgres/shared-state.ts';
import { noUsage } from '../../../src/store/usage-meter.ts';
import { eventually } from '../../support/eventually.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { createStateDatabase, type Host, type StateDatabase } from './state-database.ts';

let database: StateDatabase;
beforeAll(async () => {
  database = await createStateDatabase();
});

/** Opens a host with its own account, behind a proxy that cuts the connection at one of its statements. */
async function cutHost(at: number, fate: 'before' | 'after'): Promise<{ host: Host; proxy: CuttingProxy; id: number }> {
  const proxy = await startCuttingProxy(database.test.address);
  onTestFinished(() => proxy.close());
  const id = await database.account();
  const host = database.host({ port: proxy.port, accountId: id });
  await host.database.open();
  const before = proxy.statements.length;
  proxy.decide(({ number }) => (number - before === at ? fate : 'pass'));
  return { host, proxy, id };
}

/** The numbers of the statements at which a connection is cut. */
const positions = Array.from({ length: 20 }, (_, index) => index + 1);
const cuts = positions.flatMap((at) => (['before', 'after'] as const).map((fate) => ({ at, fate })));

it("lets a host's lease expire if the host falls silent during a write", async () => {
  const proxy = await startCuttingProxy(database.test.address);
  onTestFinished(() => proxy.close());
  const accountId = await database.account();
  const leaseTimings = { leaseMs: 1_500, trustMs: 1_200, renewMs: 400 };
  const timings = { idleMs: 1_000, responseMs: 2_000 };
  const host = database.host({ port: proxy.port, accountId, leaseTimings, timings });
  const other = database.host({ accountId, leaseTimings });
  expect(await host.lease.hold()).toBe(true);
  const write = host.database.transaction(async (transaction) => {
    await transaction.query('select 1 from parcel_monitor.lease where account_id = $1 for share', [accountId]);
    proxy.silence(true);
    await transaction.query('select 1');
  });
  await expect(write).rejects.toMatchObject({ kind: 'cut-off' });
  await eventually(async () => expect(await other.lease.hold()).toBe(true));
  expect(host.lease.isHeld()).toBe(false);
});

it('lets a second host take over within 15 seconds, even if its own connection is silently dead', async () => {
  const { followMs } = defaultPollingPolicy;
  expect(leaseTimings.leaseMs + 2 * followMs + defaultTimings.heartbeatResponseMs).toBeLessThan(14_700);
  const proxy = await startCuttingProxy(database.test.address);
  onTestFinished(() => proxy.close());
  const accountId = await database.account();
  const shortLease = { leaseMs: 1_500, trustMs: 1_200, renewMs: 400 };
  const timings = { heartbeatAnswerMs: 300, responseMs: 3_600_000 };
  const holder = database.host({ accountId, leaseTimings: shortLease });
  const follower = database.host({ port: proxy.port, accountId, leaseTimings: shortLease, timings });
  expect(await holder.lease.hold()).toBe(true);
  expect(await follower.lease.hold()).toBe(false);
  await holder.database.close();
  proxy.decide(({ text }) => (text.includes('from parcel_monitor.lease') ? 'silence' : 'pass'));
  await expect(follower.lease.hold()).rejects.toMatchObject({ kind: 'cut-off' });
  proxy.decide(() => 'pass');
  await eventually(async () => expect(await follower.lease.hold()).toBe(true));
});

describe('a connection that is cut', () => {
  it.each(cuts)('neither loses nor duplicates a count ($fate statement $at)', async ({ at, fate }) => {
    const { host, id, proxy } = await cutHost(at, fate);
    const listener = { onMemory() {}, onUsage() {}, onProblem() {} };
    const keeper = new BudgetKeeper(
      host.meter,
      { queriesPerDay: null, registrationsPerMonth: 100 },
      host.clock,
      listener,
    );
    let sent = 0;
    for (let call = 0; call < 2; call += 1) {
      const isHeld = await host.lease.hold().catch(() => false);
      const fence = isHeld ? host.lease.fence() : null;
      const admitted = await keeper.admit('register', 5, false, fence).catch(() => 0);
      if (admitted === 0) continue;
      // The service accepts three of the five numbers.
      sent += 1;
      await keeper.correct({ ...noUsage, calls: 1, registrations: 5 }, { ...noUsage, calls: 1, registrations: 3 });
    }
    // From here on, no statement is cut.
    proxy.decide(() => 'pass');
    await eventually(async () => {
      await keeper.load();
      expect(keeper.cutOff).toBeNull();
    });
    await keeper.load();
    const expected = { ...noUsage, calls: sent, registrations: 3 * sent };
    // A count that arrived without a response is corrected with the next count.
    await keeper.admit('delete', 1, false);
    const { today } = await database.host({ accountId: id }).meter.read();
    expect(today).toEqual({ ...expected, calls: sent + 1 });
    expect(keeper.registrationsLeft()).toBe(100 - expected.registrations);
  });

  it.each(cuts.filter(({ at }) => at <= 8))(
    'leaves the lease with one host, and the saved values consistent ($fate statement $at)',
    async ({ at, fate }) => {
      const { host, id } = await cutHost(at, fate);
      const other = database.host({ accountId: id });
      const wasHeld = await host.lease.hold().catch(() => false);
      await host.memory.update((known) => ({ ...known, paused: true })).catch(() => {});
      await host.presence.heartbeat().catch(() => {});
      const isHeldByOther = await other.lease.hold();
      expect(Number(wasHeld && host.lease.isHeld()) + Number(isHeldByOther)).toBeLessThanOrEqual(1);
      await eventually(async () => {
        expect(await host.memory.update((known) => ({ ...known, paused: true }))).toMatchObject({ paused: true });
        expect(await host.lease.hold()).toBe(!isHeldByOther);
      });
      expect(host.lease.isHeld()).toBe(!isHeldByOther);
      await eventually(async () => expect((await host.presence.heartbeat()).boards).toBe(1));
      await host.lease.release();
      await host.presence.leave();
      expect(await other.lease.hold()).toBe(true);
      expect((await other.memory.read()).paused).toBe(true);
      expect((await other.presence.heartbeat()).boards).toBe(1);
    },
  );
});

import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Clock, hourMs as hour } from '../../../src/lib/clock.ts';
import { BudgetKeeper } from '../../../src/polling/gate/budget.ts';
import { listClients } from '../../../src/store/postgres/shared-state.ts';
import { LeaseLostError } from '../../../src/store/shared-state.ts';
import { noUsage } from '../../../src/store/usage-meter.ts';
import { eventually } from '../../support/eventually.ts';
import { realClock } from '../../support/real-clock.ts';
import { createStateDatabase, type Host, type StateDatabase } from './state-database.ts';

let database: StateDatabase;
beforeAll(async () => {
  database = await createStateDatabase();
});

/** Short enough that tests need not wait for ten seconds, and long enough for a busy machine. */
const short = { leaseMs: 1_500, trustMs: 1_200, renewMs: 400 };

/** A host clock that is wrong by this much. */
const wrongClock = (byMs: number): Clock => ({ ...realClock, now: () => realClock.now() + byMs });
const release = (host: Host): Promise<unknown> => host.lease.release();

describe('the lease in a database', () => {
  it('has one holder at a time, is free when released, and gives each holder a higher number', async () => {
    const [hostA, hostB] = [database.host(), database.host()];
    expect(await hostA.lease.hold()).toBe(true);
    expect(await hostA.lease.hold()).toBe(true);
    const first = hostA.lease.fence() ?? 0;
    expect(await hostB.lease.hold()).toBe(false);
    expect(hostB.lease.fence()).toBeNull();
    await hostB.lease.release();
    expect(await hostB.lease.hold()).toBe(false);
    await release(hostA);
    await release(hostA);
    expect({ isHeld: hostA.lease.isHeld(), fence: hostA.lease.fence() }).toEqual({ isHeld: false, fence: null });
    expect(await hostB.lease.hold()).toBe(true);
    expect(hostB.lease.fence()).toBe(first + 1);
    await release(hostB);
  });

  it('goes to only one of many hosts that ask simultaneously, even if their clocks are wrong', async () => {
    const hosts = [0, hour, -hour, 0, 2 * hour, 5 * 60_000].map((wrong) => database.host({ clock: wrongClock(wrong) }));
    for (let round = 0; round < 10; round += 1) {
      const held = await Promise.all(hosts.map(({ lease }) => lease.hold()));
      expect(held.filter(Boolean).length).toBe(1);
      expect(hosts.filter(({ lease }) => lease.isHeld()).length).toBe(1);
      await Promise.all(hosts.map(release));
    }
  });

  it("is never used by two hosts, even if its holder's connection breaks often", async () => {
    const hosts = Array.from({ length: 4 }, () => database.host({ leaseTimings: short }));
    let maxHolders = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        maxHolders = Math.max(maxHolders, hosts.filter(({ lease }) => lease.isHeld()).length);
        await delay(1);
      }
    })();
    const fences: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      await eventually(async () => {
        await Promise.all(hosts.map(({ lease }) => lease.hold().catch(() => false)));
        expect(hosts.some(({ lease }) => lease.isHeld())).toBe(true);
      });
      fences.push(...hosts.flatMap(({ lease }) => lease.fence() ?? []));
      // Cut all connections simultaneously, in the middle of their work.
      await database.test.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    isOver = true;
    await watching;
    expect(maxHolders).toBe(1);
    expect(fences).toEqual([...fences].sort((a, b) => a - b));
    await Promise.all(hosts.map(({ lease }) => lease.release().catch(() => {})));
  });

  it('is not used by a host that was asleep until the host has checked it', async () => {
    let sleptMs = 0;
    const clock: Clock = { ...realClock, now: () => realClock.now() + sleptMs, elapsed: () => performance.now() };
    const [hostA, hostB] = [database.host({ clock }), database.host()];
    expect(await hostA.lease.hold()).toBe(true);
    sleptMs = hour;
    expect(hostA.lease.isHeld()).toBe(false);
    expect(hostA.lease.fence()).toBeNull();
    // The host did not sleep long enough for any other host to take it.
    expect(await hostA.lease.hold()).toBe(true);
    await database.test.query(`update parcel_monitor.lease set expires_at = clock_timestamp()`);
    sleptMs = 2 * hour;
    expect(await hostB.lease.hold()).toBe(true);
    expect(await hostA.lease.hold()).toBe(false);
    await release(hostB);
  });

  it('is taken over immediately only from a dead process on the same machine', async () => {
    const machine = (pid: number, alive: readonly number[], scope = 'nas pid:[1]') => ({
      pid,
      scope: () => scope,
      isRunning: (other: number) => alive.includes(other),
    });
    const dead = database.host({ processes: machine(7, [7]) });
    expect(await dead.lease.hold()).toBe(true);
    expect(await database.host({ processes: machine(8, [7, 8]) }).lease.hold()).toBe(false);
    expect(await database.host({ processes: machine(8, [8], 'attic pid:[1]') }).lease.hold()).toBe(false);
    expect(await database.host().lease.hold()).toBe(false);
    const next = database.host({ processes: machine(8, [8]) });
    expect(await next.lease.hold()).toBe(true);
    expect(await dead.memory.read()).toBeDefined();
    await release(next);
  });

  it.each([
    ['ends later than any lease can', "expires_at = clock_timestamp() + interval '1 year'"],
    ['never ends', "expires_at = 'infinity'"],
  ])('is free, and no program counts as checking, if it %s', async (_, assignment) => {
    const own = await createStateDatabase();
    const [gone, next] = [own.host({ host: 'gone' }), own.host({ host: 'next' })];
    expect(await gone.lease.hold()).toBe(true);
    await gone.database.close();
    await own.test.query(`update parcel_monitor.lease set ${assignment}`);
    expect((await next.presence.heartbeat()).checkedBy).toBeNull();
    expect(await next.lease.hold()).toBe(true);
    await next.meter.add(() => ({ ...noUsage, calls: 1 }), next.lease.fence());
    expect((await next.presence.heartbeat()).checkedBy).toEqual({ host: 'next', isHeldByUs: true });
    await release(next);
    expect(await own.host().lease.hold()).toBe(true);
  });

  it('is checked again after a write with its fence was refused', async () => {
    const [hostA, hostB] = [database.host(), database.host()];
    expect(await hostA.lease.hold()).toBe(true);
    const fence = hostA.lease.fence();
    await database.test.query(`update parcel_monitor.lease set expires_at = clock_timestamp()`);
    expect(await hostB.lease.hold()).toBe(true);
    expect(hostA.lease.isHeld()).toBe(true);
    await expect(hostA.meter.add(() => ({ ...noUsage, calls: 1 }), fence)).rejects.toThrow(LeaseLostError);
    hostA.lease.suspectLoss?.();
    expect(hostA.lease.isHeld()).toBe(false);
    expect(await hostA.lease.hold()).toBe(false);
    await release(hostB);
  });
});

describe('the meter in a database', () => {
  it('never lets racing hosts exceed a budget, and counts each request once', async () => {
    const own = await createStateDatabase();
    // Held for the whole race, even on a slow machine.
    const leaseTimings = { leaseMs: hour, trustMs: hour, renewMs: hour };
    const hosts = Array.from({ length: 8 }, () => own.host({ leaseTimings }));
    const budget = { queriesPerDay: 240, registrationsPerMonth: null };
    const problems: unknown[] = [];
    const listener = {
      onMemory() {},
      onUsage() {},
      onProblem: (_: string, error: unknown) => void problems.push(error),
    };
    const keepers = hosts.map(({ clock, meter }) => new BudgetKeeper(meter, budget, clock, listener));
    await hosts[0]?.lease.hold();
    const fence = hosts[0]?.lease.fence() ?? null;
    const admitted = await Promise.all(
      Array.from({ length: 400 }, (_, index) => {
        // Only the polling host passes its fence. The others act for the user.
        const keeper = index % 8;
        return keepers[keeper]?.admit('query', 3, false, keeper === 0 ? fence : null);
      }),
    );
    expect(admitted.filter((numbers) => numbers === 3).length).toBe(240);
    expect(admitted.filter((numbers) => numbers === 0).length).toBe(160);
    expect(problems.filter((error) => error !== null)).toEqual([]);
    const { today } = await own.host().meter.read();
    expect(today).toEqual({ calls: 240, queries: 240, numbers: 720, registrations: 0 });
  });

  it("counts by the database's day, not the host's", async () => {
    const own = await createStateDatabase();
    const [early, late] = [
      own.host({ clock: wrongClock(-40 * 24 * hour) }),
      own.host({ clock: wrongClock(24 * hour) }),
    ];
    await Promise.all([early.memory.read(), late.memory.read()]);
    await early.meter.add(() => ({ ...noUsage, calls: 1, queries: 1 }));
    const totals = await late.meter.add(() => ({ ...noUsage, calls: 1, queries: 1 }));
    expect(totals.today.queries).toBe(2);
    const [row] = await own.test.query<{ today: string }>(`select (now() at time zone 'UTC')::date::text as today`);
    expect(totals.day).toBe(row?.today);
  });

  it('refuses writes by an earlier or expired holder of the lease', async () => {
    const own = await createStateDatabase();
    const [hostA, hostB] = [own.host(), own.host()];
    const add = ({ meter }: Host, fence: number | null) => meter.add(() => ({ ...noUsage, calls: 1 }), fence);
    await hostA.lease.hold();
    await add(hostA, hostA.lease.fence());
    await own.test.query(`update parcel_monitor.lease set expires_at = clock_timestamp()`);
    await expect(add(hostA, hostA.lease.fence())).rejects.toThrow(LeaseLostError);
    await hostB.lease.hold();
    await add(hostB, hostB.lease.fence());
    await expect(add(hostA, 1)).rejects.toThrow(LeaseLostError);
    // A write for the user needs no lease.
    await add(hostA, null);
    expect((await hostA.meter.read()).today.calls).toBe(3);
  });

  it('counts the usage of each account separately', async () => {
    const own = await createStateDatabase();
    const [home, shop] = [own.host(), own.host({ accountId: await own.account() })];
    await home.meter.add(() => ({ ...noUsage, calls: 5 }));
    await home.memory.update((known) => ({ ...known, paused: true }));
    expect(await home.lease.hold()).toBe(true);
    expect((await shop.meter.read()).today.calls).toBe(0);
    expect((await shop.memory.read()).paused).toBe(false);
    expect(await shop.lease.hold()).toBe(true);
    await home.presence.heartbeat();
    expect((await shop.presence.heartbeat()).boards).toBe(1);
  });
});

it('reads a damaged polling memory in a database as empty', async () => {
  const own = await createStateDatabase();
  const { memory } = own.host();
  await memory.update((known) => ({ ...known, paused: true }));
  await own.test.query(`update parcel_monitor.document set body = '[1, "\\u0000"]', revision = revision + 1`);
  expect(await memory.read()).toMatchObject({ paused: false });
  expect(await memory.update((known) => ({ ...known, paused: true }))).toMatchObject({ paused: true });
});

it('lists the polling program and the open boards until they leave or fall silent', async () => {
  const own = await createStateDatabase();
  const [nas, desk, watch] = [
    own.host({ host: 'nas' }),
    own.host({ host: 'desk\u001b[31m' }),
    own.host({ host: 'shed', kind: 'watch' }),
  ];
  expect(await nas.presence.heartbeat()).toEqual({ checkedBy: null, boards: 1 });
  expect(await desk.presence.heartbeat()).toEqual({ checkedBy: null, boards: 2 });
  expect((await watch.presence.heartbeat()).boards).toBe(2);
  await desk.lease.hold();
  expect(await nas.presence.heartbeat()).toEqual({ checkedBy: { host: 'desk', isHeldByUs: false }, boards: 2 });
  expect(await desk.presence.heartbeat()).toEqual({ checkedBy: { host: 'desk', isHeldByUs: true }, boards: 2 });
  expect(
    (await listClients({ database: nas.database, accountId: own.accountId })).map(({ host, kind }) => [host, kind]),
  ).toEqual([
    ['nas', 'board'],
    ['desk', 'board'],
    ['shed', 'watch'],
  ]);
  await own.test.query(
    `update parcel_monitor.client set seen_at = clock_timestamp() - interval '16 seconds' where host like 'desk%'`,
  );
  expect((await nas.presence.heartbeat()).boards).toBe(1);
  // A new host removes hosts that are gone. Several may do so simultaneously.
  const guests = [own.host({ kind: 'watch' }), own.host({ kind: 'watch' })];
  await Promise.all(guests.map(({ presence }) => presence.heartbeat()));
  expect(await own.test.query(`select id from parcel_monitor.client where host like 'desk%'`)).toEqual([]);
  // Hosts that announced themselves before the server's clock was set back do not stay forever.
  await own.test.query(
    `insert into parcel_monitor.client values ($1, 'odd', 'odd', 'board', '1', 'infinity', 'infinity')`,
    [own.accountId],
  );
  expect((await watch.presence.heartbeat()).boards).toBe(1);
  expect(
    (await listClients({ database: nas.database, accountId: own.accountId })).map(({ host }) => host),
  ).not.toContain('odd');
  await own.host({ kind: 'watch' }).presence.heartbeat();
  expect(await own.test.query(`select id from parcel_monitor.client where host = 'odd'`)).toEqual([]);
  await nas.presence.leave();
  await nas.presence.leave();
  expect((await watch.presence.heartbeat()).boards).toBe(0);
});

it('shares the saved couriers between hosts', async () => {
  const own = await createStateDatabase();
  const [hostA, hostB] = [own.host(), own.host()];
  const ups = { code: 'ups', nameEN: 'a\u0000\ud800', nameCN: null, homePage: null };
  await hostA.couriers.update(() => ({ fetchedAt: 5, couriers: [ups] }));
  expect(await hostB.couriers.read()).toMatchObject({ fetchedAt: 5, couriers: [{ code: 'ups' }] });
});

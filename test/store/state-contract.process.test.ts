import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createFileDocument,
  createFilePollLease,
  type PollingMemory,
  type PollLease,
  readPollingMemory,
} from '../../src/store/shared-state.ts';
import { createUsageMeter, noUsage, readSavedUsage, type UsageMeter } from '../../src/store/usage-meter.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';
import { createStateDatabase, type StateDatabase } from './postgres/state-database.ts';

/** The shared state as one process sees it. */
interface SharedState {
  readonly lease: PollLease;
  readonly memory: PollingMemory;
  readonly meter: UsageMeter;
}

let database: StateDatabase;
beforeAll(async () => {
  database = await createStateDatabase();
});

/** Creates shared state for a test, and returns a function that opens it as another process would. */
const kinds: Readonly<Record<string, () => Promise<() => SharedState>>> = {
  'in files': async () => {
    const folder = await createTestFolder();
    const context = { clock: realClock, random: Math.random, processes: null };
    return () => ({
      lease: createFilePollLease(join(folder, 'polling-lease'), context),
      memory: createFileDocument(join(folder, 'polling.json'), readPollingMemory, context),
      meter: createUsageMeter(realClock, createFileDocument(join(folder, 'meter.json'), readSavedUsage, context)),
    });
  },
  'in a database': async () => {
    const accountId = await database.account();
    return () => database.host({ accountId });
  },
};

describe.each(Object.entries(kinds))('the shared polling state %s', (_where, createState) => {
  it('is empty at first', async () => {
    const { lease, memory, meter } = (await createState())();
    expect(await memory.read()).toEqual({
      measuredOffsetMinutes: null,
      skewMs: 0,
      coolDown: null,
      registerCoolDown: null,
      lag: null,
      paused: false,
    });
    expect(await meter.read()).toMatchObject({ today: noUsage, month: noUsage });
    expect({ isHeld: lease.isHeld(), fence: lease.fence() }).toEqual({ isHeld: false, fence: null });
    await lease.release();
  });

  it('has a lease with one holder until it is released', async () => {
    const open = await createState();
    const leases = Array.from({ length: 4 }, () => open().lease);
    for (let round = 0; round < 4; round += 1) {
      const held = await Promise.all(leases.map((lease) => lease.hold()));
      expect(held.filter(Boolean).length).toBe(1);
      expect(leases.map((lease) => lease.isHeld())).toEqual(held);
      expect(await Promise.all(leases.map((lease) => lease.hold()))).toEqual(held);
      for (const lease of leases) await lease.release();
      expect(leases.some((lease) => lease.isHeld())).toBe(false);
    }
  });

  it("has a memory in which each process saves values without losing the others'", async () => {
    const open = await createState();
    const [first, second] = [open().memory, open().memory];
    const coolDown = { until: 5_000, byService: true, failures: 2 };
    await Promise.all([
      first.update((known) => ({ ...known, measuredOffsetMinutes: 480 })),
      second.update((known) => ({ ...known, coolDown })),
      first.update((known) => ({ ...known, paused: true })),
    ]);
    const kept = { measuredOffsetMinutes: 480, skewMs: 0, coolDown, registerCoolDown: null, lag: null, paused: true };
    expect(await first.read()).toEqual(kept);
    expect(await second.update((known) => ({ ...known, coolDown: null }))).toEqual({ ...kept, coolDown: null });
    expect(await open().memory.read()).toEqual({ ...kept, coolDown: null });
  });

  it("has a meter that counts every process's calls exactly once", async () => {
    const open = await createState();
    const meters = Array.from({ length: 4 }, () => open().meter);
    let registered = 0;
    const register = (meter: UsageMeter): Promise<unknown> => {
      let usage = noUsage;
      const decide: Parameters<UsageMeter['add']>[0] = ({ month }) => {
        usage = month.registrations < 20 ? { ...noUsage, calls: 1, registrations: 1 } : noUsage;
        return usage;
      };
      return meter.add(decide).then(() => {
        registered += usage.registrations;
      });
    };
    await Promise.all(Array.from({ length: 30 }, (_, index) => register(meters[index % 4] ?? open().meter)));
    expect(registered).toBe(20);
    const { month, today } = await open().meter.read();
    expect(month).toEqual({ ...noUsage, calls: 20, registrations: 20 });
    expect(today).toEqual(month);
    const correction = { ...noUsage, calls: -1, registrations: -3 };
    expect((await meters[0]?.add(() => correction))?.month).toEqual({ ...noUsage, calls: 19, registrations: 17 });
  });
});

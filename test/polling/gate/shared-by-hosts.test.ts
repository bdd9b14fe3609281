import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/lib/store-errors.ts';
import { CallGate } from '../../../src/polling/gate/call-gate.ts';
import type { CallOperation, CallOrigin } from '../../../src/polling/gate/call-rules.ts';
import { UnreachableError } from '../../../src/service/port.ts';
import {
  emptyPollingMemory,
  LeaseLostError,
  type PollingMemory,
  type PollLease,
} from '../../../src/store/shared-state.ts';
import { createMemoryDocument } from '../../../src/store/store.ts';
import { type CallMeter, createUsageMeter, noUsage } from '../../../src/store/usage-meter.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { startHarness } from '../harness.ts';

const outage = new StoreError('failed', 'The database cannot be reached. Check the network.', 'postgres://nas/parcels');

/** Creates a shared database that can become unreachable, and that knows which lease is valid. */
function createShared() {
  const clock = createFakeClock();
  const storedMemory = createMemoryDocument(emptyPollingMemory);
  const storedMeter = createUsageMeter(clock);
  let isUnreachable = false;
  let newestFence = 0;
  const ifReachable = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isUnreachable) throw outage;
    return await work();
  };
  const memory: PollingMemory = {
    isBinding: true,
    read: () => ifReachable(() => storedMemory.read()),
    update: (change) => ifReachable(() => storedMemory.update(change)),
  };
  const meter: CallMeter = {
    isBinding: true,
    read: () => ifReachable(() => storedMeter.read()),
    add: (decide, fence = null) =>
      ifReachable(async () => {
        if (fence !== null && fence !== newestFence) throw new LeaseLostError('postgres://nas/parcels');
        return await storedMeter.add(decide);
      }),
  };
  /** Creates the lease of a host that keeps believing that it has it. */
  const lease = (): PollLease => {
    let fence: number | null = null;
    return {
      isBinding: true,
      hold: () =>
        ifReachable(async () => {
          fence ??= ++newestFence;
          return true;
        }),
      isHeld: () => fence !== null,
      fence: () => fence,
      suspectLoss: () => {
        fence = null;
      },
      release: async () => {
        fence = null;
      },
    };
  };
  const setUnreachable = (value: boolean): void => {
    isUnreachable = value;
  };
  return { clock, memory, meter, storedMeter, lease, setUnreachable };
}

function openOn({ clock, memory, meter, lease }: ReturnType<typeof createShared>) {
  const held = lease();
  const problems = new Map<string, unknown>();
  const budget = { queriesPerDay: 2, registrationsPerMonth: 10 };
  const gate = new CallGate({ clock, random: () => 0.5, memory, meter, lease: held, budget });
  gate.listen({ onProblem: (source, error) => problems.set(source, error) });
  return { gate, problems };
}

const call = (
  gate: CallGate,
  origin: CallOrigin,
  send: () => Promise<unknown>,
  operation: CallOperation = 'register',
) => gate.call({ operation, origin, numbers: 3, send });

describe('the shared database', () => {
  it.each(['poll', 'user', 'command'] as const)(
    'blocks calls with origin %s while it is unreachable',
    async (origin) => {
      const shared = createShared();
      const { gate } = openOn(shared);
      await gate.lease.hold();
      shared.setUnreachable(true);
      let sent = 0;
      const send = async (): Promise<number> => ++sent;
      const blocked = call(gate, origin, send);
      if (origin === 'poll') await expect(blocked).rejects.toMatchObject({ reason: 'cut-off' });
      else await expect(blocked).rejects.toBe(outage);
      expect(gate.pollAt(shared.clock.now(), 'query')).toBeNull();
      shared.setUnreachable(false);
      await call(gate, origin, send);
      expect(sent).toBe(1);
      expect(gate.pollAt(shared.clock.now(), 'query')).toBe(shared.clock.now());
      expect((await shared.storedMeter.read()).month.registrations).toBe(3);
    },
  );

  it('blocks calls that it cannot count', async () => {
    const shared = createShared();
    const gate = new CallGate({
      ...shared,
      lease: null,
      random: () => 0.5,
      meter: { ...shared.meter, add: () => Promise.reject(outage) },
    });
    let sent = 0;
    await expect(call(gate, 'user', async () => ++sent)).rejects.toBe(outage);
    await expect(call(gate, 'poll', async () => ++sent)).rejects.toMatchObject({ reason: 'cut-off' });
    expect(sent).toBe(0);
  });

  it('corrects its count after an outage for calls that were not sent or cost less', async () => {
    const shared = createShared();
    const { gate, problems } = openOn(shared);
    const failing = call(gate, 'user', async () => {
      shared.setUnreachable(true);
      throw new UnreachableError('offline');
    });
    await expect(failing).rejects.toThrow('offline');
    expect(problems.get('meter-write')).toBe(outage);
    expect((await shared.storedMeter.read()).month).toEqual({ ...noUsage, calls: 1, registrations: 3 });
    shared.setUnreachable(false);
    await gate.load();
    expect(problems.get('meter-write')).toBeNull();
    expect((await shared.storedMeter.read()).month).toEqual({ ...noUsage, calls: 1 });
    await gate.load();
    expect((await shared.storedMeter.read()).month).toEqual({ ...noUsage, calls: 1 });
    expect(gate.budget.registrationsLeft()).toBe(10);
  });

  it('corrects its count with the next call at the latest', async () => {
    const shared = createShared();
    const { gate } = openOn(shared);
    const lost = gate.call({
      operation: 'register',
      origin: 'user',
      numbers: 10,
      send: async () => {
        shared.setUnreachable(true);
        throw new UnreachableError('offline');
      },
    });
    await expect(lost).rejects.toThrow('offline');
    shared.setUnreachable(false);
    await gate.memory.load();
    expect(await gate.budget.admit('register', 10, false)).toBe(10);
    expect((await shared.storedMeter.read()).month).toEqual({ ...noUsage, calls: 2, registrations: 10 });
  });

  it('refuses a poll, without counting it, if a different host has taken the lease', async () => {
    const shared = createShared();
    const [first, second] = [openOn(shared), openOn(shared)];
    await first.gate.lease.hold();
    await second.gate.lease.hold();
    expect(first.gate.lease.isHeld()).toBe(true);
    let sent = 0;
    await expect(call(first.gate, 'poll', async () => ++sent)).rejects.toMatchObject({ reason: 'lease' });
    expect(first.gate.lease.isHeld()).toBe(false);
    expect((await shared.storedMeter.read()).month).toEqual(noUsage);
    await call(second.gate, 'poll', async () => ++sent);
    // Users and commands need no lease.
    await call(first.gate, 'user', async () => ++sent);
    expect(sent).toBe(2);
  });

  it('allows no process to poll without a lease', async () => {
    const shared = createShared();
    const { gate, problems } = openOn(shared);
    shared.setUnreachable(true);
    expect(await gate.lease.hold()).toBe(false);
    expect(gate.lease.isHeld()).toBe(false);
    expect(problems.get('lease')).toBe(outage);
  });

  it('holds back polls during an outage, and resumes them afterwards', async () => {
    const shared = createShared();
    const { clock, memory, meter } = shared;
    const { monitor, service, add } = await startHarness(
      { memory, meter, lease: shared.lease(), policy: { followMs: 800 } },
      { clock },
    );
    monitor.start();
    await add('RB1CN');
    await clock.advance(1_000);
    const before = service.calls.length;
    expect(before).toBeGreaterThan(0);
    shared.setUnreachable(true);
    await clock.advance(3_600_000);
    expect(service.calls.length).toBe(before);
    const { polling } = monitor.getState();
    expect(polling).toMatchObject({ phase: 'waiting', nextPollAt: null, isFollowing: false, problem: null });
    await expect(monitor.refreshDue()).rejects.toBe(outage);
    expect(service.calls.length).toBe(before);
    shared.setUnreachable(false);
    await clock.advance(20_000);
    expect(service.calls.length).toBeGreaterThan(before);
    expect(monitor.getState().notices).toEqual([]);
  });
});

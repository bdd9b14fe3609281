import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import { StoreError } from '../../../src/lib/store-errors.ts';
import { BudgetSpentError } from '../../../src/polling/gate/budget.ts';
import {
  KeyRefusedError,
  QuotaExhaustedError,
  RateLimitedError,
  ServiceTimeoutError,
  UnreachableError,
} from '../../../src/service/port.ts';
import { emptyPollingMemory } from '../../../src/store/shared-state.ts';
import { createMemoryDocument, createMemoryStore } from '../../../src/store/store.ts';
import { createUsageMeter, noUsage, type Usage, type UsageTotals } from '../../../src/store/usage-meter.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { countSentences } from '../../support/sentences.ts';
import { createFakeService, onServiceClock } from '../fake-service.ts';
import { createHarness, draftOf, type Harness, startHarness, startPolling } from '../harness.ts';

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `RB${1000 + index}CN`);
const addAll = async ({ monitor }: Harness, count: number): Promise<void> => {
  await Promise.all(numbers(count).map((trackNo) => monitor.add(draftOf(trackNo))));
};
const callCount = ({ service }: Harness): number => service.calls.length;

describe('the query budget', () => {
  const budget = { queriesPerDay: 5, registrationsPerMonth: null };

  it('pauses checks before it is exceeded, says what is waiting, and lets them resume on the next UTC day', async () => {
    const harness = await startHarness({ budget });
    const { clock, service, monitor, add } = harness;
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + hour) });
    monitor.start();
    await add('RB1CN');
    await clock.advance(10 * hour);
    expect(service.timesOf('query')).toHaveLength(5);
    const { polling } = monitor.getState();
    expect(polling).toMatchObject({ phase: 'waiting', queriesToday: 5, problem: null });
    expect(polling.nextPollAt).toBe(Date.UTC(2026, 10, 20));
    expect(polling.budget).toMatchObject({ resumesAt: Date.UTC(2026, 10, 20), waiting: 1 });
    expect(polling.budget?.message).toBe(
      'Your budget of 5 queries a day (budget.queriesPerDay) is used up, so 1 due parcel waits until 2026-11-20 00:00 UTC. To continue sooner, raise the budget in config.json.',
    );
    await clock.advance(5 * hour);
    expect(service.timesOf('query')).toHaveLength(6);
    expect(monitor.getState().polling).toMatchObject({ queriesToday: 1, budget: null });
  });

  it('stops a refresh with the same message, unless it is forced', async () => {
    const { clock, service, monitor, add } = await startHarness({ budget });
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(10 * hour);
    const callsBefore = service.calls.length;
    const { failure } = await monitor.refresh([id]);
    expect(failure).toBeInstanceOf(BudgetSpentError);
    expect(failure?.message).toMatch(/5 queries a day .* used up, so 1 number waits until 2026-11-20 00:00/);
    expect(service.calls).toHaveLength(callsBefore);
    expect(monitor.getState().polling.problem).toBeNull();
    expect((await monitor.refresh([id], { beyondBudget: true })).answered).toEqual([id]);
    expect(monitor.getState().polling.queriesToday).toBe(6);
  });

  it('is explained along with the registration budget if both are used up', async () => {
    const { clock, monitor, add } = await startHarness({ budget: { queriesPerDay: 1, registrationsPerMonth: 2 } });
    const ids: string[] = [];
    for (const trackNo of ['RB1CN', 'RB2CN', 'RB3CN']) ids.push((await add(trackNo)).id);
    for (let round = 0; round < 2; round += 1) {
      const refreshed = monitor.refresh(ids);
      await clock.advance(minute);
      const { failure } = await refreshed;
      expect(failure).toBeInstanceOf(BudgetSpentError);
      expect(countSentences(failure?.message ?? '')).toBe(2);
      if (round === 1)
        expect(failure?.message).toMatch(/^Your budget of 1 query a day .*; your budget of 2 registrations a month /);
    }
  });

  it('does not block registrations', async () => {
    const { clock, service, monitor, add } = await startPolling(['RB1CN'], { budget });
    await clock.advance(10 * hour);
    await add('RB2CN');
    await clock.advance(minute);
    expect(service.timesOf('register')).toHaveLength(2);
    expect(service.timesOf('query')).toHaveLength(5);
    expect(monitor.getState().polling.budget?.waiting).toBe(2);
  });

  it('is shared by all processes and survives restarts', async () => {
    const clock = createFakeClock();
    const shared = { meter: createUsageMeter(clock), budget };
    const [first, second] = [await startHarness(shared, { clock }), await startHarness(shared, { clock })];
    for (const { monitor } of [first, second]) monitor.start();
    await first.add('RB1CN');
    await second.add('RB2CN');
    await clock.advance(10 * hour);
    const third = await startHarness(shared, { clock });
    expect(third.monitor.getState().polling.queriesToday).toBe(5);
    third.monitor.start();
    await third.add('RB3CN');
    await clock.advance(4 * hour);
    const queries = [first, second, third].map(({ service }) => service.timesOf('query').length);
    expect(queries.reduce((sum, count) => sum + count)).toBe(5);
  });

  const createFailingMeter = (clock: FakeClock) => {
    const meter = createUsageMeter(clock);
    let isFailing = true;
    const throwIfFailing = (): void => {
      if (isFailing) {
        throw new StoreError('disk-full', 'No space left to write meter.json. Free some space.', 'meter.json');
      }
    };
    return {
      meter: {
        read: meter.read,
        add: async (decide: (totals: UsageTotals) => Usage) =>
          await meter.add((totals) => {
            const usage = decide(totals);
            if (usage !== noUsage) throwIfFailing();
            return usage;
          }),
      },
      repair: () => {
        isFailing = false;
      },
    };
  };

  it('blocks calls that cannot be counted, says why, and lets them resume when they can', async () => {
    const clock = createFakeClock();
    const { meter, repair } = createFailingMeter(clock);
    const { monitor, service, add } = await startHarness({ budget, meter }, { clock });
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(12 * hour);
    // Registrations have no budget.
    expect(service.timesOf('register')).toHaveLength(1);
    expect(service.timesOf('query')).toHaveLength(0);
    const sentence =
      'Requests with a budget wait until they can be counted: No space left to write meter.json. Free some space.';
    expect(monitor.getState().notices).toEqual([sentence]);
    await expect(monitor.refresh([id])).rejects.toThrow(sentence);
    await expect(monitor.refreshDue()).rejects.toThrow(sentence);
    expect(service.timesOf('query')).toHaveLength(0);
    expect((await monitor.refresh([id], { beyondBudget: true })).answered).toEqual([id]);
    service.calls.length = 0;
    repair();
    await clock.advance(hour);
    expect(service.timesOf('query').length).toBeGreaterThan(0);
    expect(monitor.getState().notices).toEqual([]);
  });

  it('does not block uncounted calls if it is not set', async () => {
    const clock = createFakeClock();
    const { meter } = createFailingMeter(clock);
    const { monitor, service } = await startPolling(['RB1CN'], { meter }, { clock });
    await clock.advance(hour);
    expect(service.timesOf('query').length).toBeGreaterThan(0);
    expect(monitor.getState().notices).toEqual(['No space left to write meter.json. Free some space.']);
  });
});

describe('the registration budget', () => {
  it('allows as many registrations as it covers, and the others in the next UTC month', async () => {
    const harness = await startHarness({ budget: { queriesPerDay: null, registrationsPerMonth: 120 } });
    const { clock, service, monitor } = harness;
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + 40 * day) });
    await addAll(harness, 150);
    monitor.start();
    await clock.advance(minute);
    const registrations = () => service.calls.filter(({ operation }) => operation === 'register');
    expect(registrations().map(({ trackNos }) => trackNos.length)).toEqual([100, 20]);
    expect(monitor.getState().polling.budget).toMatchObject({ resumesAt: Date.UTC(2026, 11, 1), waiting: 30 });
    expect(monitor.getState().polling.budget?.message).toContain(
      '120 registrations a month (budget.registrationsPerMonth)',
    );
    // Registered numbers are still checked.
    expect(monitor.getState().parcels.filter(({ record }) => record !== null)).toHaveLength(120);
    await clock.advance(12 * day);
    expect(registrations().map(({ trackNos }) => trackNos.length)).toEqual([100, 20, 30]);
    expect(monitor.getState().polling.budget).toBeNull();
  });

  it('lets a refresh check what it covers, and reports what is waiting', async () => {
    const harness = await startHarness({ budget: { queriesPerDay: null, registrationsPerMonth: 2 } });
    const { clock, service, monitor, add } = harness;
    service.refuse = ({ trackNo }) => (trackNo === 'RB2CN' ? 'unsupported' : null);
    for (const trackNo of ['RB1CN', 'RB2CN', 'RB3CN', 'RB4CN', 'RB5CN']) await add(trackNo);
    const idsOf = (...trackNos: readonly string[]) => trackNos.map((trackNo) => harness.parcel(trackNo).id);
    const refreshed = monitor.refreshDue();
    await clock.advance(minute);
    const outcome = await refreshed;
    // The next number gets the rejected one's share of the budget.
    expect(outcome).toMatchObject({ answered: idsOf('RB1CN', 'RB3CN'), rejected: idsOf('RB2CN') });
    expect(outcome.failure).toBeInstanceOf(BudgetSpentError);
    expect(outcome.failure?.message).toBe(
      'Your budget of 2 registrations a month (budget.registrationsPerMonth) is used up, so 2 numbers wait until 2026-12-01 00:00 UTC. To continue sooner, raise the budget in config.json.',
    );
    expect(service.calls.map(({ operation, trackNos }) => [operation, ...trackNos])).toEqual([
      ['register', 'RB1CN', 'RB2CN'],
      ['register', 'RB3CN'],
      ['query', 'RB1CN', 'RB3CN'],
    ]);
  });

  it('does not block checks of registered numbers', async () => {
    const { clock, service, monitor, add } = await startHarness({
      budget: { queriesPerDay: null, registrationsPerMonth: 1 },
    });
    const { id } = await add('RB1CN');
    const done = monitor.refresh([id]);
    await clock.advance(minute);
    await done;
    await add('RB2CN');
    await clock.advance(2 * hour);
    service.calls.length = 0;
    expect(await monitor.refreshDue()).toMatchObject({ answered: [id], failure: expect.any(BudgetSpentError) });
    expect(service.calls.map(({ operation, trackNos }) => [operation, ...trackNos])).toEqual([['query', 'RB1CN']]);
  });

  it('pays only for accepted registrations', async () => {
    const clock = createFakeClock();
    const meter = createUsageMeter(clock);
    const { service, monitor, add } = await startHarness({ meter }, { clock });
    service.registered.add('RB1CN');
    service.refuse = ({ trackNo }) => (trackNo === 'RB2CN' ? 'unsupported' : null);
    monitor.start();
    for (const trackNo of ['RB1CN', 'RB2CN', 'RB3CN']) await add(trackNo);
    await clock.advance(minute);
    expect((await meter.read()).today).toMatchObject({ registrations: 1 });

    service.failure = new UnreachableError('The service cannot be reached.');
    await add('RB4CN');
    await clock.advance(0);
    expect((await meter.read()).today).toMatchObject({ registrations: 1 });
    // A call without a response may have been received.
    service.failure = new ServiceTimeoutError('No response in time.');
    await clock.advance(10 * second);
    expect((await meter.read()).today.registrations).toBeGreaterThan(1);
  });
});

describe('the meter', () => {
  it('counts calls, queries, numbers and registrations per day', async () => {
    const clock = createFakeClock();
    const meter = createUsageMeter(clock);
    const harness = await startHarness({ meter }, { clock });
    await addAll(harness, 150);
    harness.monitor.start();
    await clock.advance(minute);
    expect((await meter.read()).today).toEqual({ calls: 4, queries: 2, numbers: 150, registrations: 150 });
    expect(harness.monitor.getState().polling.queriesToday).toBe(2);
    harness.service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + 40 * day) });
    await clock.advance(2 * hour);
    await clock.advance(day);
    expect(harness.monitor.getState().polling.queriesToday).toBe(0);
  });

  it('reports that it cannot be read, even if nothing is sent', async () => {
    const clock = createFakeClock();
    const inner = createUsageMeter(clock);
    let failure: Error | null = new StoreError('disk-full', 'The meter cannot be read.', 'meter.json');
    const read = async () => {
      if (failure !== null) throw failure;
      return await inner.read();
    };
    const { monitor } = await startHarness({ meter: { ...inner, read }, policy: { followMs: second } }, { clock });
    monitor.start();
    await clock.advance(minute);
    expect(monitor.getState().notices).toEqual(['The meter cannot be read.']);
    failure = null;
    await clock.advance(minute);
    expect(monitor.getState().notices).toEqual([]);
  });

  it('does not count calls that are not sent because the program ends', async () => {
    const clock = createFakeClock();
    const meter = createUsageMeter(clock);
    const harness = await startHarness({ meter }, { clock });
    const { monitor, service } = harness;
    await addAll(harness, 150);
    let stopped: Promise<void> | null = null;
    service.refuse = () => {
      stopped ??= monitor.stop();
      return null;
    };
    monitor.start();
    await clock.advance(minute);
    await stopped;
    expect(service.calls).toHaveLength(1);
    expect((await meter.read()).today).toMatchObject({ calls: 1, registrations: 100 });
  });

  it('does not count calls that are not sent without the lease', async () => {
    const clock = createFakeClock();
    const meter = createUsageMeter(clock);
    let checks = 0;
    const lease = {
      hold: async () => true,
      // Lost between the decision and the call.
      fence: () => null,
      isHeld: () => {
        checks += 1;
        return checks === 1;
      },
      release: async () => undefined,
    };
    const { monitor, service, add } = await startHarness({ meter, lease }, { clock });
    await add('RB1CN');
    monitor.start();
    await clock.advance(minute);
    expect(checks).toBeGreaterThan(1);
    expect(service.calls).toHaveLength(0);
    expect((await meter.read()).today).toEqual(noUsage);
  });
});

it('does not make other processes wait if this one lost the lease during a failed call', async () => {
  const memory = createMemoryDocument(emptyPollingMemory);
  let isHeld = true;
  const lease = { hold: async () => isHeld, fence: () => null, isHeld: () => isHeld, release: async () => undefined };
  const { clock, monitor, service, add } = await startHarness({ memory, lease });
  service.failure = () => {
    isHeld = false;
    return new ServiceTimeoutError('No response after 10 s, since this machine was asleep.');
  };
  await add('RB1CN');
  monitor.start();
  await clock.advance(minute);
  expect(service.calls).toHaveLength(1);
  expect(await memory.read()).toEqual(emptyPollingMemory);
});

describe('a pause that the user starts', () => {
  it('hides the budget notice, which promises when checks resume', async () => {
    const { clock, monitor } = await startPolling(['RB1CN'], {
      budget: { queriesPerDay: 1, registrationsPerMonth: null },
    });
    await clock.advance(2 * hour);
    expect(monitor.getState().polling.budget?.message).toContain('1 due parcel waits until 2026-11-20');
    await monitor.pause();
    expect(monitor.getState().polling).toMatchObject({ paused: true, budget: null, nextPollAt: null });
    await monitor.resume();
    expect(monitor.getState().polling).toMatchObject({ paused: false, budget: { waiting: 1 } });
  });

  it('stops polling until it ends, even across a restart, but a refresh still calls', async () => {
    const clock = createFakeClock();
    const service = createFakeService(clock);
    const persisted = { store: createMemoryStore(), memory: createMemoryDocument(emptyPollingMemory) };
    const first = await startHarness(persisted, { clock, service });
    first.monitor.start();
    const { id } = await first.add('RB1CN');
    await clock.advance(minute);
    await first.monitor.pause();
    expect(first.monitor.getState().polling).toMatchObject({ paused: true, nextPollAt: null });
    service.calls.length = 0;
    await clock.advance(3 * hour);
    await first.monitor.stop();

    const later = await startHarness(persisted, { clock, service });
    expect(later.monitor.getState().polling.paused).toBe(true);
    later.monitor.start();
    await clock.advance(3 * hour);
    expect(service.calls).toHaveLength(0);
    expect((await later.monitor.refresh([id])).answered).toEqual([id]);
    await clock.advance(3 * hour);
    expect(service.calls).toHaveLength(1);
    await later.monitor.resume();
    expect(later.monitor.getState().polling.paused).toBe(false);
    await clock.advance(second);
    expect(service.calls).toHaveLength(2);
  });

  it('stops polling after the current call, and does not affect a refresh', async () => {
    const harness = await startHarness();
    const { clock, monitor, service } = harness;
    await addAll(harness, 250);
    monitor.start();
    await clock.advance(minute);
    service.failure = () => {
      if (!monitor.getState().polling.paused) void monitor.pause();
      return null;
    };
    service.calls.length = 0;
    await clock.advance(hour);
    expect(service.calls.map(({ trackNos }) => trackNos.length)).toEqual([100]);
    const refreshed = monitor.refreshDue();
    await clock.advance(minute);
    expect((await refreshed).answered).toHaveLength(150);
    expect(service.calls).toHaveLength(3);
  });

  it('applies to all processes', async () => {
    const clock = createFakeClock();
    const memory = createMemoryDocument(emptyPollingMemory);
    const [pausing, polling] = [
      await startHarness({ memory }, { clock }),
      await startHarness({ memory, policy: { followMs: second } }, { clock }),
    ];
    polling.monitor.start();
    await polling.add('RB1CN');
    await clock.advance(minute);
    await pausing.monitor.pause();
    await clock.advance(10 * second);
    expect(polling.monitor.getState().polling).toMatchObject({ paused: true, nextPollAt: null });
    const callsBefore = callCount(polling);
    await clock.advance(3 * hour);
    expect(callCount(polling)).toBe(callsBefore);
    await pausing.monitor.resume();
    await clock.advance(10 * second);
    expect(callCount(polling)).toBe(callsBefore + 1);
  });
});

describe('a program that restarts again and again', () => {
  it.each([
    ['rate-limited, with a time', new RateLimitedError('Too many calls.', { retryAfterMs: 20 * minute })],
    ['rate-limited', new RateLimitedError('Too many calls.')],
    ['quota used up', new QuotaExhaustedError('The quota is used up.')],
    ['key rejected', new KeyRefusedError('The key was refused.')],
    ['unreachable', new UnreachableError('The service cannot be reached.')],
  ])('makes no call during a cool-down: %s', async (_name, failure) => {
    const clock = createFakeClock();
    const service = createFakeService(clock);
    const persisted = {
      store: createMemoryStore(),
      memory: createMemoryDocument(emptyPollingMemory),
      random: () => 0.999,
    };
    await (await createHarness(persisted, { clock, service })).add('RB1CN');
    service.failure = failure;
    for (let run = 0; run < 200; run += 1) {
      const { monitor } = await createHarness(persisted, { clock, service });
      monitor.start();
      await clock.advance(3 * second);
      await monitor.stop();
    }
    // In ten minutes: seven calls with a back-off that doubles from five seconds, one call with a given time.
    expect(service.calls.length).toBeLessThanOrEqual(
      failure instanceof RateLimitedError && failure.retryAfterMs !== null ? 1 : 8,
    );
    expect(service.calls.length).toBeGreaterThan(0);
  });
});

describe('an uneven clock', () => {
  const frequentFollowing = { policy: { followMs: 5 * second } };
  const rareFollowing = { policy: { followMs: minute } };
  /** Announces an update every three hours of real time. */
  const updateEveryThreeHours = ({ clock, service }: Harness): void => {
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + 3 * hour) });
  };

  it('causes one check of all parcels, in batches, after hours of sleep', async () => {
    const harness = await startHarness(frequentFollowing);
    const { clock, service, monitor } = harness;
    updateEveryThreeHours(harness);
    await addAll(harness, 250);
    monitor.start();
    await clock.advance(minute);
    service.calls.length = 0;
    for (let night = 0; night < 3; night += 1) {
      clock.jumpTo(clock.now() + 9 * hour);
      await clock.advance(10 * second);
    }
    expect(service.calls.map(({ trackNos }) => trackNos.length)).toEqual([100, 100, 50, 100, 100, 50, 100, 100, 50]);
    const callsBefore = service.calls.length;
    await clock.advance(2 * hour);
    expect(service.calls).toHaveLength(callsBefore);
  });

  it('neither loses parcels nor floods the service if it is set back by hours', async () => {
    const harness = await startHarness(rareFollowing);
    const { clock, service, monitor } = harness;
    service.reply = ({ trackNo }) =>
      trackNo < 'RB1030' ? { nextUpdateTime: onServiceClock(clock.now() + 3 * hour) } : { nextUpdateTime: null };
    await addAll(harness, 60);
    monitor.start();
    await clock.advance(minute);
    service.calls.length = 0;
    clock.jumpTo(clock.now() - 20 * hour);
    await clock.advance(day);
    const seen = new Set(service.calls.flatMap(({ trackNos }) => trackNos));
    expect(seen.size).toBe(60);
    expect(service.calls.length).toBeLessThan(40);
  });

  it('does not prolong a back-off that was planned while it was days ahead', async () => {
    const { clock, service } = await startPolling(['RB1CN'], frequentFollowing);
    service.reply = () => ({ nextUpdateTime: null });
    await clock.advance(minute);
    clock.jumpTo(clock.now() - 10 * day);
    service.calls.length = 0;
    await clock.advance(hour);
    expect(service.calls.length).toBeGreaterThan(0);
    expect(service.calls.length).toBeLessThan(4);
  });

  it('does not prolong our own cool-down that began while it was ahead', async () => {
    const { clock, service } = await startPolling(['RB1CN'], frequentFollowing);
    await clock.advance(minute);
    service.failure = new UnreachableError('The service cannot be reached.');
    await clock.advance(3 * hour);
    service.failure = null;
    clock.jumpTo(clock.now() - 2 * hour);
    service.calls.length = 0;
    await clock.advance(2 * minute);
    expect(service.calls.length).toBeGreaterThan(0);
  });

  it.each([
    ['spring', Date.UTC(2026, 2, 29, 0, 30)],
    ['autumn', Date.UTC(2026, 9, 25, 0, 30)],
  ])('does not affect plans when daylight saving time changes (%s)', async (_season, at) => {
    const clock = createFakeClock(at);
    const harness = await startHarness({}, { clock });
    updateEveryThreeHours(harness);
    harness.monitor.start();
    await harness.add('RB1CN');
    await clock.advance(12 * hour);
    const times = harness.service.timesOf('query');
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(
      [3, 3, 3].map((hours) => hours * hour),
    );
  });

  it('causes few calls during hours without a network, which are caught up on afterwards', async () => {
    const harness = await startHarness();
    const { clock, service, monitor } = harness;
    updateEveryThreeHours(harness);
    await addAll(harness, 250);
    monitor.start();
    await clock.advance(minute);
    service.calls.length = 0;
    service.failure = new UnreachableError('The service cannot be reached.');
    await clock.advance(15 * hour);
    // With full jitter, the average wait is half of the ceiling.
    expect(service.calls.length).toBeLessThan(160);
    service.calls.length = 0;
    service.failure = null;
    await clock.advance(16 * minute);
    expect(service.calls.map(({ trackNos }) => trackNos.length)).toEqual([100, 100, 50]);
    expect(monitor.getState().polling).toMatchObject({ phase: 'waiting', problem: null });
  });

  it('causes no timer in the past or beyond the timer limit', async () => {
    const harness = await startHarness(rareFollowing);
    const { clock, monitor } = harness;
    updateEveryThreeHours(harness);
    await addAll(harness, 5);
    monitor.start();
    // The fake clock throws on any other delay.
    for (const jump of [day, -3 * day, 400 * day, -900 * day, 20_000 * day, -19_000 * day, -1, 1]) {
      clock.jumpTo(clock.now() + jump);
      await clock.advance(7 * hour);
    }
    expect(monitor.getState().parcels.every(({ record }) => record !== null)).toBe(true);
    expect(monitor.getState().polling.problem).toBeNull();
  });
});

it('charges exactly the estimate for a check', async () => {
  const harness = await startHarness();
  const { clock, service, monitor, parcel } = harness;
  await addAll(harness, 250);
  expect(monitor.costOf('due')).toEqual({ calls: 6, numbers: 250, registrations: 250 });
  const refreshed = monitor.refreshDue();
  await clock.advance(2 * second);
  await refreshed;
  expect(service.calls).toHaveLength(6);
  expect(monitor.costOf('due')).toEqual({ calls: 0, numbers: 0, registrations: 0 });
  const twoIds = [parcel('RB1000CN').id, parcel('RB1001CN').id];
  expect(monitor.costOf(twoIds)).toEqual({ calls: 1, numbers: 2, registrations: 0 });
  await monitor.archiveAll([parcel('RB1001CN').id]);
  expect(monitor.costOf(twoIds)).toEqual({ calls: 1, numbers: 1, registrations: 0 });
});

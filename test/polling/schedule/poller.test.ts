import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import {
  KeyRefusedError,
  RateLimitedError,
  ResponseTooLargeError,
  UnreachableError,
} from '../../../src/service/port.ts';
import { emptyPollingMemory } from '../../../src/store/shared-state.ts';
import { createMemoryDocument, createMemoryStore } from '../../../src/store/store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { checkpointOf } from '../../support/records.ts';
import { createFakeService, onServiceClock } from '../fake-service.ts';
import { draftOf, startHarness, startPolling } from '../harness.ts';

describe('a new parcel', () => {
  it('is registered immediately and checked 2 s later', async () => {
    const { clock, service, parcel } = await startPolling(['RB1CN']);
    expect(parcel('RB1CN').registration).toBe('pending');
    await clock.advance(0);
    expect(service.timesOf('register')).toEqual([0]);
    expect(parcel('RB1CN').registration).toBe('registered');
    await clock.advance(2 * second);
    expect(service.timesOf('query')).toEqual([2 * second]);
    expect(parcel('RB1CN').record?.transitStatus).toBe('IN_TRANSIT');
  });

  it('is checked after 2 s, 10 s, 60 s and then every 10 min until there is a record with a next update', async () => {
    const { clock, service } = await startPolling(['RB1CN']);
    service.reply = () => ({ transitStatus: 'INIT', transitSubStatus: null });
    await clock.advance(32 * minute + 12 * second);
    const waits = service.timesOf('query').map((at, index, all) => at - (all[index - 1] ?? 0));
    expect(waits).toEqual([2, 10, 60, 600, 600, 600].map((wait) => wait * second));
    service.reply = () => ({ transitStatus: 'NO_RECORD', nextUpdateTime: onServiceClock(clock.now() + 3 * hour) });
    await clock.advance(10 * minute);
    const queriesBefore = service.timesOf('query').length;
    await clock.advance(2 * hour);
    expect(service.timesOf('query')).toHaveLength(queriesBefore);
  });

  it('uses the courier that the service detected', async () => {
    const { clock, service, parcel } = await startPolling(['RB1CN']);
    service.reply = () => ({ courierCode: 'yanwen', nextUpdateTime: onServiceClock(clock.now() + hour) });
    await clock.advance(2 * second);
    expect(parcel('RB1CN')).toMatchObject({ courierCode: 'yanwen', courierPinned: false });
  });

  it('is checked immediately if it is already registered', async () => {
    const { add, clock, service, monitor } = await startHarness();
    service.registered.add('RB1CN');
    monitor.start();
    await add('rb1cn');
    await clock.advance(second);
    expect(service.timesOf('query')).toEqual([100]);
  });
});

describe('the poller', () => {
  it('calls exactly at nextUpdateTime, and never for a parcel that is not due', async () => {
    const { clock, service } = await startPolling(['A1000', 'B1000']);
    const intervals = new Map([
      ['A1000', 10 * minute],
      ['B1000', 25 * minute],
    ]);
    service.reply = ({ trackNo }) => ({
      nextUpdateTime: onServiceClock(clock.now() + (intervals.get(trackNo) ?? 0)),
    });
    await clock.advance(31 * minute);
    const queries = service.calls.filter(({ operation }) => operation === 'query');
    const firstAt = queries[0]?.at ?? 0;
    expect(queries.map(({ at, trackNos }) => [(at - firstAt) / minute, ...trackNos])).toEqual([
      [0, 'A1000', 'B1000'],
      [10, 'A1000'],
      [20, 'A1000'],
      [25, 'B1000'],
      [30, 'A1000'],
    ]);
  });

  it('polls again immediately if nextUpdateTime passed during the call, and backs off if it had passed before', async () => {
    const { add, clock, service, monitor } = await startHarness();
    const ahead = { value: second };
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + ahead.value) });
    const { query } = service;
    service.query = async (...args) => {
      const response = await query(...args);
      await new Promise<void>((resolve) => clock.setTimer(3 * second, resolve));
      return response;
    };
    monitor.start();
    await add('A1000');
    await clock.advance(11 * second);
    // 2 s after the registration, then a call of 3 s and a wait of 2 s each time.
    expect(service.timesOf('query')).toEqual([2 * second, 7 * second]);
    ahead.value = 0;
    await clock.advance(hour);
    // Waits of 1, 5 and 30 minutes, each plus a call of 3 s.
    const waits = [0, 63, 366, 2169].map((wait) => 12 * second + wait * second);
    expect(service.timesOf('query')).toEqual([2 * second, 7 * second, ...waits]);
  });

  it('checks parcels that are due within a minute in one call', async () => {
    const { add, clock, service, monitor } = await startHarness({ policy: { coalesceMs: minute } });
    const intervals = new Map([
      ['A1000', 2 * hour],
      ['B1000', 2 * hour + 40 * second],
      ['C1000', 2 * hour + 90 * second],
    ]);
    service.reply = ({ trackNo }) => ({
      nextUpdateTime: onServiceClock(clock.now() + (intervals.get(trackNo) ?? 0)),
    });
    monitor.start();
    for (const trackNo of intervals.keys()) await add(trackNo);
    await clock.advance(3 * hour);
    const later = service.calls.filter(({ operation }) => operation === 'query').slice(1);
    expect(later.map(({ trackNos }) => trackNos)).toEqual([['A1000', 'B1000'], ['C1000']]);
  });

  it('registers and checks 250 parcels in batches of 100', async () => {
    const { clock, service, monitor } = await startHarness();
    await Promise.all(Array.from({ length: 250 }, (_, index) => monitor.add(draftOf(`RB${1000 + index}CN`))));
    monitor.start();
    await clock.advance(2 * second);
    expect(service.calls.map(({ operation, trackNos }) => [operation, trackNos.length])).toEqual([
      ['register', 100],
      ['register', 100],
      ['register', 50],
      ['query', 100],
      ['query', 100],
      ['query', 50],
    ]);
    expect(monitor.getState().parcels.every(({ record }) => record !== null)).toBe(true);
  });

  it('matches records by number, in any order and case, and ignores records for other numbers', async () => {
    const { clock, service, monitor, parcel } = await startPolling(['DE1000', 'FR2000']);
    service.reply = ({ trackNo }) => [
      {
        trackNo: trackNo.toLowerCase(),
        shipTo: trackNo.slice(0, 2),
        nextUpdateTime: onServiceClock(clock.now() + hour),
      },
      { trackNo: 'FOREIGN99', shipTo: 'XX' },
    ];
    await clock.advance(2 * second);
    expect(parcel('DE1000').record?.shipTo).toBe('DE');
    expect(parcel('FR2000').record?.shipTo).toBe('FR');
    expect(monitor.getState().parcels).toHaveLength(2);
  });

  it('uses the record with the most checkpoints', async () => {
    const { clock, service, parcel } = await startPolling(['RB1CN']);
    service.reply = () => [
      { courierCode: 'ups', nextUpdateTime: onServiceClock(clock.now() + hour) },
      {
        courierCode: 'dhl',
        nextUpdateTime: onServiceClock(clock.now() + hour),
        checkpoints: [checkpointOf('Arrived', '2026-11-19T08:00:00Z')],
      },
    ];
    await clock.advance(2 * second);
    expect(parcel('RB1CN').courierCode).toBe('dhl');
    expect(parcel('RB1CN').checkpointCount).toBe(1);
  });

  it('tells apart two parcels that have the same number but different couriers', async () => {
    const { clock, service, monitor } = await startHarness();
    service.reply = () => [
      { courierCode: 'dhl', shipTo: 'DE', nextUpdateTime: onServiceClock(clock.now() + hour) },
      { courierCode: 'ups', shipTo: 'US', nextUpdateTime: onServiceClock(clock.now() + hour) },
    ];
    monitor.start();
    await monitor.add(draftOf('RB1CN', { courierCode: 'ups' }));
    await monitor.add(draftOf('RB1CN', { courierCode: 'dhl' }));
    await clock.advance(5 * second);
    const places = monitor.getState().parcels.map(({ courierCode, record }) => [courierCode, record?.shipTo]);
    expect(places).toEqual([
      ['ups', 'US'],
      ['dhl', 'DE'],
    ]);
  });
});

describe('parcels that leave the queue', () => {
  it.each([
    ['DELIVERED', null],
    ['EXPIRED', null],
    ['ABNORMAL', 'ABNORMAL_03'],
    ['ABNORMAL', 'ABNORMAL_04'],
    ['ABNORMAL', 'ABNORMAL_06'],
  ])(
    'are checked as planned for a week, weekly for a month, then no more: %s (%s)',
    async (transitStatus, transitSubStatus) => {
      const { clock, service, monitor, parcel } = await startPolling(['RB1CN']);
      service.reply = () => ({
        transitStatus,
        transitSubStatus,
        nextUpdateTime: onServiceClock(clock.now() + 36 * hour),
      });
      await clock.advance(60 * day);
      const days = service.timesOf('query').map((at) => Math.round((at / day) * 10) / 10);
      expect(days).toEqual([0, 1.5, 3, 4.5, 6, 7.5, 14.5, 21.5, 28.5, 35.5]);
      expect(parcel('RB1CN').nextPollAt).toBeNull();
      expect(monitor.getState().polling.nextPollAt).toBeNull();
    },
  );

  it('are checked at most daily, or without a next update, after a day and then weekly', async () => {
    const { add, clock, service, monitor } = await startHarness();
    const plans = new Map([
      ['HASTY1', 1],
      ['NONE1', 0],
    ]);
    service.reply = ({ trackNo }) => ({
      transitStatus: 'DELIVERED',
      nextUpdateTime: plans.get(trackNo) === 0 ? null : onServiceClock(clock.now() + hour),
    });
    monitor.start();
    for (const trackNo of plans.keys()) await add(trackNo);
    await clock.advance(20 * day);
    const daysOf = (trackNo: string) =>
      service.calls
        .filter(({ trackNos, operation }) => operation === 'query' && trackNos.includes(trackNo))
        .map(({ at }) => Math.round((at - (service.calls[0]?.at ?? 0)) / day));
    // The last poll waits for the other parcel.
    expect(daysOf('HASTY1')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 15]);
    expect(daysOf('NONE1')).toEqual([0, 1, 8, 15]);
  });

  it('are polled again if they come back after delivery', async () => {
    const { clock, service, parcel } = await startPolling(['RB1CN']);
    service.reply = () => ({ transitStatus: 'DELIVERED' });
    await clock.advance(hour);
    service.reply = () => ({ transitStatus: 'ABNORMAL', nextUpdateTime: onServiceClock(clock.now() + 6 * hour) });
    await clock.advance(2 * day);
    expect(service.timesOf('query').length).toBeGreaterThan(4);
    expect(parcel('RB1CN').deliveryConfirmed).toBe(false);
  });

  it('are polled as before if they move again after expiring', async () => {
    const { clock, service, parcel } = await startPolling(['RB1CN']);
    service.reply = () => ({ transitStatus: 'EXPIRED', nextUpdateTime: onServiceClock(clock.now() + 3 * hour) });
    await clock.advance(2 * day + hour);
    service.reply = () => ({ transitStatus: 'IN_TRANSIT', nextUpdateTime: onServiceClock(clock.now() + 3 * hour) });
    await clock.advance(day);
    expect(parcel('RB1CN').record?.transitStatus).toBe('IN_TRANSIT');
    expect(parcel('RB1CN').endedAt).toBeUndefined();
    service.calls.length = 0;
    await clock.advance(day);
    expect(service.timesOf('query')).toHaveLength(8);
  });

  it('are never checked while archived, not even when the user refreshes them', async () => {
    const { add, clock, service, monitor } = await startHarness();
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(minute);
    await monitor.archiveAll([id]);
    service.calls.length = 0;
    await clock.advance(5 * day);
    await monitor.refresh([id]);
    await monitor.refreshDue();
    expect(service.calls).toHaveLength(0);
    await monitor.restoreAll([id]);
    await clock.advance(second);
    expect(service.timesOf('query')).toHaveLength(1);
  });
});

it.each([
  ['missing', () => null, []],
  ['unparsable', () => 'soon', []],
  ['an hour in the past', (now: number) => onServiceClock(now - hour), [1, 5]],
  ['a month in the past', (now: number) => onServiceClock(now - 30 * day), [1, 5]],
  ['absurdly far', (now: number) => onServiceClock(now + 400 * day), []],
])(
  'backs off from 30 min, doubling to 12 h, if the next update is unusable (%s)',
  async (_name, nextUpdateTime, first) => {
    const { clock, service } = await startPolling(['RB1CN']);
    service.reply = () => ({ nextUpdateTime: nextUpdateTime(clock.now()) });
    await clock.advance(3 * day);
    const waits = service.timesOf('query').map((at, index, all) => (at - (all[index - 1] ?? 0)) / minute);
    expect(waits.slice(1, first.length + 9)).toEqual([...first, 30, 60, 120, 240, 480, 720, 720, 720]);
  },
);

describe('numbers that the service rejects or omits', () => {
  it("show the service's wording, and are not retried", async () => {
    const { add, clock, service, monitor, parcel } = await startHarness();
    service.refuse = () => 'unsupported logistics supplier code';
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(2 * day);
    expect(service.timesOf('register')).toEqual([0]);
    expect(parcel('RB1CN')).toMatchObject({
      registration: 'rejected',
      error: {
        kind: 'rejected',
        code: 'A0400',
        message: 'unsupported logistics supplier code',
        traceId: 'trace-register',
      },
    });

    service.refuse = () => null;
    const refreshed = monitor.refresh([id]);
    await clock.advance(2 * second);
    expect(await refreshed).toMatchObject({ answered: [id], rejected: [] });
    expect(parcel('RB1CN')).toMatchObject({ registration: 'registered', error: null });
  });

  it('are rechecked, later each time, if they are missing from the response', async () => {
    const { clock, service, parcel } = await startPolling(['RB1CN']);
    await clock.advance(minute);
    service.reply = () => null;
    const before = parcel('RB1CN');
    await clock.advance(2 * hour + 31 * minute);
    const [, ...later] = service.timesOf('query');
    expect(later.map((at) => Math.round((at - (later[0] ?? 0)) / minute))).toEqual([0, 30, 90]);
    expect(parcel('RB1CN').record).toEqual(before.record);
    expect(parcel('RB1CN').checkedAt).toBe(before.checkedAt);
  });
});

describe('a failed call', () => {
  it('keeps the data, shows the problem, and is retried less and less often', async () => {
    const { clock, service, monitor, parcel } = await startPolling(['RB1CN'], { random: () => 0.999999 });
    await clock.advance(minute);
    const { record } = parcel('RB1CN');
    service.failure = new UnreachableError('The service cannot be reached.', { code: 'ECONNREFUSED' });
    await clock.advance(hour);
    expect(parcel('RB1CN').record).toEqual(record);
    expect(monitor.getState().polling).toMatchObject({
      phase: 'backing-off',
      problem: { kind: 'unreachable', code: 'ECONNREFUSED' },
    });
    await clock.advance(2 * hour);
    const attempts = service.timesOf('query').slice(1);
    const waits = attempts.map((at, index) => Math.round((at - (attempts[index - 1] ?? at)) / second)).slice(1);
    expect(waits.slice(0, 9)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900]);
    expect(new Set(waits.slice(9))).toEqual(new Set([900]));

    service.failure = null;
    await clock.advance(15 * minute);
    expect(monitor.getState().polling).toMatchObject({ phase: 'waiting', problem: null });
  });

  it('waits as long as Retry-After asks, even across a restart or if the user refreshes', async () => {
    const clock = createFakeClock();
    const service = createFakeService(clock);
    const persisted = { store: createMemoryStore(), memory: createMemoryDocument(emptyPollingMemory) };
    const first = await startHarness(persisted, { clock, service });
    service.failure = new RateLimitedError('Too many calls.', { retryAfterMs: 20 * minute });
    first.monitor.start();
    const { id } = await first.add('RB1CN');
    await clock.advance(minute);
    expect(service.calls).toHaveLength(1);
    await first.monitor.stop();

    service.failure = null;
    const restarted = await startHarness(persisted, { clock, service });
    restarted.monitor.start();
    expect(restarted.monitor.getState().polling).toMatchObject({
      phase: 'backing-off',
      nextPollAt: clock.now() + 19 * minute,
    });
    const refused = await restarted.monitor.refresh([id]);
    expect(refused.failure?.message).toMatch(/asked for a pause/);
    await clock.advance(19 * minute - second);
    expect(service.calls).toHaveLength(1);
    await clock.advance(second);
    expect(service.timesOf('register')).toEqual([0, 20 * minute]);
  });

  it.each([
    ['succeeds', null],
    ['fails', new UnreachableError('The service cannot be reached.')],
  ])("keeps another process's pause if its own call %s", async (_what, end) => {
    const memory = createMemoryDocument(emptyPollingMemory);
    const { add, clock, service, monitor } = await startHarness({ memory });
    const { id } = await add('RB1CN');
    service.failure = new UnreachableError('The service cannot be reached.');
    expect((await monitor.refresh([id])).failure).toBeInstanceOf(UnreachableError);
    const until = clock.now() + hour;
    service.failure = () => {
      const pause = { until, byService: true, failures: 1 };
      void memory.update((known) => ({ ...known, coolDown: pause, registerCoolDown: pause }));
      return end;
    };
    const refreshed = monitor.refresh([id]).catch(() => undefined);
    await clock.advance(10 * second);
    await refreshed;
    expect((await memory.read()).registerCoolDown).toMatchObject({ until, byService: true });
    expect((await monitor.refresh([id])).failure?.message).toMatch(/asked for a pause/);
    expect(service.calls).toHaveLength(2);
  });

  it('stops polling if the key was rejected, until a refresh by the user succeeds', async () => {
    const { add, clock, service, monitor } = await startHarness();
    service.failure = new KeyRefusedError('The key was refused. Check it.', { code: 'A0230' });
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(day);
    expect(service.calls).toHaveLength(1);
    expect(monitor.getState().polling).toMatchObject({
      phase: 'stopped',
      nextPollAt: null,
      problem: { kind: 'key-refused', message: 'The key was refused. Check it.' },
    });
    expect((await monitor.refresh([id])).failure).toBeInstanceOf(KeyRefusedError);
    expect(monitor.getState().polling.phase).toBe('stopped');

    service.failure = null;
    const refreshed = monitor.refresh([id]);
    await clock.advance(2 * second);
    await refreshed;
    expect(monitor.getState().polling).toMatchObject({ phase: 'waiting', problem: null });
    const callsBefore = service.calls.length;
    await clock.advance(hour + minute);
    expect(service.calls.length).toBeGreaterThan(callsBefore);
  });

  it('keeps a new number pending if the response is unreadable', async () => {
    const { clock, service, monitor, parcel } = await startPolling(['RB1CN']);
    service.failure = new ResponseTooLargeError('The response is larger than the limit.');
    await clock.advance(minute);
    expect(parcel('RB1CN').registration).toBe('pending');
    expect(monitor.getState().polling.problem?.kind).toBe('answer-too-large');
    service.failure = null;
    await clock.advance(hour);
    expect(parcel('RB1CN').registration).toBe('registered');
  });

  it('reports a bug in our code, and is retried later', async () => {
    const { clock, service, monitor } = await startPolling(['RB1CN']);
    service.failure = new TypeError('x is undefined');
    await clock.advance(minute);
    expect(service.calls.length).toBeLessThan(12);
    expect(monitor.getState().polling.problem?.message).toMatch(/unexpectedly \(x is undefined\)/);
  });

  it('ends when the monitor stops, without an error', async () => {
    const { clock, service, monitor } = await startPolling(['RB1CN']);
    let abortSeen = false;
    service.query = (_keys, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          abortSeen = true;
          reject(signal.reason);
        });
      });
    await clock.advance(2 * second);
    expect(monitor.getState().polling.phase).toBe('checking');
    expect([...monitor.getState().checking]).toHaveLength(1);
    await monitor.stop();
    expect(abortSeen).toBe(true);
    expect(monitor.getState().checking.size).toBe(0);
    expect(clock.timers()).toBe(0);
  });
});

describe('the service clock', () => {
  it('is measured from a new registration, saved, and used immediately', async () => {
    const clock = createFakeClock();
    const memory = createMemoryDocument(emptyPollingMemory);
    const harness = await startHarness({ configuredClock: null, memory }, { clock });
    const { add, service, monitor, parcel } = harness;
    expect(monitor.getState().serviceClock).toEqual({ offsetMinutes: 480, source: 'assumed' });
    const onBerlinClock = (at: number): string => onServiceClock(at - 7 * hour);
    const createTime = onBerlinClock(clock.now() + second);
    service.reply = () => ({ createTime, nextUpdateTime: onBerlinClock(clock.now() + 3 * hour) });
    monitor.start();
    await add('RB1CN');
    await clock.advance(2 * second);
    expect(monitor.getState().serviceClock).toEqual({ offsetMinutes: 60, source: 'measured' });
    expect(parcel('RB1CN').nextPollAt).toBe(new Date(clock.now() + 3 * hour).toISOString());
    expect((await memory.read()).measuredOffsetMinutes).toBe(60);
  });

  it('is not measured from an older registration, or if it is configured', async () => {
    const { add, clock, service, monitor } = await startHarness({ configuredClock: null });
    service.registered.add('RB1CN');
    const createTime = onServiceClock(clock.now() - 3 * hour);
    service.reply = () => ({ createTime, nextUpdateTime: onServiceClock(clock.now() + hour) });
    monitor.start();
    await add('RB1CN');
    await clock.advance(minute);
    expect(monitor.getState().serviceClock.source).toBe('assumed');

    const fixed = await startHarness();
    fixed.service.reply = () => ({ createTime: onServiceClock(fixed.clock.now() - hour) });
    fixed.monitor.start();
    await fixed.add('RB1CN');
    await fixed.clock.advance(minute);
    expect(fixed.monitor.getState().serviceClock.source).toBe('configured');
  });
});

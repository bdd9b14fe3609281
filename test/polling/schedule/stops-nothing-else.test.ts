import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import {
  BadResponseError,
  KeyRefusedError,
  OperationMissingError,
  QuotaExhaustedError,
  RateLimitedError,
  RequestRefusedError,
  type ServiceError,
  ServiceTimeoutError,
  ServiceTroubleError,
  UnreachableError,
} from '../../../src/service/port.ts';
import { emptyPollingMemory } from '../../../src/store/shared-state.ts';
import { createMemoryDocument, createMemoryStore } from '../../../src/store/store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeService, onServiceClock, type SeenCall } from '../fake-service.ts';
import { draftOf, type Harness, startHarness } from '../harness.ts';

const callFailures: readonly ServiceError[] = [
  new QuotaExhaustedError('No credit.', { code: '101107' }),
  new ServiceTroubleError('An internal error.', { code: 'B0001' }),
  new OperationMissingError('No such operation.'),
  new RateLimitedError('Too many calls.', { code: 'A0706' }),
  new RateLimitedError('Too many calls.', { retryAfterMs: 6 * hour }),
  new KeyRefusedError('Not authorised.', { code: 'A0301' }),
  new ServiceTimeoutError('No response in time.'),
  new BadResponseError('Not JSON.'),
  new RequestRefusedError('params format error', { code: 'A0400' }),
];

/** Adds, registers and checks numbers. */
async function addRegistered({ clock, monitor }: Harness, trackNos: readonly string[]): Promise<void> {
  const added = await monitor.addAll(trackNos.map((trackNo) => draftOf(trackNo)));
  const refreshed = monitor.refresh(added.map(({ parcel }) => parcel.id));
  await clock.advance(2 * second);
  await refreshed;
}

const createNumbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `RB${1000 + at}CN`);

const failOnly =
  (operation: SeenCall['operation'], failure: Error) =>
  (call: SeenCall): Error | null =>
    call.operation === operation ? failure : null;

describe('failing registrations', () => {
  it.each(callFailures)(
    'do not delay checks of registered numbers, even across restarts: $name $code',
    async (failure) => {
      const clock = createFakeClock();
      const service = createFakeService(clock);
      const persisted = { store: createMemoryStore(), memory: createMemoryDocument(emptyPollingMemory) };
      const first = await startHarness(persisted, { clock, service });
      service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + 3 * hour) });
      await addRegistered(first, createNumbers(50));
      service.failure = failOnly('register', failure);
      await first.add('NEW51');
      first.monitor.start();
      service.calls.length = 0;
      await clock.advance(30 * hour);
      await first.monitor.stop();
      const restarted = await startHarness(persisted, { clock, service });
      restarted.monitor.start();
      await clock.advance(30 * hour);
      // A rate limit delays queries by a minute at most.
      expect([19, 20]).toContain(service.timesOf('query').length);
      expect(service.calls.every(({ operation, trackNos }) => operation === 'register' || trackNos.length === 50)).toBe(
        true,
      );
      expect(service.timesOf('register').length).toBeGreaterThan(0);
      expect(service.timesOf('register').length).toBeLessThan(500);
      expect(restarted.monitor.getState().polling.phase).not.toBe('stopped');
      expect(restarted.parcel('NEW51').registration).toBe('pending');
    },
  );

  it('do not stop the queries of a refresh, which reports the failure', async () => {
    const harness = await startHarness();
    const { clock, monitor, parcel, service } = harness;
    await addRegistered(harness, createNumbers(3));
    service.failure = failOnly('register', new QuotaExhaustedError('No credit.'));
    await harness.add('NEW4');
    await clock.advance(2 * hour);
    const outcome = await monitor.refreshDue();
    expect(outcome.answered).toHaveLength(3);
    expect(outcome.failure).toBeInstanceOf(QuotaExhaustedError);
    expect(parcel('NEW4').error).toMatchObject({ kind: 'quota-exhausted', message: 'No credit.' });
  });

  it('do not stop while queries fail', async () => {
    const harness = await startHarness();
    const { clock, monitor, parcel, service } = harness;
    await addRegistered(harness, createNumbers(2));
    service.failure = failOnly('query', new ServiceTroubleError('An internal error.'));
    monitor.start();
    await clock.advance(2 * hour);
    await harness.add('NEW3');
    await clock.advance(minute);
    expect(parcel('NEW3').registration).toBe('registered');
  });

  it('cost one call per back-off if there is no connection', async () => {
    const harness = await startHarness();
    const { clock, monitor, service } = harness;
    await addRegistered(harness, createNumbers(2));
    await harness.add('NEW3');
    service.failure = new UnreachableError('Offline.');
    await clock.advance(2 * hour);
    service.calls.length = 0;
    monitor.start();
    await clock.advance(day);
    const times = service.calls.map(({ at }) => at);
    expect(new Set(times).size).toBe(times.length);
    expect(times.length).toBeLessThan(230);
    service.failure = null;
    await clock.advance(16 * minute);
    expect(monitor.getState().polling).toMatchObject({ phase: 'waiting', problem: null });
  });

  it('are paused as long as the service asks, but queries only for a minute', async () => {
    const harness = await startHarness();
    const { clock, monitor, service } = harness;
    await addRegistered(harness, createNumbers(2));
    await clock.advance(2 * hour);
    await harness.add('NEW3');
    service.failure = failOnly('register', new RateLimitedError('Too many.', { retryAfterMs: hour }));
    monitor.start();
    await clock.advance(second);
    service.calls.length = 0;
    const { failure } = await monitor.refresh([harness.parcel('RB1000CN').id]);
    expect(failure?.message).toMatch(/asked for a pause/);
    await clock.advance(minute);
    expect((await monitor.refresh([harness.parcel('RB1000CN').id])).failure).toBeNull();
    expect(service.timesOf('register')).toHaveLength(0);
  });
});

describe('an account that runs out of credit', () => {
  const withCredit = async (credit: number, numbers: number) => {
    const harness = await startHarness();
    const { service, monitor, clock } = harness;
    const account = { credit };
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + 3 * hour) });
    service.failure = ({ operation, trackNos }) => {
      const fresh = trackNos.filter((trackNo) => !service.registered.has(trackNo)).length;
      if (operation === 'query') return null;
      if (fresh > account.credit) return new QuotaExhaustedError('No credit.', { code: '101107' });
      account.credit -= fresh;
      return null;
    };
    await monitor.addAll(createNumbers(numbers).map((trackNo) => draftOf(trackNo)));
    return { ...harness, account };
  };

  it.each([0, 1, 37, 50, 99, 100, 150, 399])(
    'registers as many of 400 numbers as a credit of %d covers',
    async (credit) => {
      const { clock, monitor, service } = await withCredit(credit, 400);
      monitor.start();
      await clock.advance(30 * minute);
      const registered = monitor.getState().parcels.filter(({ registration }) => registration === 'registered');
      expect(registered).toHaveLength(credit);
      expect(registered.every(({ record }) => record !== null)).toBe(true);
      expect(service.timesOf('register').length).toBeLessThan(credit / 100 + 12);
      const { budget, phase, problem } = monitor.getState().polling;
      expect(budget?.waiting).toBe(400 - credit);
      expect(budget?.short).toBe(
        credit === 0
          ? `no registrations left; 400 wait`
          : `${credit} of ${credit} registrations used; ${credit === 399 ? '1 waits' : `${400 - credit} wait`}`,
      );
      expect(problem).toBeNull();
      expect(phase).not.toBe('stopped');
    },
  );

  it('is retried with one number, then with more', async () => {
    const { account, clock, monitor, service } = await withCredit(50, 80);
    monitor.start();
    await clock.advance(10 * minute);
    service.calls.length = 0;
    await clock.advance(12 * hour);
    const batchSizes = () =>
      service.calls.filter(({ operation }) => operation === 'register').map((call) => call.trackNos.length);
    expect(batchSizes()).toEqual([1, 1, 1]);
    account.credit = 1_000;
    await clock.advance(12 * hour);
    expect(batchSizes()).toEqual([1, 1, 1, 1, 2, 4, 8, 15]);
    expect(monitor.getState().polling.budget).toBeNull();
    expect(monitor.getState().parcels.every(({ error, record }) => error === null && record !== null)).toBe(true);
  });

  it('is retried immediately when the user refreshes', async () => {
    const { account, clock, monitor } = await withCredit(2, 3);
    monitor.start();
    await clock.advance(minute);
    account.credit = 10;
    const refreshed = monitor.refreshDue();
    await clock.advance(2 * second);
    expect((await refreshed).failure).toBeNull();
    expect(monitor.getState().parcels.every(({ registration }) => registration === 'registered')).toBe(true);
  });
});

describe('a batch that fails as a whole', () => {
  const failOnPoison =
    (poison: readonly string[], failure: Error, operation: SeenCall['operation'] = 'query') =>
    (call: SeenCall) =>
      call.operation === operation && call.trackNos.some((trackNo) => poison.includes(trackNo)) ? failure : null;
  const kinds = [
    new ServiceTroubleError('An internal error.', { code: 'B0001' }),
    new ServiceTimeoutError('No response in time.'),
    new BadResponseError('The response ends in the middle.'),
    new RequestRefusedError('params format error', { code: 'A0400' }),
  ];

  it.each(kinds)(
    'still yields the records of all other numbers within minutes and in few calls: $name',
    async (failure) => {
      const harness = await startHarness();
      const { clock, monitor, service, parcel } = harness;
      await addRegistered(harness, createNumbers(100));
      const poison = ['RB1007CN', 'RB1093CN'];
      service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + 3 * hour), shipTo: 'DE' });
      service.failure = failOnPoison(poison, failure);
      monitor.start();
      service.calls.length = 0;
      await clock.advance(hour + 5 * minute);
      const others = monitor.getState().parcels.filter(({ trackNo }) => !poison.includes(trackNo));
      expect(others.every(({ record }) => record?.shipTo === 'DE')).toBe(true);
      for (const trackNo of poison) expect(parcel(trackNo).error?.kind).toBe(failure.kind);
      expect(monitor.getState().polling.problem).toBeNull();
      const callsSoFar = service.calls.length;
      expect(callsSoFar).toBeLessThan(45);
      await clock.advance(3 * day);
      const later = service.calls.slice(callsSoFar);
      // The others share one call each time; the culprits get their own.
      expect(later.filter(({ trackNos }) => trackNos.length > 1).every(({ trackNos }) => trackNos.length === 98)).toBe(
        true,
      );
      expect(later.filter(({ trackNos }) => trackNos.length === 1).length).toBeLessThan(30);
      service.failure = null;
      await clock.advance(13 * hour);
      expect(monitor.getState().parcels.every(({ error }) => error === null)).toBe(true);
    },
  );

  it.each(kinds)('registers all numbers except the one that makes the call fail: $name', async (failure) => {
    const harness = await startHarness();
    const { clock, monitor, service, parcel } = harness;
    await monitor.addAll(createNumbers(20).map((trackNo) => draftOf(trackNo)));
    service.failure = failOnPoison(['RB1013CN'], failure, 'register');
    monitor.start();
    await clock.advance(5 * minute);
    expect(monitor.getState().parcels.filter(({ record }) => record !== null)).toHaveLength(19);
    expect(parcel('RB1013CN')).toMatchObject({ registration: 'pending', error: { kind: failure.kind } });
    service.failure = null;
    await clock.advance(day);
    expect(parcel('RB1013CN')).toMatchObject({ registration: 'registered', error: null });
  });

  it.each(kinds)('rejects nothing and causes few calls if every number fails: $name', async (failure) => {
    const harness = await startHarness();
    const { clock, monitor, service } = harness;
    await addRegistered(harness, createNumbers(100));
    await monitor.addAll(['NEW1', 'NEW2', 'NEW3', 'NEW4', 'NEW5'].map((trackNo) => draftOf(trackNo)));
    service.failure = failure;
    await clock.advance(hour);
    monitor.start();
    service.calls.length = 0;
    await clock.advance(45 * second);
    expect(service.timesOf('query').length).toBeLessThan(20);
    await clock.advance(day);
    expect(service.calls.length).toBeLessThan(520);
    service.failure = null;
    await clock.advance(hour);
    expect(monitor.getState().parcels.every(({ registration }) => registration === 'registered')).toBe(true);
    expect(monitor.getState().parcels.every(({ error }) => error === null)).toBe(true);
  });

  it('is split immediately while the user waits', async () => {
    const harness = await startHarness();
    const { monitor, service } = harness;
    await addRegistered(harness, createNumbers(9));
    service.failure = failOnPoison(['RB1004CN'], new ServiceTroubleError('An internal error.'));
    const outcome = await monitor.refresh(monitor.getState().parcels.map(({ id }) => id));
    expect(outcome.answered).toHaveLength(8);
    expect(outcome.rejected).toEqual([harness.parcel('RB1004CN').id]);
    expect(outcome.failure).toBeNull();
  });
});

describe('a courier detected by the service', () => {
  it('is not sent with queries, so that a later detection is accepted without a registration', async () => {
    const harness = await startHarness();
    const { clock, monitor, service, parcel } = harness;
    const found = { courierCode: 'yanwen' };
    service.reply = ({ courierCode }) =>
      courierCode !== null && courierCode !== found.courierCode
        ? { rejected: 'trackNo not registered' }
        : { courierCode: found.courierCode, nextUpdateTime: onServiceClock(clock.now() + hour) };
    monitor.start();
    await harness.add('RB1CN');
    await clock.advance(minute);
    expect(parcel('RB1CN').courierCode).toBe('yanwen');
    found.courierCode = 'cainiao';
    await clock.advance(2 * hour);
    expect(parcel('RB1CN')).toMatchObject({ courierCode: 'cainiao', error: null });
    expect(service.timesOf('register')).toHaveLength(1);
  });

  it('is sent with queries if the user chose it', async () => {
    const harness = await startHarness();
    harness.monitor.start();
    await harness.add('RB1CN', { courierCode: 'ups' });
    await harness.clock.advance(minute);
    expect(harness.service.calls.at(-1)?.keys).toEqual([{ trackNo: 'RB1CN', courierCode: 'ups' }]);
  });
});

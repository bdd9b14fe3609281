import { describe, expect, it } from 'vitest';
import { restingService } from '../../../src/polling/gate/resting-service.ts';
import { defaultPollingPolicy } from '../../../src/polling/schedule/policy.ts';
import type { HttpTrackingService } from '../../../src/service/client/client.ts';
import { RateLimitedError, ServiceTroubleError } from '../../../src/service/failures/errors.ts';
import { StoreReadOnlyError } from '../../../src/watchlist/errors.ts';
import {
  createMemoryPollingMemory,
  type PollingMemory,
  type PollingMemoryData,
} from '../../../src/watchlist/state/polling-memory.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeService } from '../fake-service.ts';

/** A service of which every call but registrations and queries is counted, and fails when told to. */
function open(initial: Partial<PollingMemoryData> = {}, memory: PollingMemory = createMemoryPollingMemory(initial)) {
  const clock = createFakeClock();
  let sent = 0;
  let failure: Error | null = null;
  const answer = <Value>(value: Value) => {
    return async (): Promise<Value> => {
      sent += 1;
      if (failure !== null) throw failure;
      return value;
    };
  };
  const service: HttpTrackingService = {
    ...createFakeService(clock),
    couriers: answer([]),
    search: answer({ records: [], next: null, traceId: null }),
    delete: answer([]),
    edit: answer(undefined),
    changeCourier: answer(undefined),
    retrack: answer([]),
    instant: async () => Promise.reject(new Error('not asked for')),
    clockSkew: () => null,
    close: async () => undefined,
  };
  const resting = restingService(service, { clock, memory, policy: defaultPollingPolicy, random: () => 0.5 });
  const fail = (error: Error | null): void => {
    failure = error;
  };
  return { clock, memory, resting, fail, sent: () => sent };
}

const key = { trackNo: 'RB1CN', courierCode: 'ups' };
const askedForAPause = (now: number) => ({ coolDown: { until: now + 300_000, byService: true, failures: 1 } });

describe('restingService', () => {
  it('sends nothing of any kind while the service has asked for a pause, and says how long that is', async () => {
    const { clock, memory, resting, sent } = open();
    await memory.update(askedForAPause(clock.now()));
    const calls = [
      resting.couriers(),
      resting.search({}, ''),
      resting.delete([key]),
      resting.edit(key),
      resting.changeCourier(key, 'dhl'),
      resting.retrack([key]),
      resting.instant({ ...key, postalCode: null, phoneSuffix: null }),
    ];
    for (const call of calls) await expect(call).rejects.toThrow(/asked for a pause.*300 s/);
    expect(sent()).toBe(0);
    await clock.advance(300_000);
    expect(await resting.couriers()).toEqual([]);
  });

  it('lets the user ask while only our own back-off lasts', async () => {
    const { clock, memory, resting } = open();
    await memory.update({ coolDown: { until: clock.now() + 60_000, byService: false, failures: 3 } });
    expect(await resting.couriers()).toEqual([]);
  });

  it('remembers for all processes that there were too many calls, and nothing of other failures', async () => {
    const { clock, fail, memory, resting } = open();
    fail(new ServiceTroubleError('In trouble.', null));
    await expect(resting.edit(key)).rejects.toThrow('In trouble.');
    expect((await memory.load()).coolDown).toBeNull();
    fail(new RateLimitedError('Too many calls.', 120_000));
    await expect(resting.edit(key)).rejects.toMatchObject({ message: 'Too many calls.', retryAfterMs: 120_000 });
    expect((await memory.load()).coolDown).toEqual({ until: clock.now() + 120_000, byService: true, failures: 1 });
  });

  it('does not add up over days what account commands were refused now and then', async () => {
    const { clock, fail, memory, resting } = open();
    fail(new RateLimitedError('Too many calls.', null));
    for (const _day of Array.from({ length: 5 })) {
      await expect(resting.edit(key)).rejects.toThrow('Too many calls.');
      expect((await memory.load()).coolDown?.failures).toBe(1);
      await clock.advance(24 * 60 * 60_000);
    }
  });

  it('says how long its own pause lasts where the service names no time', async () => {
    const { clock, fail, memory, resting } = open();
    fail(new RateLimitedError('Too many calls.', null));
    const error: unknown = await resting.edit(key).catch((thrown: unknown) => thrown);
    const until = (await memory.load()).coolDown?.until ?? 0;
    expect(error).toMatchObject({ retryAfterMs: until - clock.now() });
    expect(until).toBeGreaterThan(clock.now());
  });

  it('works without a memory that can be read or written', async () => {
    const broken = async (): Promise<never> => Promise.reject(new StoreReadOnlyError('No memory.', 'polling.json'));
    const { fail, resting } = open({}, { load: broken, update: broken });
    expect(await resting.couriers()).toEqual([]);
    fail(new RateLimitedError('Too many calls.', null));
    await expect(resting.couriers()).rejects.toThrow('Too many calls.');
  });
});

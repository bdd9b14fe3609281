import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour } from '../../src/lib/clock.ts';
import {
  type InstantResponse,
  QuotaExhaustedError,
  RateLimitedError,
  UnreachableError,
} from '../../src/service/port.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { aCheckpoint } from '../board/parcels.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { recordOf } from '../support/records.ts';
import { createFakeService, type FakeService, type Reply } from './fake-service.ts';
import { createHarness, type Harness, type HarnessOptions } from './harness.ts';

const nothing: Reply = { transitStatus: 'NO_RECORD', transitSubStatus: null };
const found: InstantResponse = {
  kind: 'record',
  record: recordOf({
    trackNo: 'RB1CN',
    courierCode: 'yanwen',
    transitStatus: 'IN_TRANSIT',
    checkpoints: [aCheckpoint()],
  }),
};
const empty: InstantResponse = { kind: 'record', record: recordOf({ trackNo: 'RB1CN', transitStatus: 'NO_RECORD' }) };

interface Watched extends Harness {
  /** The times of lookups since the number was added. */
  readonly sent: readonly number[];
}

/** Starts a board with live lookups, and with RB1CN, which queries do not find. */
async function watch(
  options: Partial<HarnessOptions> = {},
  responses: readonly (InstantResponse | Error)[] = [found],
  service?: FakeService,
): Promise<Watched> {
  const clock = createFakeClock();
  const fake = service ?? createFakeService(clock);
  fake.reply = () => nothing;
  const startedAt = clock.now();
  const sent: number[] = [];
  const lookUp = async (): Promise<InstantResponse> => {
    sent.push(clock.now() - startedAt);
    const response = responses[sent.length - 1] ?? found;
    if (response instanceof Error) throw response;
    return response;
  };
  const harness = await createHarness({ lookUp, looksUpWhenSilent: () => true, ...options }, { clock, service: fake });
  harness.monitor.start();
  await harness.add('RB1CN');
  return { ...harness, sent };
}

describe('a number without a record', () => {
  it('is looked up live once after a day, with a notice, and keeps its schedule', async () => {
    const { clock, monitor, parcel, sent } = await watch();
    await clock.advance(day - 1_000);
    expect(sent).toEqual([]);
    const planned: (string | null)[] = [];
    monitor.subscribe(() => {
      const { checkpointCount, instantTries, nextPollAt } = parcel('RB1CN');
      if (instantTries !== undefined && planned.length === checkpointCount) planned.push(nextPollAt);
    });
    await clock.advance(15 * 60_000);
    expect(sent).toHaveLength(1);
    expect(planned[0]).not.toBeNull();
    expect(planned[1]).toBe(planned[0]);
    expect(monitor.getState().notices).toEqual([
      'RB1CN: no info after a day. Looking it up live once, at the cost of one registration.',
    ]);
    expect(parcel('RB1CN')).toMatchObject({
      courierCode: 'yanwen',
      checkpointCount: 1,
      record: { transitStatus: 'IN_TRANSIT' },
    });
    expect((await monitor.history(parcel('RB1CN').id)).checkpoints).toHaveLength(1);
    await monitor.stop();
  });

  it('is paid for once, even if nothing is found', async () => {
    const { clock, monitor, sent } = await watch({}, [empty]);
    await clock.advance(20 * day);
    expect(sent).toHaveLength(1);
    await monitor.stop();
  });

  it('is retried once a day after a failure', async () => {
    const failure = new UnreachableError('No network.');
    const { clock, monitor, sent } = await watch({}, [failure, failure, found]);
    await clock.advance(20 * day);
    expect(sent).toHaveLength(2);
    expect((sent[1] ?? 0) - (sent[0] ?? 0)).toBeGreaterThanOrEqual(day);
    expect(monitor.getState().notices.at(-1)).toMatch(/RB1CN: the live lookup failed\. No network\./);
    await monitor.stop();
  });

  it('is not paid for again if the process is killed during the call', async () => {
    const clock = createFakeClock();
    const service = createFakeService(clock);
    service.reply = () => nothing;
    const store = createMemoryStore();
    let calls = 0;
    const lookUp = (): Promise<InstantResponse> => {
      calls += 1;
      return new Promise(() => {});
    };
    const start = async (): Promise<Harness> => {
      const harness = await createHarness({ store, lookUp, looksUpWhenSilent: () => true }, { clock, service });
      harness.monitor.start();
      return harness;
    };
    const first = await start();
    await first.add('RB1CN');
    await clock.advance(2 * day);
    expect(calls).toBe(1);
    // The lookup never finishes.
    void first.monitor.stop(AbortSignal.abort());
    const second = await start();
    await clock.advance(5 * day);
    expect(calls).toBe(1);
    await second.monitor.stop();
  });

  it.each<[string, Partial<HarnessOptions>]>([
    ['the setting is off', { looksUpWhenSilent: () => false }],
    ['the budget is used up', { budget: { queriesPerDay: null, registrationsPerMonth: 1 } }],
    [
      'another process polls',
      { lease: { hold: async () => false, isHeld: () => false, fence: () => null, release: async () => undefined } },
    ],
  ])('is not looked up while %s', async (_when, options) => {
    const { clock, monitor, parcel, sent } = await watch(options);
    const refreshed = monitor.refresh([parcel('RB1CN').id]);
    await clock.advance(3 * day);
    await refreshed;
    expect(parcel('RB1CN').registration).toBe('registered');
    expect(sent).toEqual([]);
    expect(parcel('RB1CN')).not.toHaveProperty('instantTries');
    expect(monitor.getState().notices.join()).not.toContain('lookup');
    await monitor.stop();
  });

  it('is not looked up while checks are paused, or afterwards if they find it', async () => {
    const { clock, monitor, sent, service } = await watch();
    await clock.advance(hour);
    await monitor.pause();
    await clock.advance(3 * day);
    expect(sent).toEqual([]);
    service.reply = () => ({ transitStatus: 'IN_TRANSIT' });
    await monitor.resume();
    await clock.advance(day);
    expect(sent).toEqual([]);
    await monitor.stop();
  });

  it('is looked up later if registrations or queries are held back', async () => {
    const { clock, monitor, parcel, sent, service } = await watch();
    await clock.advance(day - hour);
    service.failure = new RateLimitedError('Too many calls.', { retryAfterMs: 6 * hour });
    await monitor.refresh([parcel('RB1CN').id]);
    await clock.advance(4 * hour);
    expect(sent).toEqual([]);
    service.failure = null;
    await clock.advance(day);
    expect(sent).toHaveLength(1);
    await monitor.stop();
  });

  it('is looked up later if the account has no credit for a registration', async () => {
    const { add, clock, monitor, sent, service } = await watch();
    await clock.advance(day - hour);
    service.failure = ({ operation }) =>
      operation === 'register' ? new QuotaExhaustedError('No credit is left.') : null;
    await add('RB2CN');
    await clock.advance(4 * day);
    expect(sent).toEqual([]);
    service.failure = null;
    await clock.advance(2 * day);
    expect(sent).toHaveLength(2);
    await monitor.stop();
  });

  it('is not looked up if its courier needs a postal code', async () => {
    const { clock, monitor, sent, service } = await watch();
    service.reply = () => ({ courierCode: 'postnl', ...nothing });
    await clock.advance(3 * day);
    expect(sent).toEqual([]);
    await monitor.stop();
  });
});

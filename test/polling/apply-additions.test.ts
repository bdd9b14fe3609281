import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/lib/store-errors.ts';
import {
  type AdditionProgress,
  type AppliedAddition,
  type ApplyOptions,
  applyAdditions,
} from '../../src/polling/apply-additions.ts';
import { RateLimitedError, UnreachableError } from '../../src/service/port.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createFakeService } from './fake-service.ts';
import { draftOf, type Harness, startHarness } from './harness.ts';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `RB${index + 1}CN`);

/** Adds numbers while the clock runs, and records progress and results. */
async function apply(
  { clock, monitor }: Harness,
  trackNos: readonly string[],
  options: Partial<ApplyOptions> = {},
  takesMs = 10_000,
): Promise<{
  readonly end: Awaited<ReturnType<typeof applyAdditions>>;
  readonly progress: readonly AdditionProgress[];
  readonly results: readonly AppliedAddition[];
}> {
  const progress: AdditionProgress[] = [];
  const results: AppliedAddition[] = [];
  const applied = applyAdditions(
    monitor,
    trackNos.map((trackNo) => draftOf(trackNo)),
    {
      registers: true,
      checks: true,
      batchSize: null,
      clock,
      signal: new AbortController().signal,
      onProgress: (step) => progress.push(step),
      onResults: (more) => results.push(...more),
      ...options,
    },
  );
  await clock.advance(takesMs);
  return { end: await applied, progress, results };
}

const harnessOf = (batchLimit: number): Promise<Harness> => {
  const clock = createFakeClock();
  return startHarness({}, { clock, service: createFakeService(clock, batchLimit) });
};

describe('adding numbers', () => {
  it('saves all numbers, registers and checks them in batches, and reports each in order', async () => {
    const harness = await harnessOf(2);
    const { end, progress, results } = await apply(harness, numbers(5));
    expect(harness.service.calls.map(({ operation, trackNos }) => [operation, trackNos.length])).toEqual([
      ['register', 2],
      ['register', 2],
      ['register', 1],
      ['query', 2],
      ['query', 2],
      ['query', 1],
    ]);
    expect(results.map(({ index, kind, parcel }) => [index, kind, parcel.trackNo, parcel.registration])).toEqual(
      numbers(5).map((trackNo, index) => [index, 'added', trackNo, 'registered']),
    );
    expect(progress.map(({ done, phase, total }) => `${phase} ${done} of ${total}`)).toEqual([
      'registering 0 of 5',
      'registering 2 of 5',
      'registering 4 of 5',
      'checking 0 of 5',
      'checking 2 of 5',
      'checking 4 of 5',
      'checking 5 of 5',
    ]);
    expect(end).toMatchObject({ remaining: [], failure: null });
  });

  it('can be undone in one step', async () => {
    const harness = await harnessOf(2);
    await apply(harness, numbers(5), { batchSize: 2 });
    await harness.monitor.undo();
    expect(harness.monitor.getState().parcels).toEqual([]);
  });

  it('saves everything without a service', async () => {
    const harness = await harnessOf(100);
    const { end, results } = await apply(harness, numbers(3), { registers: false });
    expect(results.map(({ parcel }) => parcel.registration)).toEqual(['pending', 'pending', 'pending']);
    expect(end).toMatchObject({ remaining: [], failure: null });
    expect(harness.service.calls).toEqual([]);
  });

  it('saves all numbers when the service fails', async () => {
    const harness = await harnessOf(2);
    harness.service.failure = new UnreachableError('The service cannot be reached.');
    const { end, results } = await apply(harness, numbers(5), { batchSize: 2 });
    expect(end.failure).toBeInstanceOf(UnreachableError);
    expect(end.remaining).toEqual([]);
    expect(results).toHaveLength(5);
    expect(harness.service.calls).toHaveLength(1);
    expect(harness.monitor.getState().parcels).toHaveLength(5);
  });

  it('waits out short pauses that the service asks for, reports them, and continues', async () => {
    const harness = await harnessOf(2);
    let calls = 0;
    harness.service.failure = () => {
      calls += 1;
      return calls === 2 || calls === 3 || calls === 6
        ? new RateLimitedError('Too many calls.', { retryAfterMs: 1_000 })
        : null;
    };
    const { end, progress, results } = await apply(harness, numbers(5), {}, 120_000);
    expect(end.failure).toBe(null);
    expect(results.map(({ parcel }) => parcel.registration)).toEqual(numbers(5).map(() => 'registered'));
    expect(progress).toContainEqual({ phase: 'waiting', done: 0, total: expect.any(Number) });
    expect(end.results.every(({ parcel }) => parcel.checkedAt !== null)).toBe(true);
  });

  it('waits only a few seconds if only checks remain', async () => {
    const harness = await harnessOf(2);
    harness.service.failure = ({ operation }) =>
      operation === 'query' ? new RateLimitedError('Too many calls.', { retryAfterMs: 20_000 }) : null;
    const { end, progress, results } = await apply(harness, numbers(3));
    expect(end.failure).toBeInstanceOf(RateLimitedError);
    expect(results.map(({ parcel }) => parcel.registration)).toEqual(numbers(3).map(() => 'registered'));
    expect(progress.filter(({ phase }) => phase === 'waiting')).toEqual([]);
  });

  it('does not wait out a long or endless pause', async () => {
    const harness = await harnessOf(2);
    harness.service.failure = new RateLimitedError('Too many calls.', { retryAfterMs: 600_000 });
    const long = await apply(harness, numbers(3));
    expect(long.end.failure).toBeInstanceOf(RateLimitedError);
    expect(long.progress.filter(({ phase }) => phase === 'waiting')).toEqual([]);
    const endless = await harnessOf(2);
    endless.service.failure = new RateLimitedError('Too many calls.', { retryAfterMs: 20_000 });
    const { end } = await apply(endless, numbers(3), {}, 3_600_000);
    expect(end.failure).toBeInstanceOf(RateLimitedError);
    expect(endless.service.calls.length).toBeLessThan(12);
  });

  it('can be stopped during a pause', async () => {
    const harness = await harnessOf(2);
    const stop = new AbortController();
    harness.service.failure = new RateLimitedError('Too many calls.', { retryAfterMs: 30_000 });
    const { end } = await apply(harness, numbers(3), {
      signal: stop.signal,
      onProgress: ({ phase }) => phase === 'waiting' && stop.abort(),
    });
    expect(end.failure).toMatchObject({ kind: 'cancelled' });
    expect(harness.monitor.getState().parcels).toHaveLength(3);
  });

  it('returns the numbers that the store did not save', async () => {
    const store = createMemoryStore();
    let writes = 0;
    const harness = await startHarness({
      store: {
        ...store,
        write: async (...args) => {
          writes += 1;
          if (writes > 1) throw new StoreError('disk-full', 'No space left.', 'watchlist.json');
          return await store.write(...args);
        },
      },
    });
    const { end } = await apply(harness, numbers(5), { batchSize: 2, registers: false });
    expect(end.failure).toMatchObject({ kind: 'disk-full' });
    expect(end.remaining).toEqual([2, 3, 4]);
    writes = Number.NEGATIVE_INFINITY;
  });
});

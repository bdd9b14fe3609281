import { expect, it } from 'vitest';
import type { Checkpoint } from '../../src/service/record.ts';
import { mergeCheckpoints } from '../../src/watchlist/checkpoints.ts';
import { checkpointOf } from '../support/records.ts';

const count = 4_000;
const text = 'Held by customs. '.repeat(100);
const second = (index: number): string => new Date(Date.UTC(2026, 10, 19) - index * 1_000).toISOString();

/** Events that differ in nothing but their time, newest first. */
const alike = (change: (index: number) => Partial<Checkpoint>): readonly Checkpoint[] =>
  Array.from({ length: count }, (_, index) => ({ ...checkpointOf(text, second(index)), ...change(index) }));

/** A multiple of what it takes, and a fraction of what it would take to compare each with each. */
const mostMs = 4_000;

it.each<[string, readonly Checkpoint[], readonly Checkpoint[]]>([
  ['which are told anew with more to them', alike(() => ({})), alike(() => ({ subStatus: 'IN_TRANSIT_02' }))],
  [
    'of which only local times are known',
    alike((index) => ({ at: null, local: second(index) })),
    alike((index) => ({ at: null, local: second(index), subStatus: 'IN_TRANSIT_02' })),
  ],
  [
    'whose instants become known',
    alike((index) => ({ at: null, local: second(index) })),
    alike((index) => ({ local: second(index) })),
  ],
  [
    'of which all may be one another',
    alike(() => ({ local: '2026-11-19 00:00:00' })),
    alike(() => ({ at: null, local: '2026-11-19 00:00:00' })),
  ],
])('thousands of events with one long text, %s, are merged in no time', (_name, known, told) => {
  const startedAt = performance.now();
  expect(mergeCheckpoints(known, told)).toHaveLength(count);
  expect(performance.now() - startedAt).toBeLessThan(mostMs);
});

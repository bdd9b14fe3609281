import { expect, it } from 'vitest';
import { mergeCheckpoints } from '../../src/parcels/merge-checkpoints.ts';
import type { Checkpoint } from '../../src/service/record.ts';
import { checkpointOf } from '../support/records.ts';
import { rounds } from '../support/rounds.ts';

const count = rounds(4_000, 1_500);
const text = 'Held by customs. '.repeat(100);
const second = (index: number): string => new Date(Date.UTC(2026, 10, 19) - index * 1_000).toISOString();

/** Creates events that differ only in their times, newest first. */
const similarEvents = (change: (index: number) => Partial<Checkpoint>): readonly Checkpoint[] =>
  Array.from({ length: count }, (_, index) => ({ ...checkpointOf(text, second(index)), ...change(index) }));

/** The maximum average number of field reads per event. Comparing all pairs takes thousands. */
const maxReads = 400;

it.each<[string, readonly Checkpoint[], readonly Checkpoint[]]>([
  ['reported again with more data', similarEvents(() => ({})), similarEvents(() => ({ subStatus: 'IN_TRANSIT_02' }))],
  [
    'with local times only',
    similarEvents((index) => ({ at: null, local: second(index) })),
    similarEvents((index) => ({ at: null, local: second(index), subStatus: 'IN_TRANSIT_02' })),
  ],
  [
    'whose instants become known',
    similarEvents((index) => ({ at: null, local: second(index) })),
    similarEvents((index) => ({ local: second(index) })),
  ],
  [
    'that may all be the same event',
    similarEvents(() => ({ local: '2026-11-19 00:00:00' })),
    similarEvents(() => ({ at: null, local: '2026-11-19 00:00:00' })),
  ],
])('merges thousands of events with the same long text in linear time: %s', (_name, known, incoming) => {
  const { merged, reads } = mergeCountingReads(known, incoming);
  expect(merged).toHaveLength(count);
  expect(reads / (2 * count)).toBeLessThan(maxReads);
});

it('merges thousands of incomplete events in a few rounds', () => {
  const untimed = similarEvents((index) => ({ at: null, local: second(index), address: 'Köln' }));
  const unplaced = similarEvents((index) => ({ at: null, local: second(index), address: null }));
  const timed = similarEvents((index) => ({ local: second(index), address: 'Köln' }));
  const incoming = unplaced.flatMap((event, index) => [event, timed[index] ?? event]);
  const { merged, reads } = mergeCountingReads(untimed, incoming);
  expect(merged).toHaveLength(2 * count);
  expect(reads / (3 * count)).toBeLessThan(maxReads);
  expect(mergeCheckpoints(merged, incoming)).toBe(merged);
});

/** Merges events, and counts how often a field is read. */
function mergeCountingReads(known: readonly Checkpoint[], incoming: readonly Checkpoint[]) {
  let reads = 0;
  const counted = (events: readonly Checkpoint[]): readonly Checkpoint[] =>
    events.map(
      (event) =>
        new Proxy(event, {
          get: (target, name, receiver) => {
            reads += 1;
            return Reflect.get(target, name, receiver);
          },
        }),
    );
  const merged = mergeCheckpoints(counted(known), counted(incoming));
  return { merged, reads };
}

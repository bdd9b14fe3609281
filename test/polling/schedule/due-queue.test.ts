import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, secondMs as second } from '../../../src/lib/clock.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { DueQueue } from '../../../src/polling/schedule/due-queue.ts';
import { dueAt } from '../../../src/polling/schedule/schedule.ts';
import { defaultPollingPolicy as policy } from '../../../src/polling/schedule/timings.ts';
import { splitIntoBatches } from '../../../src/store/store.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { someThursday as now } from '../../support/fake-clock.ts';
import { forAll } from '../../support/for-all.ts';
import { recordOf } from '../../support/records.ts';

const iso = (at: number): string => new Date(at).toISOString();
const parcelDueAt = (nextPollAt: string | null, fields: Partial<Parcel> = {}): Parcel =>
  parcelOf('RB1CN', { registration: 'registered', record: recordOf(), nextPollAt, ...fields });

function queueOf(parcels: readonly Parcel[], limit = 100): DueQueue {
  const queue = new DueQueue(policy, limit);
  queue.follow(parcels);
  return queue;
}
const ids = (parcels: readonly Parcel[]): readonly string[] => parcels.map(({ id }) => id);
const due = (parcel: Parcel): number => Date.parse(parcel.nextPollAt ?? '');

describe('the due queue', () => {
  const parcel = fc
    .record({ dueIn: fc.integer({ min: -2 * hour, max: 4 * hour }), interval: fc.integer({ min: 0, max: 6 * hour }) })
    .map(({ dueIn, interval }) =>
      parcelDueAt(iso(now + dueIn), { checkedAt: iso(now + dueIn - interval), addedAt: iso(now - 30 * day) }),
    );
  const parcels = fc
    .array(parcel, { maxLength: 30 })
    .map((list) => list.map((drafted, index): Parcel => ({ ...drafted, id: `p${index}` })));

  it('calls neither before a parcel is due nor too long after it', () =>
    forAll(parcels, fc.integer({ min: 1, max: 8 }), (list, limit) => {
      const at = queueOf(list, limit).nextCallAt(now);
      if (at === null) {
        expect(list).toHaveLength(0);
        return;
      }
      expect(list.map(due)).toContain(at);
      expect(at).toBeLessThanOrEqual(Math.min(...list.map(due)) + policy.coalesceMs);
      const batch = queueOf(list, limit).take(Math.max(at, now));
      expect(batch.length).toBeGreaterThan(0);
      for (const next of batch) expect(due(next)).toBeLessThanOrEqual(Math.max(at, now));
    }));

  it('takes no parcel before the call is due', () => {
    const list = [
      parcelDueAt(iso(now + second), { id: 'a', checkedAt: iso(now - 5 * hour) }),
      parcelDueAt(iso(now + 40 * second), { id: 'b', checkedAt: iso(now - 5 * hour) }),
    ];
    expect(queueOf(list).take(now + 2 * second)).toEqual([]);
    expect(ids(queueOf(list).take(now + 40 * second))).toEqual(['a', 'b']);
  });

  it('delays neither a single parcel nor a full call', () => {
    const alone = parcelDueAt(iso(now + hour), { checkedAt: iso(now - 5 * hour) });
    expect(queueOf([alone]).nextCallAt(now)).toBe(now + hour);
    expect(queueOf([]).nextCallAt(now)).toBeNull();
    const many = Array.from({ length: 5 }, (_, index) =>
      parcelDueAt(iso(now + hour + index * second), { id: `p${index}`, checkedAt: iso(now - 5 * hour) }),
    );
    expect(queueOf(many, 3).nextCallAt(now)).toBe(now + hour + 2 * second);
    expect(ids(queueOf(many, 3).take(now + hour + 2 * second))).toEqual(['p0', 'p1', 'p2']);
    // The last of four due parcels waits for the fifth.
    expect(ids(queueOf(many, 3).take(now + hour + 3 * second))).toEqual(['p0', 'p1', 'p2']);
  });

  it('hardly delays a parcel with a short interval', () => {
    const fast = parcelDueAt(iso(now + 10 * second), { checkedAt: iso(now) });
    const neighbour = parcelDueAt(iso(now + 11 * second), { id: 'b', checkedAt: iso(now - hour) });
    expect(queueOf([fast, neighbour]).nextCallAt(now)).toBe(now + 10 * second);
  });

  it('takes each parcel that is due during a day once, in the fewest possible calls', () => {
    const times = fc.array(fc.integer({ min: 0, max: day }), { minLength: 1, maxLength: 60 });
    forAll(times, fc.integer({ min: 1, max: 5 }), (dueIn, limit) => {
      let waiting = dueIn.map((time, index) =>
        parcelDueAt(iso(now + time), { id: `p${index}`, checkedAt: iso(now - 6 * hour), addedAt: iso(now - day) }),
      );
      let calls = 0;
      for (;;) {
        const queue = queueOf(waiting, limit);
        const at = queue.nextCallAt(now);
        if (at === null) break;
        const batch = new Set(queue.take(at));
        expect(batch.size).toBeGreaterThan(0);
        waiting = waiting.filter((candidate) => !batch.has(candidate));
        calls += Math.ceil(batch.size / limit);
      }
      expect(waiting).toHaveLength(0);
      expect(calls).toBe(fewestCalls(dueIn, limit));
    });
  });

  it('takes the longest overdue parcels first', () => {
    const list = [
      parcelDueAt(iso(now - 1), { id: 'b' }),
      parcelDueAt(iso(now - 9), { id: 'a' }),
      parcelDueAt(iso(now + 1), { id: 'c' }),
    ];
    expect(ids(queueOf(list).take(now))).toEqual(['a', 'b']);
  });

  it('behaves like a new queue after every change, even if the clock jumps', () => {
    const change = fc.record({
      kind: fc.constantFrom('plan', 'archive', 'add', 'remove', 'clock'),
      which: fc.nat({ max: 20 }),
      by: fc.integer({ min: -50 * day, max: 50 * day }),
    });
    forAll(parcels, fc.array(change, { maxLength: 40 }), (list, changes) => {
      const queue = queueOf(list);
      let [current, at, added] = [list, now, 0];
      for (const { kind, which, by } of changes) {
        const edit = (fields: Partial<Parcel>): Parcel[] =>
          current.map((edited, index) => (index === which ? { ...edited, ...fields } : edited));
        if (kind === 'plan') current = edit({ nextPollAt: iso(at + by) });
        if (kind === 'archive') current = edit({ archivedAt: iso(at) });
        if (kind === 'remove') current = current.filter((_, index) => index !== which);
        if (kind === 'add') current = [...current, parcelDueAt(iso(at + by), { id: `added${added++}` })];
        if (kind === 'clock') at += Math.round(by / 10);
        queue.follow(current);
        const expected = current.filter((candidate) => {
          const time = dueAt(candidate, at, policy);
          return time !== null && time <= at;
        });
        expect(queue.countDue(at, at)).toBe(expected.length);
        expect(queue.nextCallAt(at) === null).toBe(current.every((candidate) => dueAt(candidate, at, policy) === null));
        expect(queue.nextCallAt(at)).toBe(queueOf(current).nextCallAt(at));
      }
    });
  });

  it('treats an implausibly distant plan as due', () => {
    const list = [parcelDueAt(iso(now + 40 * day), { id: 'a' }), parcelDueAt(iso(now + hour), { id: 'b' })];
    const queue = queueOf(list);
    expect(queue.countDue(now, now)).toBe(0);
    expect(queue.countDue(now - 300 * day, now - 300 * day)).toBe(2);
    expect(queue.nextCallAt(now - 300 * day)).toBe(now - 300 * day);
  });

  it('splits items into the fewest batches, without losing any', () =>
    forAll(fc.array(fc.integer()), fc.integer({ min: 1, max: 100 }), (items, limit) => {
      const batches = splitIntoBatches(items, limit);
      expect(batches.flat()).toEqual(items);
      for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(limit);
      expect(batches).toHaveLength(Math.ceil(items.length / limit));
    }));
});

/** The optimum: each call takes all parcels that are due within a minute of its first one, up to a full batch. */
function fewestCalls(times: readonly number[], limit: number): number {
  let [calls, from, size] = [0, Number.NEGATIVE_INFINITY, 0];
  for (const time of times.toSorted((a, b) => a - b)) {
    if (time - from <= policy.coalesceMs && size < limit) {
      size += 1;
      continue;
    }
    [calls, from, size] = [calls + 1, time, 1];
  }
  return calls;
}

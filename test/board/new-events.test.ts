import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newEventCount } from '../../src/board/timeline.ts';
import type { Checkpoint } from '../../src/service/record.ts';
import { forAll } from '../support/for-all.ts';
import { aCheckpoint, ago, hour } from './parcels.ts';

const eventAt = (hoursAgo: number, fields: Partial<Checkpoint> = {}): Checkpoint =>
  aCheckpoint({ at: ago(hoursAgo * hour), local: null, detail: `Event of ${hoursAgo} h ago`, ...fields });
const history = [eventAt(1), eventAt(3), eventAt(5), eventAt(7)];

describe('newEventCount', () => {
  test.each([
    ['nothing is unread', undefined, 0],
    ['no event was read before', null, 4],
    ['the last read event is the newest', eventAt(1), 0],
    ['two have arrived since', eventAt(5), 2],
    ['the wording of the last read event has changed', eventAt(5, { detail: 'Arrived' }), 2],
    ['the last read event was withdrawn', eventAt(4), 2],
    ['all events are newer', eventAt(9), 4],
    ['the number cannot be known', aCheckpoint({ at: null, local: null, detail: 'Somewhere' }), 0],
  ])('counts the new events when %s', (_name, lastRead, expected) =>
    expect(newEventCount(history, lastRead)).toBe(expected),
  );

  test('compares events without a zone by their local time', () => {
    const local = (day: number, detail: string): Checkpoint =>
      aCheckpoint({ at: null, offset: null, certain: false, local: `2026-11-${day} 11:05:00`, detail });
    expect(newEventCount([local(20, 'c'), local(18, 'b'), local(17, 'a')], local(18, 'otherwise'))).toBe(1);
  });

  test('counts exactly the events after the last read one', () => {
    const hours = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 });
    forAll(hours, fc.nat(), (times, choice) => {
      const checkpoints = times.toSorted((a, b) => a - b).map((time) => eventAt(time));
      const read = choice % checkpoints.length;
      expect(newEventCount(checkpoints, checkpoints[read])).toBe(read);
      // The count stays correct even if the last read event is withdrawn.
      expect(newEventCount(checkpoints.toSpliced(read, 1), checkpoints[read])).toBe(read);
    });
  });
});

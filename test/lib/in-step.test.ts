import fc from 'fast-check';
import { expect, it } from 'vitest';
import { msUntilBeat } from '../../src/lib/clock.ts';
import { forAll } from '../support/for-all.ts';

it('ends on the same beat for every start', () => {
  expect([0, 1, 400, 874].map((now) => now + msUntilBeat(now, 1_000))).toEqual([1_000, 1_000, 1_000, 1_000]);
});

it('skips a beat that is too close, because timers may fire early', () =>
  expect(999 + msUntilBeat(999, 1_000)).toBe(2_000));

it('waits at least an eighth of the requested time, and at most an eighth longer', () =>
  forAll(fc.nat(), fc.integer({ min: 1, max: 100_000 }), (now, everyMs) => {
    const wait = msUntilBeat(now, everyMs);
    expect(wait).toBeGreaterThanOrEqual(everyMs / 8);
    expect(wait).toBeLessThan(everyMs * (9 / 8));
    expect((now + wait) % everyMs).toBe(0);
  }));

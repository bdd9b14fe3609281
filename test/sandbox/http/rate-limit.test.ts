import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRateLimit } from '../../../src/sandbox/http/routes.ts';
import { forAll } from '../../support/for-all.ts';
import { manualClock } from '../support.ts';

it('never allows more calls in any second than the limit', () =>
  forAll(
    fc.integer({ min: 1, max: 6 }),
    fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 80 }),
    (max, waits) => {
      const clock = manualClock();
      const limit = createRateLimit(clock, max);
      const admitted: number[] = [];
      for (const wait of waits) {
        clock.advance(wait);
        if (limit.admit() === 0) admitted.push(clock.now());
      }
      return admitted.every((at) => admitted.filter((other) => other >= at && other < at + 1000).length <= max);
    },
  ));

it('allows a call after the wait that it returned', () => {
  const clock = manualClock();
  const limit = createRateLimit(clock, 1);
  expect(limit.admit()).toBe(0);
  clock.advance(300);
  const waitMs = limit.admit();
  expect(waitMs).toBe(700);
  clock.advance(waitMs);
  expect(limit.admit()).toBe(0);
});

it('does not block calls when the clock is set back', () => {
  const clock = manualClock();
  const limit = createRateLimit(clock, 1);
  limit.admit();
  clock.advance(-3_600_000);
  expect(limit.admit()).toBe(0);
});

import { describe, expect, it } from 'vitest';
import { markOf, passedSince } from '../../src/lib/clock.ts';
import { shiftedClock } from '../../src/lib/clock-skew.ts';
import { createFakeClock, someThursday } from '../support/fake-clock.ts';

describe('a clock that shows what another one shows', () => {
  it.each([
    [0, 0],
    [1_999, 0],
    [-2_000, 0],
    [2_001.4, 2_001],
    [-3_600_000, -3_600_000],
  ])('that is %j ms ahead: it is shifted by %j', (aheadMs, shift) => {
    expect(shiftedClock(createFakeClock(), () => aheadMs).now()).toBe(someThursday + shift);
  });

  it('follows what is measured later, and has the same timers', async () => {
    const own = createFakeClock();
    let aheadMs = 0;
    const clock = shiftedClock(own, () => aheadMs);
    aheadMs = 5_000;
    expect(clock.now()).toBe(own.now() + 5_000);
    let rang = 0;
    clock.setTimer(100, () => {
      rang += 1;
    });
    await own.advance(100);
    expect(rang).toBe(1);
  });
});

describe('time that has passed since a mark', () => {
  it('is what passed on the clock that went on: nobody gains time by a clock that was set back, or by sleep', async () => {
    const clock = createFakeClock();
    const mark = markOf(clock);
    await clock.advance(5_000);
    expect(passedSince(clock, mark)).toBe(5_000);
    clock.jumpTo(clock.now() - 3_600_000);
    expect(passedSince(clock, mark)).toBe(5_000);
    clock.jumpTo(clock.now() + 7_200_000);
    expect(passedSince(clock, mark)).toBe(3_605_000);
  });

  it('is what a clock shows where there is no other one', () => {
    let now = 1_000;
    const clock = { now: () => now, setTimer: () => () => undefined };
    const mark = markOf(clock);
    now = 4_000;
    expect(passedSince(clock, mark)).toBe(3_000);
  });
});

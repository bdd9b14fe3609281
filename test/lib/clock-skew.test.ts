import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { elapsedSince, markTime, minuteMs as minute, secondMs as second } from '../../src/lib/clock.ts';
import { createSkewMeter, plannedSkew, shiftedClock, skewSentence } from '../../src/lib/clock-skew.ts';
import { createFakeClock, type FakeClock, someThursday } from '../support/fake-clock.ts';
import { forAllAsync } from '../support/for-all.ts';

describe('a wrong clock', () => {
  test.each([
    [3 * minute, /is 3 minutes behind/],
    [-3 * minute, /is 3 minutes ahead of/],
    [5 * 60 * minute, /is 5 hours behind/],
    [-72 * 60 * minute, /is 3 days ahead of/],
  ])('is reported if it is %d ms off', (skew, text) => {
    expect(skewSentence(skew)).toMatch(text);
    expect(skewSentence(skew)).toMatch(/\. Set the clock, or turn on /);
  });

  test.each([null, 0, 2 * minute, -2 * minute])('is not reported if it is %j ms off', (skew) =>
    expect(skewSentence(skew)).toBeNull(),
  );
});

test.each([
  ['as zero while the clocks may agree', 0, [-1_500, 3_000], 0],
  ['as zero up to two seconds', 0, [2_000, 2_900], 0],
  ['as the measured minimum', 0, [19_100, 20_050], 19_100],
  ['as the measured minimum for a clock that is behind', 0, [-20_900, -19_950], -20_900],
  ['as before while that is possible', 19_100, [20_000, 26_000], 19_100],
  ['anew once the previous one is impossible', 19_100, [89_200, 90_100], 89_200],
  ['as zero again after the clock was set', 19_100, [-800, 100], 0],
])('chooses the difference for plans %s', (_name, former, [min = 0, max = 0], planned) => {
  expect(plannedSkew(former, { min, max })).toBe(planned);
});

/** Simulates a response from a service that is `aheadMs` ahead, with these travel times. */
async function respond(
  clock: FakeClock,
  meter: ReturnType<typeof createSkewMeter>,
  aheadMs: number,
  [there, back] = [0, 0],
): Promise<void> {
  const sentAt = clock.now();
  await clock.advance(there);
  const date = new Date(clock.now() + aheadMs).toUTCString();
  await clock.advance(back);
  meter.note(sentAt, date);
}

const travelTimes = fc.tuple(fc.integer({ min: 0, max: 9 * second }), fc.integer({ min: 0, max: 9 * second }));

describe('the measured difference between the clocks', () => {
  it('is unknown until a response has a date', async () => {
    const meter = createSkewMeter(createFakeClock());
    meter.note(0, null);
    meter.note(0, 'soon');
    expect(meter.bounds()).toBeNull();
  });

  it('is within its bounds, which a quick response narrows to a second', async () => {
    const ahead = fc.integer({ min: -3 * 3600 * second, max: 3 * 3600 * second });
    await forAllAsync(
      50,
      ahead,
      fc.array(travelTimes, { maxLength: 4 }),
      fc.nat(4 * second),
      async (aheadMs, ways, pause) => {
        const clock = createFakeClock();
        const meter = createSkewMeter(clock);
        for (const times of [...ways, [0, 0] as [number, number]]) {
          await respond(clock, meter, aheadMs, times);
          await clock.advance(pause);
        }
        const { min, max } = meter.bounds() ?? { min: Number.NaN, max: Number.NaN };
        expect(min).toBeLessThanOrEqual(aheadMs);
        expect(max).toBeGreaterThanOrEqual(aheadMs);
        expect(max - min).toBeLessThan(second);
      },
    );
  });

  it('does not follow a single odd response', async () => {
    const clock = createFakeClock();
    const meter = createSkewMeter(clock);
    for (const ahead of [20 * second, 20 * second, -300 * second]) await respond(clock, meter, ahead);
    expect(meter.bounds()?.min).toBeCloseTo(20 * second, -3);
  });

  it("follows a service whose clock was set, and later the service's latest response", async () => {
    const clock = createFakeClock();
    const meter = createSkewMeter(clock);
    for (const ahead of [20 * second, 20 * second, 0, 0, 0]) await respond(clock, meter, ahead);
    expect(meter.bounds()?.max).toBeLessThan(second);
    await clock.advance(11 * minute);
    await respond(clock, meter, 90 * second);
    expect(meter.bounds()?.min).toBeGreaterThan(88 * second);
  });

  it('ignores measurements from before our clock was set', async () => {
    const clock = createFakeClock();
    const meter = createSkewMeter(clock);
    for (let count = 0; count < 5; count += 1) await respond(clock, meter, 90 * second);
    clock.jumpTo(clock.now() + 90 * second);
    await respond(clock, meter, 0);
    expect(meter.bounds()?.max).toBeLessThan(second);
  });
});

describe('a clock that follows a different one', () => {
  it.each([
    [0, 0],
    [1_999, 0],
    [-2_000, 0],
    [2_001.4, 2_001],
    [-3_600_000, -3_600_000],
  ])('is shifted for a difference of %j ms by %j ms', (aheadMs, shift) => {
    expect(shiftedClock(createFakeClock(), () => aheadMs).now()).toBe(someThursday + shift);
  });

  it('follows later measurements and keeps the timers', async () => {
    const own = createFakeClock();
    let aheadMs = 0;
    const clock = shiftedClock(own, () => aheadMs);
    aheadMs = 5_000;
    expect(clock.now()).toBe(own.now() + 5_000);
    let fired = 0;
    clock.setTimer(100, () => {
      fired += 1;
    });
    await own.advance(100);
    expect(fired).toBe(1);
  });
});

describe('time that has passed since a mark', () => {
  it('is taken from the clock that advanced more, after a clock change or sleep', async () => {
    const clock = createFakeClock();
    const mark = markTime(clock);
    await clock.advance(5_000);
    expect(elapsedSince(clock, mark)).toBe(5_000);
    clock.jumpTo(clock.now() - 3_600_000);
    expect(elapsedSince(clock, mark)).toBe(5_000);
    clock.jumpTo(clock.now() + 7_200_000);
    expect(elapsedSince(clock, mark)).toBe(3_605_000);
  });

  it('is taken from the wall clock if there is no monotonic clock', () => {
    let now = 1_000;
    const clock = { now: () => now, setTimer: () => () => undefined };
    const mark = markTime(clock);
    now = 4_000;
    expect(elapsedSince(clock, mark)).toBe(3_000);
  });
});

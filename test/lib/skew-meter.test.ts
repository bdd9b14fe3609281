import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSkewMeter, type SkewMeter } from '../../src/lib/clock-skew.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

const second = 1_000;
const minute = 60 * second;

/** An answer whose service is so far ahead, and that takes so long there and back. */
async function answer(clock: FakeClock, meter: SkewMeter, aheadMs: number, [there, back] = [0, 0]): Promise<void> {
  const sentAt = clock.now();
  await clock.advance(there);
  const date = new Date(clock.now() + aheadMs).toUTCString();
  await clock.advance(back);
  meter.note(sentAt, date);
}

const way = fc.tuple(fc.integer({ min: 0, max: 9 * second }), fc.integer({ min: 0, max: 9 * second }));

describe('the measured difference of the clocks', () => {
  it('is not known before an answer has a date', async () => {
    const meter = createSkewMeter(createFakeClock());
    meter.note(0, null);
    meter.note(0, 'soon');
    expect(meter.bounds()).toBeNull();
  });

  it('lies within its bounds, which a quick answer narrows to a second', async () => {
    const ahead = fc.integer({ min: -3 * 3600 * second, max: 3 * 3600 * second });
    await fc.assert(
      fc.asyncProperty(ahead, fc.array(way, { maxLength: 4 }), fc.nat(4 * second), async (aheadMs, ways, pause) => {
        const clock = createFakeClock();
        const meter = createSkewMeter(clock);
        for (const one of [...ways, [0, 0] as [number, number]]) {
          await answer(clock, meter, aheadMs, one);
          await clock.advance(pause);
        }
        const { least, most } = meter.bounds() ?? { least: Number.NaN, most: Number.NaN };
        expect(least).toBeLessThanOrEqual(aheadMs);
        expect(most).toBeGreaterThanOrEqual(aheadMs);
        expect(most - least).toBeLessThan(second);
      }),
      { numRuns: 50 },
    );
  });

  it('does not follow a single odd answer', async () => {
    const clock = createFakeClock();
    const meter = createSkewMeter(clock);
    for (const ahead of [20 * second, 20 * second, -300 * second]) await answer(clock, meter, ahead);
    expect(meter.bounds()?.least).toBeCloseTo(20 * second, -3);
  });

  it('follows a service whose clock was set, and its newest answer after a while', async () => {
    const clock = createFakeClock();
    const meter = createSkewMeter(clock);
    for (const ahead of [20 * second, 20 * second, 0, 0, 0]) await answer(clock, meter, ahead);
    expect(meter.bounds()?.most).toBeLessThan(second);
    await clock.advance(11 * minute);
    await answer(clock, meter, 90 * second);
    expect(meter.bounds()?.least).toBeGreaterThan(88 * second);
  });

  it('forgets what was measured before our own clock was set', async () => {
    const clock = createFakeClock();
    const meter = createSkewMeter(clock);
    for (let count = 0; count < 5; count += 1) await answer(clock, meter, 90 * second);
    clock.jumpTo(clock.now() + 90 * second);
    await answer(clock, meter, 0);
    expect(meter.bounds()?.most).toBeLessThan(second);
  });
});

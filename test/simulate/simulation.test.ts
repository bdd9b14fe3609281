import { describe, expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { simulate } from './simulation.ts';
import { createVirtualClock } from './virtual-clock.ts';

describe('the simulation', () => {
  it('checks every parcel on time, never early, and with hardly more calls than necessary', async () => {
    const parcels = rounds(120, 40);
    const report = await simulate({ parcels, days: 1, seed: 3 });
    const registerCalls = Math.ceil(parcels / 100);
    expect(report).toMatchObject({ early: 0, failed: 0, withoutRecord: 0, registerCalls });
    expect(report.numbersQueried).toBeGreaterThan(parcels * 5);
    expect(report.callsSent / report.fewestCalls).toBeLessThanOrEqual(1.05);
    expect(report.callsSent).toBeGreaterThanOrEqual(report.fewestCalls);
    expect(report.stalenessMedianMs).toBeLessThan(60_000);
    // The sum of the jitter, the hold and the preceding calls at five per second.
    expect(report.stalenessLongestMs).toBeLessThan(70_000);
    expect(report.every15Numbers).toBeGreaterThan(5 * report.numbersQueried);
  });
});

it('calls timers of the virtual clock at their own instant and in order, even timers set by timers', async () => {
  const clock = createVirtualClock(1_000);
  const called: [string, number][] = [];
  const cancel = clock.setTimer(50, () => called.push(['cancelled', clock.now()]));
  clock.setTimer(200, () => called.push(['second', clock.now()]));
  clock.setTimer(100, () => {
    called.push(['first', clock.now()]);
    clock.setTimer(10, () => called.push(['between', clock.now()]));
  });
  cancel();
  await clock.run(5_000, () => Promise.resolve());
  expect(called).toEqual([
    ['first', 1_100],
    ['between', 1_110],
    ['second', 1_200],
  ]);
  expect(clock.now()).toBe(5_000);
  expect(() => clock.setTimer(-1, () => undefined)).toThrow(RangeError);
});

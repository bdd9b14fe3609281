import { expect, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { createPacer } from '../../src/service/transport.ts';

/** Creates a clock that records requested delays and never fires on its own. */
function createRecordingClock(start: number) {
  const delays: number[] = [];
  const fire: (() => void)[] = [];
  const clock: Clock & { time: number } = {
    time: start,
    now() {
      return this.time;
    },
    setTimer(delayMs, callback) {
      delays.push(delayMs);
      fire.push(callback);
      return () => undefined;
    },
  };
  return { clock, delays, fire };
}

const neverAborted = new AbortController().signal;

test('never exceeds the limit within a second, even if earlier calls arrive later', async () => {
  const { clock, delays, fire } = createRecordingClock(1000);
  const pacer = createPacer(clock, 5);
  const turns = Array.from({ length: 12 }, () => pacer.turn(neverAborted));
  expect(delays).toEqual([1200, 1200, 1200, 1200, 1200, 2400, 2400]);
  for (const callback of fire) callback();
  await Promise.all(turns);
});

test('does not make callers wait for a clock that was set back', async () => {
  const { clock, delays } = createRecordingClock(1_000_000);
  const pacer = createPacer(clock, 1);
  await pacer.turn(neverAborted);
  clock.time = 1000;
  await pacer.turn(neverAborted);
  expect(delays).toEqual([]);
});

test('ends an aborted wait immediately', async () => {
  const { clock } = createRecordingClock(0);
  const pacer = createPacer(clock, 1);
  await pacer.turn(neverAborted);
  const controller = new AbortController();
  const waiting = pacer.turn(controller.signal);
  controller.abort(new Error('quit'));
  await expect(waiting).rejects.toThrow('quit');
});

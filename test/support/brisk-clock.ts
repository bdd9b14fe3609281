import type { Clock } from '../../src/lib/clock.ts';

/** Longer waits are limits, which nothing is to reach sooner. */
const longestPauseMs = 5_000;
/** How many times as fast a pause passes. */
const factor = 20;

/**
 * The machine's clock, except that pauses of up to five seconds pass twenty times as fast, and it is as late then as it would
 * have been: for what looks again and again, between which nothing happens. What limits a call takes as long as ever.
 */
export function createBriskClock(): Clock {
  let skippedMs = 0;
  const now = (): number => Date.now() + skippedMs;
  return {
    now,
    setTimer: (delayMs, callback) => {
      const isPause = delayMs <= longestPauseMs;
      const due = now() + delayMs;
      const pass = (): void => {
        skippedMs += Math.max(0, due - now());
        callback();
      };
      const timer = isPause ? setTimeout(pass, delayMs / factor) : setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

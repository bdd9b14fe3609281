import type { Clock } from '../../src/lib/clock.ts';

/** What is awaited for so long, in milliseconds, is a pause: between calls, after a registration, before a second try. */
const shortestPauseMs = 1_000;
/** Longer waits are limits, and nothing is to reach them. */
const longestPauseMs = 5_000;

/** The machine's clock, but pauses end at once. */
export interface HurryingClock extends Clock {
  /** It is later by so many milliseconds; timers keep the rest of their delay. */
  skip(ms: number): void;
}

/**
 * A clock, ahead of the machine's by so many milliseconds at first, on which a timer of one to five seconds is due at once, and it is as late then as it would have been. Shorter
 * and longer ones wait as ever, for they guard what runs meanwhile.
 */
export function createHurryingClock(aheadMs = 0): HurryingClock {
  let skippedMs = aheadMs;
  const now = (): number => Date.now() + skippedMs;
  const skip = (ms: number): void => {
    skippedMs += Math.max(0, ms);
  };
  return {
    now,
    skip,
    setTimer: (delayMs, callback) => {
      if (delayMs < shortestPauseMs || delayMs > longestPauseMs) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      }
      const at = now() + delayMs;
      const turn = setImmediate(() => {
        skip(at - now());
        callback();
      });
      return () => clearImmediate(turn);
    },
  };
}

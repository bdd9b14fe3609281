import type { Clock } from '../../src/lib/clock.ts';

/** Minimum length of a pause between calls, after a registration or before a retry. */
const minPauseMs = 1_000;
/** Longer waits are timeouts, which no test should reach. */
const maxPauseMs = 5_000;

/** The machine's clock, but pauses end immediately. */
export interface SkippingClock extends Clock {
  /** Moves the clock ahead by this many milliseconds. Timers keep their remaining delay. */
  skip(ms: number): void;
}

/**
 * A clock on which timers of one to five seconds fire immediately and move it ahead by their delay. Shorter and longer
 * timers are unchanged, because they limit other work.
 * @param aheadMs how far ahead of the machine's clock it starts
 */
export function createSkippingClock(aheadMs = 0): SkippingClock {
  let skippedMs = aheadMs;
  const now = (): number => Date.now() + skippedMs;
  const skip = (ms: number): void => {
    skippedMs += Math.max(0, ms);
  };
  return {
    now,
    skip,
    setTimer: (delayMs, callback) => {
      if (delayMs < minPauseMs || delayMs > maxPauseMs) {
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

import type { Clock } from '../../src/lib/clock.ts';

/** Longer waits are timeouts, which must not be shortened. */
const longestPauseMs = 5_000;
/** How many times faster pauses pass. */
const factor = 20;

/**
 * The machine's clock, but pauses of up to five seconds are twenty times faster and move it ahead by their full length.
 * For code that polls while nothing else happens. Timeouts of calls are unchanged.
 */
export function createBriskClock(): Clock {
  let skippedMs = 0;
  const now = (): number => Date.now() + skippedMs;
  return {
    now,
    setTimer: (delayMs, callback) => {
      const isPause = delayMs <= longestPauseMs;
      const due = now() + delayMs;
      const fire = (): void => {
        skippedMs += Math.max(0, due - now());
        callback();
      };
      const timer = isPause ? setTimeout(fire, delayMs / factor) : setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

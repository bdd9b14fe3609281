import type { Clock } from '../../src/lib/clock.ts';

/**
 * The machine's clock, but this many times as fast, including timers, for code that waits long between calls. Timeouts
 * of calls are shortened too, so set long ones.
 */
export function createFastClock(factor: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * factor,
    setTimer: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs / factor);
      return () => clearTimeout(timer);
    },
  };
}

import type { Clock } from '../../src/lib/clock.ts';

/**
 * The machine's clock, sped up by a factor, including its timers. For code that waits a long time between calls. Call
 * timeouts are shortened too, so set long ones.
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

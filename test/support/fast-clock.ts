import type { Clock } from '../../src/lib/clock.ts';

/**
 * The machine's clock, but so many times as fast, timers included: for what waits long between calls. What limits a
 * call gets shorter, too, so give it a limit that is long.
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

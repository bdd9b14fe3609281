import type { Clock } from '../../src/lib/clock.ts';

/** The machine's clock, for tests with a real server. */
export const realClock: Clock = {
  now: () => Date.now(),
  setTimer: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

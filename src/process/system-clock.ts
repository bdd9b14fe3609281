import { type Clock, longestTimerMs } from '../service/clock/clock.ts';

/** The machine's own clock. A running timer keeps the process alive; its delay is brought into 0 to 2^31 - 1 ms. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer: (delayMs, callback) => {
    // A NaN delay would fire at once and make a busy loop of a mistake elsewhere.
    const delay = Number.isNaN(delayMs) ? longestTimerMs : Math.min(Math.max(delayMs, 0), longestTimerMs);
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

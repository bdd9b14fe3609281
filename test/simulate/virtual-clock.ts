import type { CancelTimer, Clock, EpochMs } from '../../src/lib/clock.ts';

interface Timer {
  readonly at: EpochMs;
  readonly callback: () => void;
}

/** A clock that never waits: it jumps from timer to timer. */
export interface VirtualClock extends Clock {
  /**
   * Calls all timers up to an instant, each at its own instant, in order. Before each one, `settle` is awaited, which
   * must resolve when nothing more happens until the clock advances.
   */
  run(until: EpochMs, settle: () => Promise<void>): Promise<void>;
}

/** Creates a {@link VirtualClock}. There are never many timers, so we search them linearly. */
export function createVirtualClock(start: EpochMs): VirtualClock {
  let now = start;
  const timers = new Set<Timer>();
  const next = (): Timer | null => {
    let first: Timer | null = null;
    for (const timer of timers) if (first === null || timer.at < first.at) first = timer;
    return first;
  };
  return {
    now: () => now,
    setTimer(delayMs, callback): CancelTimer {
      if (!(delayMs >= 0 && delayMs < 2 ** 31)) throw new RangeError(`a timer cannot wait for ${delayMs} ms`);
      const timer = { at: now + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async run(until, settle) {
      await settle();
      for (let timer = next(); timer !== null && timer.at <= until; timer = next()) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}

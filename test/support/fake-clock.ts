import type { CancelTimer, Clock, EpochMs } from '../../src/lib/clock.ts';

interface Timer {
  /** In elapsed milliseconds, which only `advance` increases. */
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that only a test advances. */
export interface FakeClock extends Clock {
  /**
   * Advances time by `ms`, calling every timer at its own instant, in order. Before each timer and at the end, promises
   * and finished file operations get their turn.
   */
  advance(ms: number): Promise<void>;
  /**
   * Changes only the time of day, as happens after sleep or a clock correction. It may go back. Timers keep their
   * remaining delay, as real ones do.
   */
  jumpTo(at: EpochMs): void;
  /** The number of pending timers. */
  timers(): number;
}

/** A quiet Thursday, the default start. */
export const someThursday: EpochMs = Date.UTC(2026, 10, 19, 9, 0, 0);

/** Creates a {@link FakeClock} that shows `start`. */
export function createFakeClock(start: EpochMs = someThursday): FakeClock {
  let elapsed = 0;
  let zero = start;
  let order = 0;
  let timers: Timer[] = [];

  const next = (until: number): Timer | undefined =>
    timers
      .filter((timer) => timer.at <= until)
      .sort((a, b) => a.at - b.at || a.order - b.order)
      .at(0);

  return {
    now: () => zero + elapsed,
    elapsed: () => elapsed,
    setTimer(delayMs: number, callback: () => void): CancelTimer {
      if (!(delayMs >= 0 && delayMs < 2 ** 31)) throw new RangeError(`a timer cannot wait for ${delayMs} ms`);
      const timer: Timer = { at: elapsed + delayMs, order: order++, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms: number) {
      const end = elapsed + ms;
      await settle();
      for (let timer = next(end); timer !== undefined; timer = next(end)) {
        const due = timer;
        timers = timers.filter((other) => other !== due);
        elapsed = Math.max(elapsed, due.at);
        due.callback();
        await settle();
      }
      elapsed = end;
      await settle();
    },
    jumpTo(at: EpochMs) {
      zero = at - elapsed;
    },
    timers: () => timers.length,
  };
}

/** Runs everything that needs no timer: promise callbacks and what they start. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

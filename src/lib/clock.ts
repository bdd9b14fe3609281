/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

/** Lengths of time, in milliseconds. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Cancels a call that a {@link Clock} is to make later; harmless when it has been called already. */
export type CancelTimer = () => void;

/**
 * Where time comes from. Handed in everywhere, so that tests and simulations run on a clock of their own.
 */
export interface Clock {
  /** The current instant. */
  now(): EpochMs;
  /** Calls `callback` once, `delayMs` milliseconds from now. The delay is at least 0 and below 2^31. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
  /**
   * Milliseconds since some instant, on a clock that nobody sets; it may stand still while the machine sleeps. Absent where
   * there is none: then `now` has to do.
   */
  elapsed?(): number;
}

/** An instant from which {@link passedSince} counts. */
export interface ClockMark {
  readonly at: EpochMs;
  readonly elapsed: number | null;
}

/** Marks this instant. */
export function markOf(clock: Clock): ClockMark {
  return { at: clock.now(), elapsed: clock.elapsed?.() ?? null };
}

/**
 * How many milliseconds have passed since a mark, at the most: a clock that was set back and one that stood still while the
 * machine slept have no say while the other one goes on.
 */
export function passedSince(clock: Clock, { at, elapsed }: ClockMark): number {
  const onWall = clock.now() - at;
  return elapsed === null || clock.elapsed === undefined ? onWall : Math.max(onWall, clock.elapsed() - elapsed);
}

/** Longest delay that Node's timers keep; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** A source of numbers in [0, 1), as `Math.random` is. */
export type Random = () => number;

/** Waits so many milliseconds on the clock; answers false, at once, when the signal is aborted first. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted === true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onAbort = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = clock.setTimer(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve(true);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** What the work resolves with, or null where it takes longer than so many milliseconds on the clock; it goes on then. Rejects as the work. */
export async function inTime<Result>(clock: Clock, limitMs: number, work: Promise<Result>): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const cancel = clock.setTimer(limitMs, () => late.resolve(null));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** A beat that is nearer than this share of the pause between two is left out: timers come a little early at times. */
const tooNear = 1 / 8;

/**
 * Milliseconds until a clock that beats every `everyMs` beats next, an eighth more than that at most. What is looked at
 * again and again, by parts that know nothing of each other, is looked at on the same beats: to wake up costs an idle
 * program more than the looks do.
 */
export function untilBeat(now: EpochMs, everyMs: number): number {
  const left = everyMs - (now % everyMs);
  return left < everyMs * tooNear ? left + everyMs : left;
}

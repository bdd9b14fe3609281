/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export type CancelTimer = () => void;

/** Handed in everywhere, so that tests and simulations run on a clock of their own. */
export interface Clock {
  now(): EpochMs;
  setTimer(delayMs: number, callback: () => void): CancelTimer;
  /** Milliseconds on a clock that cannot be set; it may stop while the machine sleeps. Absent where it is not available. */
  elapsed?(): number;
}

export interface ClockMark {
  readonly at: EpochMs;
  readonly elapsed: number | null;
}

export function markOf(clock: Clock): ClockMark {
  return { at: clock.now(), elapsed: clock.elapsed?.() ?? null };
}

/**
 * Milliseconds since a mark, by the clock that went further: one may have been set back, the other may have stopped
 * during sleep.
 */
export function passedSince(clock: Clock, { at, elapsed }: ClockMark): number {
  const onWall = clock.now() - at;
  return elapsed === null || clock.elapsed === undefined ? onWall : Math.max(onWall, clock.elapsed() - elapsed);
}

/** Longest delay that Node's timers keep; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** A source of numbers in [0, 1), as `Math.random` is. */
export type Random = () => number;

/** Waits so many milliseconds on the clock; returns false, at once, when the signal is aborted first. */
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

/** What the work resolves with, or null where it takes longer than so many milliseconds on the clock; it goes on then. Throws as the work. */
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
 * Milliseconds until the next multiple of `everyMs`, at most an eighth more. Shared beats wake an idle program less
 * often.
 */
export function untilBeat(now: EpochMs, everyMs: number): number {
  const left = everyMs - (now % everyMs);
  return left < everyMs * tooNear ? left + everyMs : left;
}

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export type CancelTimer = () => void;

/** Passed in everywhere, so that tests can use their own. */
export interface Clock {
  now(): EpochMs;
  setTimer(delayMs: number, callback: () => void): CancelTimer;
  /** Milliseconds on a monotonic clock, which may stop during sleep. */
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
 * Returns the milliseconds since a mark, by the clock that advanced more: one may have been set back, the other may
 * have stopped during sleep.
 */
export function passedSince(clock: Clock, { at, elapsed }: ClockMark): number {
  const onWall = clock.now() - at;
  return elapsed === null || clock.elapsed === undefined ? onWall : Math.max(onWall, clock.elapsed() - elapsed);
}

/** With a longer delay, Node's timers fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** Like `Math.random`. */
export type Random = () => number;

/** Waits on the clock. Resolves with false as soon as the signal is aborted. */
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

/** Resolves with the result of the work, or with null after the timeout; the work continues. */
export async function inTime<Result>(clock: Clock, limitMs: number, work: Promise<Result>): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const cancel = clock.setTimer(limitMs, () => late.resolve(null));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** Beats that are nearer than this share of the interval are skipped, because timers may fire early. */
const tooNear = 1 / 8;

/**
 * Returns the milliseconds until the next multiple of `everyMs`, at most an eighth more than `everyMs`. Shared beats
 * wake an idle program less often.
 */
export function untilBeat(now: EpochMs, everyMs: number): number {
  const left = everyMs - (now % everyMs);
  return left < everyMs * tooNear ? left + everyMs : left;
}

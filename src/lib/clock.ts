/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export type CancelTimer = () => void;

/** Injected everywhere, so that tests can control time. */
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
 * Returns the milliseconds since a mark, by whichever clock advanced more: the wall clock may have been set back, and the
 * monotonic clock may have stopped during sleep.
 */
export function passedSince(clock: Clock, { at, elapsed }: ClockMark): number {
  const onWall = clock.now() - at;
  return elapsed === null || clock.elapsed === undefined ? onWall : Math.max(onWall, clock.elapsed() - elapsed);
}

/** Node fires timers with a longer delay immediately. */
export const maxTimerMs = 2 ** 31 - 1;

/** Like `Math.random`. */
export type Random = () => number;

/** Resolves with true after the delay, or with false as soon as the signal is aborted. */
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

/** Resolves with the result of `work`, or with null after the timeout. Does not cancel `work`. */
export async function withTimeout<Result>(
  clock: Clock,
  limitMs: number,
  work: Promise<Result>,
): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const cancel = clock.setTimer(limitMs, () => late.resolve(null));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** A beat closer than this fraction of the interval is skipped, because timers may fire early. */
const minGap = 1 / 8;

/**
 * Returns the milliseconds until the next multiple of `everyMs`, or until the one after it if the next is too close.
 * Timers that share their beats wake an idle program less often.
 */
export function untilBeat(now: EpochMs, everyMs: number): number {
  const remaining = everyMs - (now % everyMs);
  return remaining < everyMs * minGap ? remaining + everyMs : remaining;
}

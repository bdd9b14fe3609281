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

export function markTime(clock: Clock): ClockMark {
  return { at: clock.now(), elapsed: clock.elapsed?.() ?? null };
}

/**
 * Returns the milliseconds since a mark, by whichever clock advanced more: the wall clock may have been set back, and the
 * monotonic clock may have stopped during sleep.
 */
export function elapsedSince(clock: Clock, { at, elapsed }: ClockMark): number {
  const wallMs = clock.now() - at;
  return elapsed === null || clock.elapsed === undefined ? wallMs : Math.max(wallMs, clock.elapsed() - elapsed);
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
  const timeout = Promise.withResolvers<null>();
  const cancel = clock.setTimer(limitMs, () => timeout.resolve(null));
  try {
    return await Promise.race([work, timeout.promise]);
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
export function msUntilBeat(now: EpochMs, intervalMs: number): number {
  const remaining = intervalMs - (now % intervalMs);
  return remaining < intervalMs * minGap ? remaining + intervalMs : remaining;
}

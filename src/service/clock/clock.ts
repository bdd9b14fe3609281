/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

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

import { type Clock, type EpochMs, sleep } from '../clock/clock.ts';

/** Hands out permission to call, no more than so many in any second, as the service sees it. */
export interface Pacer {
  /** Resolves when the next call may go out; rejects with the signal's reason when that is aborted first. */
  turn(signal: AbortSignal): Promise<void>;
}

/**
 * More than the service's second: it counts when calls arrive, and the first of a burst are longer on their way,
 * because their connections are opened first.
 */
const windowMs = 1200;

/**
 * A pacer on the given clock: at most `callsPerSecond` turns in any window of 1.2 seconds, first come, first served.
 */
export function createPacer(clock: Clock, callsPerSecond: number): Pacer {
  const limit = Math.max(1, Math.floor(callsPerSecond));
  const granted: EpochMs[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  return {
    async turn(signal) {
      signal.throwIfAborted();
      const now = clock.now();
      // A clock that was set back would keep callers waiting until it has caught up.
      if (now < newest) granted.length = 0;
      newest = now;
      const at = granted.length < limit ? now : Math.max(now, (granted[0] ?? now) + windowMs);
      granted.push(at);
      if (granted.length > limit) granted.shift();
      if (at <= now) return;
      await sleep(clock, at - now, signal);
      signal.throwIfAborted();
    },
  };
}

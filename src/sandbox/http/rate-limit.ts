import type { Clock, EpochMs } from '../../service/clock/clock.ts';

/** Counts the calls of one operation over a second that slides along. */
export interface RateLimit {
  /** Milliseconds until a call would be let through; 0 lets this one through and counts it. */
  admit(): number;
}

const windowMs = 1000;

/** Lets `perSecond` calls through in any second of the clock; calls that are held off do not count. */
export function createRateLimit(clock: Clock, perSecond: number): RateLimit {
  const admitted: EpochMs[] = [];
  return {
    admit: () => {
      const now = clock.now();
      const oldest = admitted[0];
      if (oldest !== undefined && admitted.length >= perSecond) {
        // A clock that was set back must not lock the operation up.
        const waitMs = Math.min(windowMs, oldest + windowMs - now);
        if (waitMs > 0 && now >= oldest) return waitMs;
        admitted.shift();
      }
      admitted.push(now);
      return 0;
    },
  };
}

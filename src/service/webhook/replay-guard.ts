import type { EpochMs } from '../clock/clock.ts';
import { webhookSkewMs } from './webhook-age.ts';

/** Remembers which callbacks were accepted, for as long as their timestamps would be accepted again. */
export interface ReplayGuard {
  /** Whether this callback was taken. */
  has(fingerprint: string): boolean;
  /** Notes that it is taken now. */
  add(fingerprint: string, now: EpochMs): void;
}

/**
 * Makes a guard that forgets what would be refused by its age anyway, and beyond `most` callbacks the oldest first:
 * some 15 MB. Only callbacks that are signed get here, so a stranger cannot fill it; and one that comes once more when
 * it is forgotten brings nothing but old news.
 */
export function createReplayGuard(maxAgeMs: number, most = 100_000): ReplayGuard {
  /** In the order in which they came, with the time of that. */
  const taken = new Map<string, EpochMs>();
  // One may come as early as clocks differ, and again as late as its age allows.
  const windowMs = webhookSkewMs + maxAgeMs;
  const forgetOld = (now: EpochMs): void => {
    for (const [fingerprint, at] of taken) {
      if (now - at <= windowMs && taken.size < most) return;
      taken.delete(fingerprint);
    }
  };
  return {
    has: (fingerprint) => taken.has(fingerprint),
    add(fingerprint, now) {
      forgetOld(now);
      taken.set(fingerprint, now);
    },
  };
}

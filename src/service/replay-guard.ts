import type { EpochMs } from './clock.ts';
import { webhookToleranceMs } from './webhook.ts';

/** Remembers which callbacks were taken, for as long as their timestamps would be accepted again. */
export interface ReplayGuard {
  /** Whether this callback was taken. */
  has(fingerprint: string): boolean;
  /** Notes that it is taken now. */
  add(fingerprint: string, now: EpochMs): void;
  /** Forgets it, because it could not be stored and will be sent again. */
  delete(fingerprint: string): void;
}

/** A callback may be sent five minutes early and come again five minutes late. */
const windowMs = 2 * webhookToleranceMs;

/**
 * Makes a guard that forgets after ten minutes, and beyond `most` callbacks the oldest first. Only callbacks that are
 * signed get here, so a stranger cannot fill it.
 */
export function createReplayGuard(most = 10_000): ReplayGuard {
  /** In the order in which they came, with the time of that. */
  const taken = new Map<string, EpochMs>();
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
    delete: (fingerprint) => void taken.delete(fingerprint),
  };
}

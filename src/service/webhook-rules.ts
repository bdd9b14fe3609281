import type { EpochMs } from '../lib/clock.ts';

/** The ways in which programs that use the public service have seen callbacks signed (`service/README.md`, "Webhook"). */
export const signatureMethods = ['hmac', 'sha256', 'hmac-base64', 'sha256-base64'] as const;

/** `hmac` is HMAC-SHA256 of the timestamp under the key, `sha256` a hash of key and timestamp; hexadecimal unless in base64. */
export type SignatureMethod = (typeof signatureMethods)[number];

/** All values of `webhook.signature`. */
export const webhookSignatures = [...signatureMethods, 'none'] as const;

/** How a callback proves that it comes from the service: `none` leaves the proof to a secret path. */
export type WebhookSignature = (typeof webhookSignatures)[number];

/** Least signs of a secret path. */
export const shortestWebhookPath = 16;

/** How old the timestamp of a callback may be by default, in milliseconds. */
export const defaultWebhookMaxAgeMs = 5 * 60_000;

/** How far the timestamp of a callback may be ahead of our clock, in milliseconds: clocks differ, but not by more. */
export const webhookSkewMs = 5 * 60_000;

/** Remembers which callbacks were accepted, for as long as their timestamps would be accepted again. */
interface ReplayGuard {
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

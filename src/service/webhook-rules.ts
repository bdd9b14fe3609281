import type { EpochMs } from '../lib/clock.ts';

/** The ways in which programs that use the public service have seen callbacks signed (`service/README.md`, "Webhook"). */
export const signatureMethods = ['hmac', 'sha256', 'hmac-base64', 'sha256-base64'] as const;

/** `hmac` is HMAC-SHA256 of the timestamp under the key, `sha256` a hash of key and timestamp; hexadecimal unless in base64. */
export type SignatureMethod = (typeof signatureMethods)[number];

export const webhookSignatures = [...signatureMethods, 'none'] as const;

export type WebhookSignature = (typeof webhookSignatures)[number];

export const shortestWebhookPath = 16;

export const defaultWebhookMaxAgeMs = 5 * 60_000;

/** How far the timestamp of a callback may be ahead of our clock, in milliseconds: clocks differ, but not by more. */
export const webhookSkewMs = 5 * 60_000;

interface ReplayGuard {
  has(fingerprint: string): boolean;
  add(fingerprint: string, now: EpochMs): void;
}

/**
 * Forgets what would be refused by its age, and beyond `most` the oldest (some 15 MB). Only signed callbacks get here,
 * so a stranger cannot fill it.
 */
export function createReplayGuard(maxAgeMs: number, most = 100_000): ReplayGuard {
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

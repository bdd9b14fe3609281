import type { EpochMs } from '../clock/clock.ts';
import { parseInstant } from '../clock/instant.ts';

/** Longer waits than this are taken as this: a wrong header must not silence the program for months. */
const longestMs = 24 * 3_600_000;

/**
 * Reads a Retry-After header: seconds, or an HTTP date, which is compared with the server's own Date header when
 * there is one, since the two clocks may differ. Milliseconds from now; null when missing or unreadable.
 */
export function parseRetryAfter(header: string | null, serverDate: string | null, now: EpochMs): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  const until = parseInstant(text);
  return until === null ? null : Math.min(Math.max(0, until - (parseInstant(serverDate) ?? now)), longestMs);
}

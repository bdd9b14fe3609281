import type { EpochMs } from '../clock/clock.ts';

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
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const serverNow = serverDate === null ? Number.NaN : Date.parse(serverDate);
  return Math.min(Math.max(0, until - (Number.isNaN(serverNow) ? now : serverNow)), longestMs);
}

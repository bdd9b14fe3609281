import type { EpochMs } from './clock.ts';
import { readDateTime, twoDigits, zeroSign } from './date-time-text.ts';

/**
 * The instant that an ISO 8601 text names, or a date as HTTP writes it; null for none. As `Date.parse`, which takes several times as long: of a long list, a
 * million instants are read before its first frame.
 */
export function parseInstant(iso: string | null | undefined): EpochMs | null {
  if (iso === null || iso === undefined) return null;
  const at = usualInstant(iso) ?? Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

/** `2026-11-22T15:00:00.000Z`, as instants write themselves; null for any other. */
function usualInstant(iso: string): EpochMs | null {
  if (iso.length !== 24 || iso.charAt(10) !== 'T' || iso.charAt(19) !== '.' || iso.charAt(23) !== 'Z') return null;
  const tenths = twoDigits(iso, 20);
  const thousandths = iso.charCodeAt(22) - zeroSign;
  const at = readDateTime(iso);
  return at === null || tenths < 0 || thousandths < 0 || thousandths > 9 ? null : at + tenths * 10 + thousandths;
}

import { toDate } from 'date-fns-tz';
import type { EpochMs } from './clock.ts';

/** A day, or a day and a time, with an offset or without. */
const givenTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/i;

/** The instant that somebody wrote, on the clock of `zone` (IANA) unless it has an offset; null when it is none. */
export function readGivenTime(text: string, zone: () => string): EpochMs | null {
  const time = text.trim();
  if (!givenTime.test(time)) return null;
  const iso = time
    .toUpperCase()
    .replace(/ (?=Z|[+-])/, '')
    .replace(' ', 'T');
  const at = toDate(iso, { timeZone: zone() }).getTime();
  return Number.isNaN(at) ? null : at;
}

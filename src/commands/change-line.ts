import { formatInTimeZone } from 'date-fns-tz';
import type { Change } from '../parcels/change.ts';

/** A change as one plain line: name, number where that is another, and what changed. */
export function changeLine({ label, message, trackNo }: Pick<Change, 'label' | 'message' | 'trackNo'>): string {
  return `${label === null ? trackNo : `${label} (${trackNo})`}: ${message}`;
}

/** {@link changeLine} behind the day and time at which it happened, on the clock of `zone` (IANA). */
export function timedChangeLine(change: Pick<Change, 'at' | 'label' | 'message' | 'trackNo'>, zone: string): string {
  return `${formatInTimeZone(change.at, zone, 'd MMM HH:mm')}  ${changeLine(change)}`;
}

/** The number of a line of the change log; null for a text that is none. */
export function readLineNumber(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** What of the change log somebody wants to see. */
interface WantedLines {
  /** The line after which it begins. */
  readonly since: number;
  /** What there is after it. */
  readonly found: readonly Change[];
  /** The number of the newest line. */
  readonly newest: number;
}

/** Says which lines after a number are there no more, or that it is none yet; null where nothing is missing. */
export function missingLines({ since, found, newest }: WantedLines): string | null {
  if (since > newest) return `The change log ends with line ${newest}; there is no line ${since} yet.`;
  const first = found[0]?.seq ?? newest + 1;
  if (first <= since + 1) return null;
  const lines = first === since + 2 ? `Line ${since + 1} is` : `Lines ${since + 1} to ${first - 1} are`;
  return `${lines} not in the change log any more: it keeps 90 days, and 20,000 lines at most.`;
}

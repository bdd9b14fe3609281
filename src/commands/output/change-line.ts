import { formatInTimeZone } from 'date-fns-tz';
import type { Change } from '../../watchlist/changes/change.ts';

/** A change as one plain line: name, number where that is another, and what changed. */
export function changeLine({ label, message, trackNo }: Pick<Change, 'label' | 'message' | 'trackNo'>): string {
  return `${label === null ? trackNo : `${label} (${trackNo})`}: ${message}`;
}

/** {@link changeLine} behind the day and time at which it happened, on the clock of `zone` (IANA). */
export function timedChangeLine(change: Pick<Change, 'at' | 'label' | 'message' | 'trackNo'>, zone: string): string {
  return `${formatInTimeZone(change.at, zone, 'd MMM HH:mm')}  ${changeLine(change)}`;
}

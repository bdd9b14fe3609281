import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type StaleReason, staleReason } from '../../watchlist/rules/staleness.ts';

/** How far the data of a parcel can be trusted to be current. */
export type Freshness = 'fresh' | 'checking' | StaleReason;

/** `checking`: a call is under way. A rejected parcel shows that by its stage instead. */
export function freshness(parcel: Parcel, now: EpochMs, checking: boolean): Freshness {
  if (checking) return 'checking';
  if (parcel.registration === 'rejected') return 'fresh';
  return staleReason(parcel, now) ?? 'fresh';
}

/** One cell that marks a freshness; the word stands in the column of the next check, or behind the status. */
export const freshnessSigns: Readonly<Record<Freshness, string>> = {
  fresh: ' ',
  checking: '↻',
  failed: '✗',
  late: '◔',
  doubtful: '≋',
};

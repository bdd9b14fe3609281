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

/** How a freshness is shown. */
interface FreshnessLook {
  /** One cell. */
  readonly sign: string;
  /** Stands in the column of the next check. */
  readonly word: string;
  /** Said behind the status where no such column is. */
  readonly remark: string;
}

/** The looks of all of them. */
export const freshnessLooks: Readonly<Record<Freshness, FreshnessLook>> = {
  fresh: { sign: ' ', word: '', remark: '' },
  checking: { sign: '↻', word: 'now', remark: '' },
  failed: { sign: '✗', word: 'failed', remark: 'check failed' },
  late: { sign: '◔', word: 'late', remark: 'check late' },
  doubtful: { sign: '≋', word: 'old?', remark: 'may be old' },
};

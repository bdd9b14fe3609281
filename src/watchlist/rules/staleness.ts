import type { EpochMs } from '../../service/clock/clock.ts';
import { lookupDoubt } from '../../service/record/status.ts';
import type { Parcel } from '../model/parcel.ts';

/** An update that is overdue by more than this has been missed: no batch or held-up call explains it. Milliseconds. */
export const missedAfterMs = 15 * 60_000;

/** `failed`: the last try failed; `late`: its update was missed; `doubtful`: the service could not look at the courier's. */
export type StaleReason = 'failed' | 'late' | 'doubtful';

/** Why what is known of a parcel may be older than it should be; null when it is fresh. */
export function staleReason(parcel: Parcel, now: EpochMs): StaleReason | null {
  if (parcel.error !== null) return 'failed';
  const lateAt = turnsLateAt(parcel);
  if (lateAt !== null && now >= lateAt) return 'late';
  return lookupDoubt(parcel.record?.trackingStatus ?? null) === null ? null : 'doubtful';
}

/** Whether what is known of a parcel may be older than it should be. */
export function isStale(parcel: Parcel, now: EpochMs): boolean {
  return staleReason(parcel, now) !== null;
}

/** The first instant at which a parcel counts as late unless it is checked before; null when it is not in the queue. */
export function turnsLateAt({ archivedAt, nextPollAt }: Pick<Parcel, 'archivedAt' | 'nextPollAt'>): EpochMs | null {
  if (archivedAt !== null || nextPollAt === null) return null;
  const due = Date.parse(nextPollAt);
  return Number.isNaN(due) ? null : due + missedAfterMs + 1;
}

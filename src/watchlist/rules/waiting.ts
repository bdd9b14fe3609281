import type { EpochMs } from '../../service/clock/clock.ts';
import { parseInstant } from '../../service/clock/instant.ts';
import type { Parcel } from '../model/parcel.ts';
import { hasEnded } from './parcel-stage.ts';

/** Whether a parcel has left the queue: archived, rejected, or ended so long ago that no further poll is planned. */
export function hasLeftQueue(parcel: Parcel): boolean {
  if (parcel.archivedAt !== null || parcel.registration === 'rejected') return true;
  if (parcel.registration === 'pending') return false;
  return parcel.nextPollAt === null && hasEnded(parcel);
}

/** Whether a parcel is not registered because the account has no credit left. */
export const isWaitingForCredit = ({ error, registration }: Pick<Parcel, 'error' | 'registration'>): boolean =>
  registration === 'pending' && error?.kind === 'quota-exhausted';

/**
 * When a parcel is to be registered or checked, as it was planned: 0 where nothing was planned, so that it is checked at
 * once and not forgotten; null when it has left the queue. What a store sorts by that hands out the soonest ones only.
 */
export function waitsUntil(parcel: Parcel): EpochMs | null {
  if (hasLeftQueue(parcel)) return null;
  return parseInstant(parcel.nextPollAt) ?? 0;
}

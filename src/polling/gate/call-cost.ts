import type { BatchLimits } from '../../service/port.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** What checking some parcels would cost. */
export interface CallCost {
  readonly calls: number;
  /** Numbers that are checked. */
  readonly numbers: number;
  /** Numbers that are registered, which an account pays for. */
  readonly registrations: number;
}

/** What checking these parcels now costs; archived ones are left alone, rejected ones are registered again. */
export function callCost(parcels: readonly Parcel[], batchLimits: BatchLimits): CallCost {
  const wanted = parcels.filter(({ archivedAt }) => archivedAt === null);
  const fresh = wanted.filter(({ registration }) => registration !== 'registered').length;
  const { calls, registrations } = registrationCost(fresh, batchLimits);
  return { calls: calls + batchesOf(wanted.length - fresh, batchLimits.query), numbers: wanted.length, registrations };
}

/** What registering so many numbers costs; what has just been registered is queried in calls of its own. */
export function registrationCost(numbers: number, batchLimits: BatchLimits): CallCost {
  const calls = batchesOf(numbers, batchLimits.register) + batchesOf(numbers, batchLimits.query);
  return { calls, numbers, registrations: numbers };
}

function batchesOf(count: number, limit: number): number {
  return Math.ceil(count / Math.max(1, Math.floor(limit)));
}

import type { Parcel } from '../watchlist/parcel.ts';
import type { AskingCost } from './state.ts';

/** What asking about these parcels now takes; archived ones are left alone, rejected ones are registered again. */
export function costOfAsking(
  parcels: readonly Parcel[],
  batchLimits: { readonly register: number; readonly query: number },
): AskingCost {
  const wanted = parcels.filter(({ archivedAt }) => archivedAt === null);
  const registrations = wanted.filter(({ registration }) => registration !== 'registered').length;
  const known = wanted.length - registrations;
  const calls =
    batchesOf(registrations, batchLimits.register) +
    batchesOf(known, batchLimits.query) +
    // What has just been registered is asked about a little later, in calls of its own.
    batchesOf(registrations, batchLimits.query);
  return { calls, numbers: wanted.length, registrations };
}

function batchesOf(count: number, limit: number): number {
  return Math.ceil(count / Math.max(1, Math.floor(limit)));
}

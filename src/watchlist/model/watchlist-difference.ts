import { historyIdOf } from './identity.ts';
import { nextDifference } from './next-difference.ts';
import type { Parcel } from './parcel.ts';

/** The parcels that a change takes off the watchlist, and those that it makes others, as they were. */
export function removedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  return missing(before, after);
}

/** The parcels that a change puts on the watchlist, and those that it makes others, as they are. */
export function addedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  return missing(after, before);
}

/** Those of `some` whose history none of `others` has. */
function missing(some: readonly Parcel[], others: readonly Parcel[]): readonly Parcel[] {
  // Most changes leave every parcel in its place, and most parcels as they are.
  let position = nextDifference(some, others);
  while (isInPlace(some[position], others[position])) position = nextDifference(some, others, position + 1);
  if (position >= some.length) return [];
  const ids = new Set(others.map(historyIdOf));
  return some.filter((parcel) => !ids.has(historyIdOf(parcel)));
}

function isInPlace(parcel: Parcel | undefined, other: Parcel | undefined): boolean {
  if (parcel === undefined || other === undefined) return false;
  return historyIdOf(parcel) === historyIdOf(other);
}

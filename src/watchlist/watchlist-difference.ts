import type { Parcel, Watchlist } from './parcel.ts';

/** The parcels that a change takes off the watchlist. */
export function leavers(before: Watchlist, after: Watchlist): readonly Parcel[] {
  return missing(before.parcels, after.parcels);
}

/** The parcels that a change puts on the watchlist. */
export function comers(before: Watchlist, after: Watchlist): readonly Parcel[] {
  return missing(after.parcels, before.parcels);
}

/** Those of `some` that `others` do not hold, by id. */
function missing(some: readonly Parcel[], others: readonly Parcel[]): readonly Parcel[] {
  // Most changes leave everybody in place.
  if (some.every((parcel, position) => parcel.id === others[position]?.id)) return [];
  const ids = new Set(others.map(({ id }) => id));
  return some.filter(({ id }) => !ids.has(id));
}

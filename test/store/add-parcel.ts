import { type AddedParcel, addParcels } from '../../src/parcels/add-parcels.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Watchlist } from '../../src/parcels/parcel-list.ts';

/** Adds a single parcel. */
export function addParcel(
  list: Watchlist,
  fresh: Parcel,
  now: number,
): AddedParcel & { readonly watchlist: Watchlist } {
  const { additions, watchlist } = addParcels(list, [fresh], now);
  const [added] = additions;
  if (added === undefined) throw new Error('Nothing came of it.');
  return { ...added, watchlist };
}

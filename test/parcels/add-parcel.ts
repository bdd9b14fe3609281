import type { Parcel } from '../../src/parcels/parcel.ts';
import { type AddedParcel, addParcels } from '../../src/parcels/parcel-list.ts';

/** Adds a single parcel. */
export function addParcel(
  list: readonly Parcel[],
  fresh: Parcel,
  now: number,
): AddedParcel & { readonly parcels: readonly Parcel[] } {
  const { additions, parcels } = addParcels(list, [fresh], now);
  const [added] = additions;
  if (added === undefined) throw new Error('addParcels() returned no additions.');
  return { ...added, parcels };
}

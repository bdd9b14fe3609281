import type { Parcel, Watchlist } from './parcel.ts';
import { isSameList } from './parcel-differences.ts';
import type { ParcelPositions } from './parcel-positions.ts';

/** A change of one parcel; a change that answers its argument changes nothing. */
export type ParcelChange = (parcel: Parcel) => Parcel;

/** The watchlist with the parcels of these ids changed; itself when nothing changed. */
export function changeParcels(
  watchlist: Watchlist,
  changes: ReadonlyMap<string, ParcelChange>,
  positions: ParcelPositions,
): Watchlist {
  const parcels = [...watchlist.parcels];
  for (const [id, change] of changes) {
    const index = positions.indexOf(watchlist.parcels, id);
    const parcel = watchlist.parcels[index];
    if (parcel !== undefined) parcels[index] = change(parcel);
  }
  return isSameList(parcels, watchlist.parcels) ? watchlist : { ...watchlist, parcels };
}

/**
 * The same change, which answers a parcel that it has just been given without making the change again: what others write
 * meanwhile lets all changes be made again, most often to the same parcels.
 */
export function rememberingChange(change: ParcelChange): ParcelChange {
  let last: { readonly given: Parcel; readonly answered: Parcel } | null = null;
  return (parcel) => {
    if (last?.given !== parcel) last = { given: parcel, answered: change(parcel) };
    return last.answered;
  };
}

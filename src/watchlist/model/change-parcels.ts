import type { Parcel, Watchlist } from './parcel.ts';
import { isSameList } from './parcel-differences.ts';

/** A change of one parcel; a change that answers its argument changes nothing. */
export type ParcelChange = (parcel: Parcel) => Parcel;

/** The watchlist with the parcels of these ids changed; itself when nothing changed. */
export function changeParcels(watchlist: Watchlist, changes: ReadonlyMap<string, ParcelChange>): Watchlist {
  const parcels = watchlist.parcels.map((parcel) => changes.get(parcel.id)?.(parcel) ?? parcel);
  return isSameList(parcels, watchlist.parcels) ? watchlist : { ...watchlist, parcels };
}

/**
 * The same change, which answers a parcel that it has just been given without making the change again: a change is made
 * once to what is shown and once to what is written, and both are most often the same parcel.
 */
export function rememberingChange(change: ParcelChange): ParcelChange {
  let last: { readonly given: Parcel; readonly answered: Parcel } | null = null;
  return (parcel) => {
    if (last?.given !== parcel) last = { given: parcel, answered: change(parcel) };
    return last.answered;
  };
}

import type { Parcel, Watchlist } from './parcel.ts';

/** A change of one parcel; a change that answers its argument changes nothing. */
export type ParcelChange = (parcel: Parcel) => Parcel;

/**
 * The watchlist with the parcels of these ids changed; itself when nothing changed. `guess` may know where in the list a
 * parcel stands: a right guess saves looking for it, a wrong one does no harm.
 */
export function changeParcels(
  watchlist: Watchlist,
  changes: ReadonlyMap<string, ParcelChange>,
  guess: (parcelId: string) => number | undefined = () => undefined,
): Watchlist {
  const parcels = [...watchlist.parcels];
  let isChanged = false;
  const apply = (parcel: Parcel, position: number, change: ParcelChange): void => {
    const changed = change(parcel);
    isChanged ||= changed !== parcel;
    parcels[position] = changed;
  };
  const elsewhere = new Map<string, ParcelChange>();
  for (const [id, change] of changes) {
    const position = guess(id) ?? -1;
    const parcel = parcels[position];
    if (parcel?.id === id) apply(parcel, position, change);
    else elsewhere.set(id, change);
  }
  if (elsewhere.size > 0) {
    for (const [position, parcel] of parcels.entries()) {
      const change = elsewhere.get(parcel.id);
      if (change !== undefined) apply(parcel, position, change);
    }
  }
  return isChanged ? { ...watchlist, parcels } : watchlist;
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

import type { ParcelChange } from '../../watchlist/model/change-parcels.ts';
import type { Parcel, Watchlist } from '../../watchlist/model/parcel.ts';

/** A change of the watchlist. May be applied several times, to newer watchlists, and must come out alike. */
export type WatchlistChange = (current: Watchlist) => Watchlist;

/** A change that is not written yet. */
export interface UnwrittenChange {
  readonly change: WatchlistChange;
  /** The number of the lease under which it was decided; null where it needs none. */
  readonly fence: number | null;
  /** The same change where somebody else has taken the lease since: it leaves alone what others have checked. */
  readonly withoutLease: WatchlistChange;
}

/** A change that needs no lease. */
export const unfenced = (change: WatchlistChange): UnwrittenChange => ({ change, fence: null, withoutLease: change });

/** A change as it is where somebody else has taken the lease. */
export const afterLease = ({ withoutLease }: UnwrittenChange): UnwrittenChange => unfenced(withoutLease);

/** The lowest number of a lease that any of these changes was decided under: others may have polled since. Null where none needs one. */
export const fenceOf = (changes: readonly UnwrittenChange[]): number | null =>
  changes.reduce<number | null>((known, { fence }) => (fence === null ? known : Math.min(fence, known ?? fence)), null);

/** Parcels as a watchlist. */
export const asWatchlist = (parcels: readonly Parcel[]): Watchlist => ({ version: 1, parcels });

/** Makes all changes, one after the other. */
export function applyAll(watchlist: Watchlist, changes: readonly UnwrittenChange[]): Watchlist {
  return changes.reduce((current, { change }) => change(current), watchlist);
}

/**
 * The same changes, but of parcels that have been checked or registered since they were made: those stay as they are.
 * @param find the parcel as it is when the changes are made
 */
export function unlessChecked(
  changes: ReadonlyMap<string, ParcelChange>,
  find: (parcelId: string) => Parcel | null,
): ReadonlyMap<string, ParcelChange> {
  return new Map(
    [...changes].map(([id, change]): [string, ParcelChange] => {
      const known = find(id);
      const isOther = (parcel: Parcel): boolean =>
        parcel.checkedAt !== known?.checkedAt || parcel.registeredAt !== known.registeredAt;
      return [id, (parcel) => (isOther(parcel) ? parcel : change(parcel))];
    }),
  );
}

import type { Parcel } from '../../watchlist/model/parcel.ts';

/** Finds parcels by id without going through the list; the list hardly ever changes its order. */
export class ParcelPositions {
  #known = new Map<string, number>();
  #listed: readonly Parcel[] = [];

  /** The parcel with this id in a list, or null. */
  find(parcels: readonly Parcel[], parcelId: string): Parcel | null {
    const parcel = this.#at(parcels, parcelId);
    if (parcel !== null || parcels === this.#listed) return parcel;
    this.#known = new Map(parcels.map(({ id }, position) => [id, position]));
    this.#listed = parcels;
    return this.#at(parcels, parcelId);
  }

  #at(parcels: readonly Parcel[], parcelId: string): Parcel | null {
    const parcel = parcels[this.#known.get(parcelId) ?? -1];
    return parcel?.id === parcelId ? parcel : null;
  }
}

import type { Parcel } from './parcel.ts';

/**
 * Finds parcels by id without going through the list for each of them. A list hardly ever changes its order, so lists that are
 * much alike, as those of a store and of what follows it, are looked into with one of these.
 */
export class ParcelPositions {
  #known: ReadonlyMap<string, number> = new Map();
  #listed: readonly Parcel[] = [];

  /** The parcel with this id in a list, or null. */
  find(parcels: readonly Parcel[], parcelId: string): Parcel | null {
    return parcels[this.indexOf(parcels, parcelId)] ?? null;
  }

  /** Where the parcel with this id is in a list; -1 when it is not there. */
  indexOf(parcels: readonly Parcel[], parcelId: string): number {
    const index = this.#known.get(parcelId) ?? -1;
    if (parcels[index]?.id === parcelId) return index;
    if (parcels === this.#listed) return -1;
    this.#listed = parcels;
    this.#known = new Map(parcels.map(({ id }, at) => [id, at]));
    return this.#known.get(parcelId) ?? -1;
  }
}

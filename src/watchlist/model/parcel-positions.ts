import type { Parcel } from './parcel.ts';

/** Finds parcels by id without going through the list; the list hardly ever changes its order. */
export class ParcelPositions {
  #known = new Map<string, number>();
  #listed: readonly Parcel[] = [];

  /** The parcel with this id in a list, or null. */
  find(parcels: readonly Parcel[], parcelId: string): Parcel | null {
    return parcels[this.indexOf(parcels, parcelId)] ?? null;
  }

  /** Where the parcel with this id is in a list; -1 when it is not there. */
  indexOf(parcels: readonly Parcel[], parcelId: string): number {
    const index = this.#at(parcels, parcelId);
    if (index !== -1 || parcels === this.#listed) return index;
    this.#known = new Map(parcels.map(({ id }, position) => [id, position]));
    this.#listed = parcels;
    return this.#at(parcels, parcelId);
  }

  #at(parcels: readonly Parcel[], parcelId: string): number {
    const index = this.#known.get(parcelId) ?? -1;
    return parcels[index]?.id === parcelId ? index : -1;
  }
}

import type { Parcel } from './parcel.ts';

/** So many parcels of a list are entered at the first look for one that is not; at most so many at a later one. */
const firstEntered = 4_000;
const mostEntered = 16_000;

/**
 * Finds parcels by id without going through the list; the list hardly ever changes its order. To enter all of a long list
 * takes longer than a frame, so a part more of it is entered each time that a parcel is looked for further behind. Lists
 * that are much alike, as those of a store and of whoever follows it, are looked into with one of these.
 */
export class ParcelPositions {
  readonly #known = new Map<string, number>();
  #listed: readonly Parcel[] = [];
  /** How many of the list are entered. */
  #entered = 0;
  #entersNext = firstEntered;

  /** The parcel with this id in a list, or null. */
  find(parcels: readonly Parcel[], parcelId: string): Parcel | null {
    return parcels[this.indexOf(parcels, parcelId)] ?? null;
  }

  /** Where the parcel with this id is in a list; -1 when it is not there. */
  indexOf(parcels: readonly Parcel[], parcelId: string): number {
    const index = this.#at(parcels, parcelId);
    if (index !== -1) return index;
    this.#follow(parcels);
    const found = this.#at(parcels, parcelId);
    if (found !== -1 || this.#entered === parcels.length) return found;
    this.#enter(this.#entersNext);
    this.#entersNext = Math.min(this.#entersNext * 2, Math.max(mostEntered, parcels.length / 8));
    const entered = this.#at(parcels, parcelId);
    if (entered !== -1) return entered;
    for (let position = this.#entered; position < parcels.length; position += 1)
      if (parcels[position]?.id === parcelId) {
        this.#known.set(parcelId, position);
        return position;
      }
    return -1;
  }

  /** Takes over what stands elsewhere in another list. */
  #follow(parcels: readonly Parcel[]): void {
    const before = this.#listed;
    if (parcels === before) return;
    const isWhole = this.#entered === before.length;
    this.#listed = parcels;
    // Those that are gone would become ever more.
    if (this.#known.size > parcels.length * 2 + firstEntered) {
      this.#known.clear();
      this.#entered = 0;
    }
    this.#entered = Math.min(this.#entered, parcels.length);
    for (let position = 0; position < this.#entered; position += 1) {
      const parcel = parcels[position];
      if (!Object.is(parcel, before[position]) && parcel !== undefined) this.#known.set(parcel.id, position);
    }
    // What was added to a list that is entered as a whole.
    if (isWhole && this.#entered > 0) this.#enter(Math.max(0, parcels.length - before.length));
  }

  #enter(count: number): void {
    const end = Math.min(this.#listed.length, this.#entered + count);
    for (let position = this.#entered; position < end; position += 1) {
      const parcel = this.#listed[position];
      if (parcel !== undefined) this.#known.set(parcel.id, position);
    }
    this.#entered = end;
  }

  #at(parcels: readonly Parcel[], parcelId: string): number {
    const index = this.#known.get(parcelId) ?? -1;
    return parcels[index]?.id === parcelId ? index : -1;
  }
}

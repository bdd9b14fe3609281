import type { Parcel } from '../model/parcel.ts';
import type { ParcelPositions } from '../model/parcel-positions.ts';
import { sameJson } from '../model/same-json.ts';
import { applyChanges } from '../store/revisions.ts';
import type { Revision, StoreChanges, StoredParcels } from '../store/store.ts';

/** What is known of the step from one revision to a newer one. */
interface Step {
  readonly from: Revision;
  readonly to: Revision;
  readonly ids: readonly string[];
}

/** So many steps are remembered: whoever is further behind asks the database. */
const mostRemembered = 64;

/** What has become of parcels from one revision to another. */
export interface TrackedChange {
  readonly changed: readonly Parcel[];
  readonly removed: readonly string[];
}

/**
 * The list as it was last seen, so that parcels that stay the same stay the same objects. Parcels are immutable. It follows
 * the database by what has changed there and is not asked for all of it again.
 */
export class TrackedParcels {
  readonly #positions: ParcelPositions;
  #newest: StoredParcels;
  #steps: readonly Step[] = [];

  constructor(newest: StoredParcels, positions: ParcelPositions) {
    this.#newest = newest;
    this.#positions = positions;
  }

  /** The list as it was last seen. */
  get newest(): StoredParcels {
    return this.#newest;
  }

  /** Goes on to a newer revision. */
  advance(revision: Revision, changeSeq: number, { changed, removed }: TrackedChange): void {
    const before = this.#newest;
    const isSame = changed.length === 0 && removed.length === 0;
    const parcels = isSame
      ? before.parcels
      : applyChanges(before.parcels, { changed, removed, isAll: false }, this.#positions);
    this.#newest = { revision, changeSeq, parcels };
    const step = { from: before.revision, to: revision, ids: [...changed.map(({ id }) => id), ...removed] };
    if (revision !== before.revision) this.#steps = [...this.#steps, step].slice(-mostRemembered);
  }

  /** What has changed since a revision; undefined where that is not remembered. */
  since(revision: Revision): StoreChanges | null | undefined {
    if (revision === this.#newest.revision) return null;
    const first = this.#steps.findIndex(({ from }) => from === revision);
    if (first === -1) return undefined;
    return this.#changesOf(new Set(this.#steps.slice(first).flatMap(({ ids }) => ids)));
  }

  /** The object that is held for a parcel, where it is alike. */
  sameAs(parcel: Parcel): Parcel {
    const known = this.#positions.find(this.#newest.parcels, parcel.id);
    return known !== null && sameJson(known, parcel) ? known : parcel;
  }

  #changesOf(ids: ReadonlySet<string>): StoreChanges {
    const { changeSeq, parcels, revision } = this.#newest;
    const found = [...ids].map((id) => ({ id, index: this.#positions.indexOf(parcels, id) }));
    const present = found.filter(({ index }) => index !== -1).sort((left, right) => left.index - right.index);
    return {
      revision,
      changeSeq,
      changed: present.flatMap(({ index }) => parcels[index] ?? []),
      removed: found.flatMap(({ id, index }) => (index === -1 ? [id] : [])),
      isAll: false,
    };
  }
}

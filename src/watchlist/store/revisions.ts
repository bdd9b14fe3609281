import { foldNumber } from '../../service/text/same-number.ts';
import { asWhole } from '../model/light-parcel.ts';
import type { Parcel, Watchlist } from '../model/parcel.ts';
import { differences, isSameList } from '../model/parcel-differences.ts';
import type { ParcelPositions } from '../model/parcel-positions.ts';
import type { ParcelWrite, Revision, StoreChanges, StoredParcels } from './store.ts';

/** Older revisions than this many are forgotten: whoever still is at one is given everything. */
const mostRemembered = 8;

/** Numbers the lists that a store has held, so that what has changed between two of them is known. Parcels are immutable. */
export class Revisions {
  #remembered: readonly StoredParcels[] = [];
  #newest: StoredParcels = { revision: 0, parcels: [], changeSeq: 0 };

  /** Takes note of what the store holds now, and of how far the change log goes. */
  note({ changes, parcels }: Pick<Watchlist, 'changes' | 'parcels'>, changeSeq = changes?.seq ?? 0): StoredParcels {
    const isSame = changeSeq === this.#newest.changeSeq && isSameList(parcels, this.#newest.parcels);
    if (this.#newest.revision === 0 || !isSame) {
      this.#newest = { revision: this.#newest.revision + 1, parcels, changeSeq };
      this.#remembered = [...this.#remembered, this.#newest].slice(-mostRemembered);
    }
    return this.#newest;
  }

  /** What has changed since a revision; null for nothing. */
  since(revision: Revision): StoreChanges | null {
    const { changeSeq, parcels, revision: newest } = this.#newest;
    if (revision === newest) return null;
    const before = this.#at(revision);
    const changes = differences(before ?? [], parcels);
    return {
      revision: newest,
      changeSeq,
      changed: changes.flatMap(({ after }) => after ?? []),
      isAll: before === null,
      removed: changes.flatMap(({ before: removed, after }) =>
        after === null && removed !== null ? [removed.id] : [],
      ),
    };
  }

  /**
   * Whether writes that were decided on at a revision no longer hold: one of their parcels has changed since, or there is
   * another one with the number of a new one.
   */
  areOvertaken(writes: readonly ParcelWrite[], basedOn: Revision, current: readonly Parcel[]): boolean {
    const base = this.#at(basedOn);
    if (base === null) return true;
    if (isSameList(base, current)) return false;
    const moved = differences(base, current);
    const ids = new Set(moved.map(({ before, after }) => (before ?? after)?.id));
    const numbers = new Set(moved.flatMap(({ after }) => (after === null ? [] : [foldNumber(after.trackNo)])));
    const known = new Set(base.map(({ id }) => id));
    return writes.some(({ id, parcel }) => {
      const isNew = parcel !== null && !known.has(id);
      return ids.has(id) || (isNew && numbers.has(foldNumber(parcel.trackNo)));
    });
  }

  #at(revision: Revision): readonly Parcel[] | null {
    return this.#remembered.find((one) => one.revision === revision)?.parcels ?? null;
  }
}

/** Throws a `StoreError` where a parcel that is to be written is a light one; the compiler sees only some of them. */
export function refuseLight(writes: readonly ParcelWrite[]): void {
  for (const { parcel } of writes) if (parcel !== null) asWhole(parcel);
}

/** Parcels after writes; new ones come last. */
export function applyWrites(
  parcels: readonly Parcel[],
  writes: readonly ParcelWrite[],
  positions: ParcelPositions,
): readonly Parcel[] {
  if (writes.length === 0) return parcels;
  const after = [...parcels];
  const removed = new Set<string>();
  for (const { id, parcel } of writes) {
    const index = positions.indexOf(parcels, id);
    if (parcel === null) removed.add(id);
    else if (index === -1) after.push(parcel);
    else after[index] = parcel;
  }
  return removed.size === 0 ? after : after.filter(({ id }) => !removed.has(id));
}

/** Parcels after what others have changed. */
export function applyChanges(
  parcels: readonly Parcel[],
  { changed, isAll, removed }: Pick<StoreChanges, 'changed' | 'isAll' | 'removed'>,
  positions: ParcelPositions,
): readonly Parcel[] {
  if (isAll) return changed;
  const writes = [
    ...removed.map((id) => ({ id, parcel: null })),
    ...changed.map((parcel) => ({ id: parcel.id, parcel })),
  ];
  return applyWrites(parcels, writes, positions);
}

/** The writes that make one list of parcels of another. Throws a `StoreError` where a light one would be written. */
export function writesBetween(before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelWrite[] {
  return differences(before, after).flatMap(({ before: old, after: parcel }) => {
    const id = (parcel ?? old)?.id;
    return id === undefined ? [] : [{ id, parcel: parcel === null ? null : asWhole(parcel) }];
  });
}

import { foldNumber } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { differences, isSameList } from '../parcels/parcel-list.ts';
import type { ParcelWrite, Revision, StoreChanges, StoredParcels } from './store.ts';

/** The changes from one revision to the next. */
interface Step {
  readonly from: Revision;
  readonly ids: readonly string[];
}

/** Maximum number of steps to remember. A reader that is further behind gets everything. */
const mostRemembered = 64;

/** The last known list of a store, and the changes between its revisions. */
export class Revisions {
  #newest: StoredParcels = { revision: 0, parcels: [], changeSeq: 0 };
  #steps: readonly Step[] = [];

  /** Records the current list and the last line of its change log. Any difference makes a new revision. */
  note(parcels: readonly Parcel[], changeSeq: number): StoredParcels {
    const { changeSeq: seqBefore, parcels: before, revision } = this.#newest;
    if (revision > 0 && changeSeq === seqBefore && isSameList(parcels, before)) return this.#newest;
    // No reader has seen a revision before the first list.
    if (revision > 0) {
      const ids = differences(before, parcels).flatMap((one) => (one.after ?? one.before)?.id ?? []);
      this.#steps = [...this.#steps, { from: revision, ids }].slice(-mostRemembered);
    }
    this.#newest = { revision: revision + 1, parcels, changeSeq };
    return this.#newest;
  }

  /** Returns the changes since a revision; null if there are none. */
  since(revision: Revision): StoreChanges | null {
    const { changeSeq, parcels, revision: newest } = this.#newest;
    if (revision === newest) return null;
    const first = this.#steps.findIndex(({ from }) => from === revision);
    if (first === -1) return { revision: newest, changeSeq, changed: parcels, removed: [], isAll: true };
    const removed = new Set(this.#steps.slice(first).flatMap((step) => step.ids));
    // `delete` keeps only the ids that are no longer in the list.
    const changed = parcels.filter(({ id }) => removed.delete(id));
    return { revision: newest, changeSeq, changed, removed: [...removed], isAll: false };
  }

  /**
   * Whether writes decided at a revision are outdated: one of their parcels has changed since, or another parcel has
   * the number of a new one.
   */
  areOvertaken(writes: readonly ParcelWrite[], basedOn: Revision, current: readonly Parcel[]): boolean {
    this.note(current, this.#newest.changeSeq);
    const moved = this.since(basedOn);
    if (moved === null || moved.isAll) return moved !== null;
    const ids = new Set([...moved.removed, ...moved.changed.map(({ id }) => id)]);
    const numbers = new Set(moved.changed.map(({ trackNo }) => foldNumber(trackNo)));
    return writes.some(
      ({ id, parcel }) =>
        ids.has(id) ||
        (parcel !== null && numbers.has(foldNumber(parcel.trackNo)) && !current.some((known) => known.id === id)),
    );
  }
}

/** Returns the parcels after writes; new ones come last. */
export function applyWrites(parcels: readonly Parcel[], writes: readonly ParcelWrite[]): readonly Parcel[] {
  if (writes.length === 0) return parcels;
  const left = new Map(writes.map(({ id, parcel }) => [id, parcel]));
  const after: Parcel[] = [];
  for (const known of parcels) {
    const written = left.get(known.id);
    if (written !== null) after.push(written ?? known);
    left.delete(known.id);
  }
  for (const added of left.values()) if (added !== null) after.push(added);
  return after;
}

export function applyChanges(
  parcels: readonly Parcel[],
  { changed, isAll, removed }: Pick<StoreChanges, 'changed' | 'isAll' | 'removed'>,
): readonly Parcel[] {
  if (isAll) return changed;
  return applyWrites(parcels, [
    ...removed.map((id) => ({ id, parcel: null })),
    ...changed.map((parcel) => ({ id: parcel.id, parcel })),
  ]);
}

/** Returns the writes that turn one list of parcels into another. */
export const writesBetween = (before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelWrite[] =>
  differences(before, after).flatMap(({ before: old, after: parcel }) => {
    const id = (parcel ?? old)?.id;
    return id === undefined ? [] : [{ id, parcel }];
  });

import { foldNumber } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { differences, isSameList } from '../parcels/parcel-list.ts';
import type { ParcelWrite, Revision, StoreChanges, StoredParcels } from './store.ts';

/** What is known of the step from one revision to the next. */
interface Step {
  readonly from: Revision;
  readonly ids: readonly string[];
}

/** A reader that is further behind is given everything. */
const mostRemembered = 64;

/** The list that a store holds, as it was last seen, and what has changed from each revision of it to the next. */
export class Revisions {
  #newest: StoredParcels = { revision: 0, parcels: [], changeSeq: 0 };
  #steps: readonly Step[] = [];

  /** Takes note of what the store holds now, and of how far the change log goes; what differs is the next revision. */
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

  /** What has changed since a revision; null for nothing. */
  since(revision: Revision): StoreChanges | null {
    const { changeSeq, parcels, revision: newest } = this.#newest;
    if (revision === newest) return null;
    const first = this.#steps.findIndex(({ from }) => from === revision);
    if (first === -1) return { revision: newest, changeSeq, changed: parcels, removed: [], isAll: true };
    const removed = new Set(this.#steps.slice(first).flatMap((step) => step.ids));
    // `delete` leaves those that are no more in the list.
    const changed = parcels.filter(({ id }) => removed.delete(id));
    return { revision: newest, changeSeq, changed, removed: [...removed], isAll: false };
  }

  /**
   * Whether writes that were decided on at a revision no longer hold: one of their parcels has changed since, or there is
   * another one with the number of a new one.
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

/** Parcels after writes; new ones come last. */
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

/** The writes that make one list of parcels of another. */
export const writesBetween = (before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelWrite[] =>
  differences(before, after).flatMap(({ before: old, after: parcel }) => {
    const id = (parcel ?? old)?.id;
    return id === undefined ? [] : [{ id, parcel }];
  });

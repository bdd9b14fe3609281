import { foldNumber } from '../lib/text.ts';
import { asWhole } from '../parcels/light-parcel.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { differences, isSameList, type ParcelPositions } from '../parcels/parcel-list.ts';
import type { ParcelWrite, Revision, StoreChanges, StoredParcels } from './store.ts';

/** What is known of the step from one revision to the next. */
interface Step {
  readonly from: Revision;
  readonly ids: readonly string[];
}

/** So many steps are remembered: whoever is further behind is given everything. */
const mostRemembered = 64;

/**
 * The list that a store holds, as it was last seen, and what has changed from each revision of it to the next. Parcels are
 * immutable: those that stay the same stay the same objects.
 */
export class Revisions {
  readonly #positions: ParcelPositions;
  #newest: StoredParcels;
  #steps: readonly Step[] = [];

  constructor(positions: ParcelPositions, newest: StoredParcels = { revision: 0, parcels: [], changeSeq: 0 }) {
    this.#positions = positions;
    this.#newest = newest;
  }

  /** The list as it was last seen. */
  get newest(): StoredParcels {
    return this.#newest;
  }

  /** Takes note of what the store holds now, and of how far the change log goes; what differs is the next revision. */
  note(parcels: readonly Parcel[], changeSeq: number): StoredParcels {
    const { changeSeq: seqBefore, parcels: before, revision } = this.#newest;
    const next = { revision: revision + 1, parcels, changeSeq };
    // Nobody is at a revision before the first list.
    if (revision === 0) this.#newest = next;
    else if (changeSeq !== seqBefore || !isSameList(parcels, before)) {
      this.#goOn(
        next,
        differences(before, parcels).flatMap((one) => (one.after ?? one.before)?.id ?? []),
      );
    }
    return this.#newest;
  }

  /** Goes on to a revision that the store has given a number, by what has changed until then. */
  advance({ changed, changeSeq, removed, revision }: Omit<StoreChanges, 'isAll'>): void {
    const parcels = applyChanges(this.#newest.parcels, { changed, removed, isAll: false }, this.#positions);
    this.#goOn({ revision, changeSeq, parcels }, [...changed.map(({ id }) => id), ...removed]);
  }

  /** What has changed since a revision; null for nothing. */
  since(revision: Revision): StoreChanges | null {
    const { changeSeq, parcels, revision: newest } = this.#newest;
    if (revision === newest) return null;
    const first = this.#steps.findIndex(({ from }) => from === revision);
    if (first === -1) return { revision: newest, changeSeq, changed: parcels, removed: [], isAll: true };
    const ids = new Set(this.#steps.slice(first).flatMap((step) => step.ids));
    const found = [...ids].map((id) => ({ id, index: this.#positions.indexOf(parcels, id) }));
    const present = found.filter(({ index }) => index !== -1).sort((left, right) => left.index - right.index);
    return {
      revision: newest,
      changeSeq,
      changed: present.flatMap(({ index }) => parcels[index] ?? []),
      removed: found.flatMap(({ id, index }) => (index === -1 ? [id] : [])),
      isAll: false,
    };
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
    return writes.some(({ id, parcel }) => {
      const isNew = parcel !== null && this.#positions.indexOf(current, id) === -1;
      return ids.has(id) || (isNew && numbers.has(foldNumber(parcel.trackNo)));
    });
  }

  #goOn(newest: StoredParcels, ids: readonly string[]): void {
    const from = this.#newest.revision;
    if (newest.revision !== from) this.#steps = [...this.#steps, { from, ids }].slice(-mostRemembered);
    this.#newest = newest;
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

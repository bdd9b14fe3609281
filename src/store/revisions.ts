import { isDeepStrictEqual } from 'node:util';
import { foldNumber } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { differences, isSameList } from '../parcels/parcel-list.ts';
import type { ParcelWrite, StoredParcels } from './store.ts';

/** Returns a function that assigns a revision to each list that a store reads. Any difference produces a new revision. */
export function createRevisions(): (parcels: readonly Parcel[], changeSeq: number) => StoredParcels {
  let newest: StoredParcels = { revision: 0, parcels: [], changeSeq: 0 };
  return (parcels, changeSeq) => {
    const isSame = changeSeq === newest.changeSeq && isSameList(parcels, newest.parcels);
    if (newest.revision === 0 || !isSame) newest = { revision: newest.revision + 1, parcels, changeSeq };
    return newest;
  };
}

/**
 * Whether writes that are based on a list are outdated: one of their parcels has changed since, or a parcel was added that
 * has the same number as a new one.
 */
export function areOutdated(
  writes: readonly ParcelWrite[],
  basedOn: readonly Parcel[],
  current: readonly Parcel[],
): boolean {
  if (isSameList(basedOn, current)) return false;
  const previous = new Map(basedOn.map((parcel) => [parcel.id, parcel]));
  const changed = current.filter((parcel) => {
    const before = previous.get(parcel.id);
    previous.delete(parcel.id);
    return before !== parcel && !isDeepStrictEqual(before, parcel);
  });
  const ids = new Set([...previous.keys(), ...changed.map(({ id }) => id)]);
  const numbers = new Set(changed.map(({ trackNo }) => foldNumber(trackNo)));
  return writes.some(
    ({ id, parcel }) =>
      ids.has(id) ||
      (parcel !== null && numbers.has(foldNumber(parcel.trackNo)) && !current.some((known) => known.id === id)),
  );
}

/** Applies writes to a list. New parcels come last. */
export function applyWrites(parcels: readonly Parcel[], writes: readonly ParcelWrite[]): readonly Parcel[] {
  if (writes.length === 0) return parcels;
  const remaining = new Map(writes.map(({ id, parcel }) => [id, parcel]));
  const after: Parcel[] = [];
  for (const known of parcels) {
    const written = remaining.get(known.id);
    if (written !== null) after.push(written ?? known);
    remaining.delete(known.id);
  }
  for (const added of remaining.values()) if (added !== null) after.push(added);
  return after;
}

/** Returns the writes that turn one list into the other. */
export const writesBetween = (before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelWrite[] =>
  differences(before, after).flatMap(({ before: old, after: parcel }) => {
    const id = (parcel ?? old)?.id;
    return id === undefined ? [] : [{ id, parcel }];
  });

import { historyIdOf } from './identity.ts';
import type { Parcel } from './parcel.ts';

/*
 * Parcels are immutable: what is the same object has not changed.
 */

/** What a change did to one parcel: null before for one that it added, null after for one that it removed. */
export interface ParcelDifference {
  readonly before: Parcel | null;
  readonly after: Parcel | null;
}

/** Whether two lists hold the very same parcels in the same order. */
export function isSameList(a: readonly Parcel[], b: readonly Parcel[]): boolean {
  return a === b || (a.length === b.length && a.every((parcel, position) => Object.is(parcel, b[position])));
}

/** What has become of parcels from one list to another. */
export function differences(before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelDifference[] {
  if (before === after) return [];
  const [oldParcels, newParcels] = betweenCommonEnds(before, after);
  const old = new Map(oldParcels.map((parcel) => [parcel.id, parcel]));
  const kept = new Set(newParcels.map(({ id }) => id));
  const removed = oldParcels.filter(({ id }) => !kept.has(id));
  return [
    ...newParcels.flatMap((parcel): ParcelDifference[] => {
      const known = old.get(parcel.id) ?? null;
      return known === parcel ? [] : [{ before: known, after: parcel }];
    }),
    ...removed.map((parcel) => ({ before: parcel, after: null })),
  ];
}

/** What two lists do not have in common at their beginnings and ends: mostly one parcel, however long they are. */
function betweenCommonEnds(
  before: readonly Parcel[],
  after: readonly Parcel[],
): readonly [readonly Parcel[], readonly Parcel[]] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

/** The parcels that a change takes off a list, and those that it makes others, as they were. */
export function removedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  const histories = new Set(after.map(historyIdOf));
  return before.filter((parcel) => !histories.has(historyIdOf(parcel)));
}

/** The parcels that a change puts on a list, and those that it makes others, as they are. */
export function addedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  return removedParcels(after, before);
}

import { historyIdOf } from './identity.ts';
import type { Parcel, Watchlist } from './parcel.ts';

/*
 * Parcels are immutable: what is the same object has not changed. `Object.is` looks at the references only; with `===` the
 * runtime reads a word of each parcel, which in a list of ten thousand takes nine times as long.
 */

/** What a change did to one parcel: null before for one that it added, null after for one that it removed. */
export interface ParcelDifference {
  readonly before: Parcel | null;
  readonly after: Parcel | null;
}

/** Whether two lists hold the very same parcels in the same order. */
export function isSameList(a: readonly Parcel[], b: readonly Parcel[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let position = 0; position < a.length; position += 1) if (!Object.is(a[position], b[position])) return false;
  return true;
}

/** What has become of parcels from one list to another. */
export function differences(before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelDifference[] {
  const [oldOnes, newOnes] = withoutUnmoved(before, after);
  const old = new Map(oldOnes.map((parcel) => [parcel.id, parcel]));
  const found: ParcelDifference[] = [];
  for (const parcel of newOnes) {
    const known = old.get(parcel.id) ?? null;
    if (known !== parcel) found.push({ before: known, after: parcel });
    old.delete(parcel.id);
  }
  for (const parcel of old.values()) found.push({ before: parcel, after: null });
  return found;
}

/**
 * What two lists hold, without the parcels that are the same in the same place, counted from the beginning or
 * from the end: mostly few are left, also where one was added or removed, and only those are looked up.
 */
function withoutUnmoved(
  before: readonly Parcel[],
  after: readonly Parcel[],
): readonly [oldOnes: readonly Parcel[], newOnes: readonly Parcel[]] {
  const [oldOnes, newOnes]: [Parcel[], Parcel[]] = [[], []];
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > 0 && newEnd > 0 && Object.is(before[oldEnd - 1], after[newEnd - 1])) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  for (let index = 0; index < Math.max(oldEnd, newEnd); index += 1) {
    if (index < oldEnd && index < newEnd && Object.is(before[index], after[index])) continue;
    if (index < oldEnd) oldOnes.push(before[index] as Parcel);
    if (index < newEnd) newOnes.push(after[index] as Parcel);
  }
  return [oldOnes, newOnes];
}

/** The parcels that a change takes off a list, and those that it makes others, as they were. */
export function removedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  const isKept = ({ before: old, after: parcel }: ParcelDifference): boolean =>
    old === null || (parcel !== null && historyIdOf(parcel) === historyIdOf(old));
  if (differences(before, after).every(isKept)) return [];
  const histories = new Set(after.map(historyIdOf));
  return before.filter((parcel) => !histories.has(historyIdOf(parcel)));
}

/** The parcels that a change puts on a list, and those that it makes others, as they are. */
export function addedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  return removedParcels(after, before);
}

/** A change of one parcel; a change that answers its argument changes nothing. */
export type ParcelChange = (parcel: Parcel) => Parcel;

/** The watchlist with the parcels of these ids changed; itself when nothing changed. */
export function changeParcels(watchlist: Watchlist, changes: ReadonlyMap<string, ParcelChange>): Watchlist {
  const parcels = watchlist.parcels.map((parcel) => changes.get(parcel.id)?.(parcel) ?? parcel);
  return isSameList(parcels, watchlist.parcels) ? watchlist : { ...watchlist, parcels };
}

/**
 * The same change, which answers a parcel that it has just been given without making the change again: what others write
 * meanwhile lets all changes be made again, most often to the same parcels.
 */
export function rememberingChange(change: ParcelChange): ParcelChange {
  let last: { readonly given: Parcel; readonly answered: Parcel } | null = null;
  return (parcel) => {
    if (last?.given !== parcel) last = { given: parcel, answered: change(parcel) };
    return last.answered;
  };
}

import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type ParcelGroup, stageGroup, stageGroups } from '../list/groups.ts';
import { comparePlaces, type Place, placing } from '../list/urgency-order.ts';
import type { ChangeableDigest } from './list-digest.ts';

/** How many parcels are worked on before everybody else has a turn. */
export const parcelsInTurn = 250;

/** How many are sorted or merged before that. */
const sortedInTurn = 4_096;

/** Nothing was delivered on this day. */
const noDay = Date.UTC(9000, 0);

/** Lets everybody else have a turn. */
type Pause = () => Promise<void>;

/** Finds out where parcels stand, whatever day it is. */
export const placingOnNoDay = (zone: Zone): ((parcel: Parcel) => Place) => placing({ now: noDay, zone });

/** The watched parcels by urgency on a day on which nothing was delivered, as `arrangeAll` has them. */
export async function orderedInTurns(
  parcels: readonly Parcel[],
  zone: Zone,
  pause: Pause,
): Promise<{
  readonly order: readonly Parcel[];
  readonly groups: readonly ParcelGroup[];
  readonly columns: Omit<ChangeableDigest, 'tours'>;
}> {
  const placeOf = placingOnNoDay(zone);
  const watched = parcels.filter(({ archivedAt }) => archivedAt === null);
  const placed = await mappedInTurns(watched, (parcel) => ({ ...placeOf(parcel), parcel }), pause);
  const sorted = await sortedInTurns(placed, comparePlaces, pause);
  await pause();
  const order = sorted.map(({ parcel }) => parcel);
  const byGroup = Map.groupBy(sorted, ({ rank }) => stageGroup(rank).key);
  const groups = stageGroups((key) => byGroup.get(key)?.map(({ parcel }) => parcel));
  const columns = {
    urgency: Float64Array.from(sorted, ({ urgency }) => urgency),
    addedAt: Float64Array.from(sorted, ({ addedAt }) => addedAt),
  };
  return { order, groups, columns };
}

/**
 * What a function makes of each of some.
 * @param inTurn how many before everybody else has a turn
 */
export async function mappedInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
  pause: Pause,
  inTurn = parcelsInTurn,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    if (index % inTurn === 0) await pause();
    made.push(make(item));
  }
  return made;
}

/** Sorts; equal ones keep their order. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: (left: Item, right: Item) => number,
  pause: Pause,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += sortedInTurn) {
    await pause();
    runs.push(items.slice(from, from + sortedInTurn).sort(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergedInTurns(runs[index] ?? [], runs[index + 1] ?? [], compare, pause));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInTurns<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (left: Item, right: Item) => number,
  pause: Pause,
): Promise<readonly Item[]> {
  if (right.length === 0) return left;
  const merged: Item[] = [];
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    if (merged.length % sortedInTurn === 0) await pause();
    const isLeft = b >= right.length || (a < left.length && compare(left[a] as Item, right[b] as Item) <= 0);
    merged.push((isLeft ? left[a++] : right[b++]) as Item);
  }
  return merged;
}

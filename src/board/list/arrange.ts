import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewer } from '../../watchlist/rules/late-delivery.ts';
import type { ListedParcels } from '../../watchlist/state/view-memory.ts';
import { courierGroup, inGroups, type ParcelGroup, stageGroup } from './groups.ts';
import { type Sorting, sorted, urgentFirst } from './sort-orders.ts';
import { comparePlaces, placing } from './urgency-order.ts';

/** The parcels of the board in the order in which they are shown. */
export interface Arrangement {
  /** What the headings say; null for a list without headings. */
  readonly grouping: 'stage' | 'courier' | null;
  /** Top to bottom; groups without parcels are left out. None in a list without headings. */
  readonly groups: readonly ParcelGroup[];
  /** All listed parcels, top to bottom, those of collapsed groups included. */
  readonly order: readonly Parcel[];
  /** Those that would be listed without a filter, in the same order. */
  readonly unfiltered: readonly Parcel[];
}

/** What to arrange. */
export interface ArrangeInput extends Viewer {
  readonly parcels: readonly Parcel[];
  /** By urgency when left out. */
  readonly sorting?: Sorting;
  /** The watched ones when left out. */
  readonly listed?: ListedParcels;
}

/** Parcels that a filter looks at in one turn: some milliseconds. */
const parcelsATurn = 500;

/** An arrangement without what a filter does not pass; the rest stays in its order. */
export function filtered(arrangement: Arrangement, passes: (parcel: Parcel) => boolean): Arrangement {
  const turns = filteredInTurns(arrangement, passes);
  for (;;) {
    const turn = turns.next();
    if (turn.done === true) return turn.value;
  }
}

/** As {@link filtered}; others may have their turn wherever it yields. */
export function* filteredInTurns(
  { grouping, groups, unfiltered }: Arrangement,
  passes: (parcel: Parcel) => boolean,
): Generator<void, Arrangement> {
  let looked = 0;
  const passing = function* (parcels: readonly Parcel[]): Generator<void, readonly Parcel[]> {
    const kept: Parcel[] = [];
    for (const parcel of parcels) {
      looked += 1;
      if (looked % parcelsATurn === 0) yield;
      if (passes(parcel)) kept.push(parcel);
    }
    return kept;
  };
  if (grouping === null) return { grouping, groups, order: yield* passing(unfiltered), unfiltered };
  const kept: ParcelGroup[] = [];
  for (const group of groups) {
    const parcels = yield* passing(group.parcels);
    if (parcels.length > 0) kept.push({ ...group, parcels });
  }
  return { grouping, groups: kept, order: kept.flatMap(({ parcels }) => parcels), unfiltered };
}

/**
 * Sorts parcels: by urgency into groups, newest event first; by courier into groups of their couriers; in every other order,
 * and in the archive, into one list. Equal ones keep their order.
 */
export function arrangeAll(input: ArrangeInput): Arrangement {
  const { listed = 'watched', now, parcels, sorting = urgentFirst, zone } = input;
  const placeOf = placing({ now, zone });
  const entries = parcels
    .filter((parcel) => (parcel.archivedAt === null) === (listed === 'watched'))
    .map((parcel) => ({ parcel, place: placeOf(parcel) }))
    .sort((left, right) => comparePlaces(left.place, right.place));
  const byUrgency = entries.map(({ parcel }) => parcel);
  const inOrder = sorted(byUrgency, sorting, { now, zone });
  const grouping = groupingOf(sorting, listed);
  const ranks = new Map(grouping === 'stage' ? entries.map(({ parcel, place }) => [parcel, place.rank]) : []);
  const groupOf = grouping === 'courier' ? courierGroup : (parcel: Parcel) => stageGroup(ranks.get(parcel) ?? 0);
  const groups = grouping === null ? [] : inGroups(inOrder, groupOf);
  const order = grouping === null ? inOrder : groups.flatMap((group) => group.parcels);
  return { grouping, groups, order, unfiltered: order };
}

/** In an order by instants or numbers, headings would tear apart what stands beside each other. */
function groupingOf({ order }: Sorting, listed: ListedParcels): Arrangement['grouping'] {
  if (order === 'courier') return 'courier';
  return order === 'urgency' && listed === 'watched' ? 'stage' : null;
}

import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewer } from '../../watchlist/rules/late-delivery.ts';
import type { ListedParcels } from '../../watchlist/state/view-memory.ts';
import { urgencyWithinStage } from '../status/standing.ts';
import { instantOf } from '../status/view-stage.ts';
import { courierGroup, inGroups, type ParcelGroup, stageGroup, urgencyRank } from './groups.ts';
import { type Sorting, sorted, urgentFirst } from './sort-orders.ts';

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

/** An arrangement without what a filter does not pass; the rest stays in its order. */
export function filtered(
  { grouping, groups, unfiltered }: Arrangement,
  passes: (parcel: Parcel) => boolean,
): Arrangement {
  if (grouping === null) return { grouping, groups, order: unfiltered.filter(passes), unfiltered };
  const kept = groups
    .map((group): ParcelGroup => ({ ...group, parcels: group.parcels.filter(passes) }))
    .filter(({ parcels }) => parcels.length > 0);
  return { grouping, groups: kept, order: kept.flatMap(({ parcels }) => parcels), unfiltered };
}

/** Whether a parcel is among those that a list shows. */
export const isListed = ({ archivedAt }: Parcel, listed: ListedParcels): boolean =>
  (archivedAt === null) === (listed === 'watched');

/**
 * Sorts parcels: by urgency into groups, newest event first; by courier into groups of their couriers; in every other order,
 * and in the archive, into one list. Equal ones keep their order.
 */
export function arrangeAll(input: ArrangeInput): Arrangement {
  const { listed = 'watched', now, parcels, sorting = urgentFirst, zone } = input;
  const rankOf = urgencyRank({ now, zone });
  const placeOf = (parcel: Parcel): Place => ({
    rank: rankOf(parcel),
    urgency: urgencyWithinStage(parcel),
    addedAt: instantOf(parcel.addedAt) ?? Number.NEGATIVE_INFINITY,
  });
  const entries = parcels
    .filter((parcel) => isListed(parcel, listed))
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

/** What decides where a parcel stands in a list by urgency. */
interface Place {
  readonly rank: number;
  readonly urgency: number;
  readonly addedAt: number;
}

/** Which of two places comes first: negative for the first, 0 where neither does. */
function comparePlaces(left: Place, right: Place): number {
  // The difference of two infinities is not a number.
  return left.rank - right.rank || right.urgency - left.urgency || right.addedAt - left.addedAt || 0;
}

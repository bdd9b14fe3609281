import type { Parcel } from '../../watchlist/model/parcel.ts';
import { differences } from '../../watchlist/model/parcel-differences.ts';
import { ParcelPositions } from '../../watchlist/model/parcel-positions.ts';
import { urgencyWithinStage } from '../status/standing.ts';
import { instantOf } from '../status/view-stage.ts';
import { dateInZone } from '../time/zone-time.ts';
import { type ArrangeInput, type Arrangement, arrangeAll } from './arrange.ts';
import { type ParcelGroup, stageGroup, urgencyRank } from './groups.ts';
import { partitionPoint } from './partition-point.ts';
import { type SortOrder, sortComparison, urgentFirst } from './sort-orders.ts';

/** From so many parcels on, to arrange all of them takes longer than a frame. */
const longList = 2_000;

/** Of more changes than this part of a list, to arrange all of it is quicker. */
const mostChangedPart = 1 / 50;

/** The orders in which a parcel keeps its place as long as it stays as it is: not those by courier, which makes groups, and by how long it stands still. */
const lastingOrders: readonly SortOrder[] = [
  'urgency',
  'newest-event',
  'next-check',
  'days-under-way',
  'expected',
  'label',
];

interface Kept {
  readonly input: ArrangeInput;
  /** The viewer's day, on which the groups depend. */
  readonly day: string;
  readonly arrangement: Arrangement;
}

/** Of so few parcels each is looked for in its group; of more, a group is gone through once. */
const few = 8;

/** So often a parcel is looked for by going through the references of the list, which is quick; beyond, its id is entered. */
const mostSearches = 64;

/** What decides where a parcel stands: as in {@link arrangeAll}. */
interface Place {
  readonly rank: number;
  readonly urgency: number;
  readonly addedAt: number;
  /** In the watchlist; asked for where all else is equal. */
  readonly position: () => number;
}

/**
 * Arranges a long list by what has changed in it: as {@link arrangeAll}, which takes longer the longer the list is. Where the
 * list is short, in an order that time changes, or much has changed, all of it is arranged.
 */
export class KeptArrangement {
  readonly #positions = new ParcelPositions();
  #kept: Kept | null = null;

  /** The arrangement without a filter. */
  arrange(input: ArrangeInput): Arrangement {
    const arrangement = this.#again(input, dateInZone(input.now, input.zone)) ?? arrangeAll(input);
    this.know(input, arrangement);
    return arrangement;
  }

  /** Goes on from an arrangement that somebody else has made. */
  know(input: ArrangeInput, arrangement: Arrangement): void {
    this.#kept = { input, day: dateInZone(input.now, input.zone), arrangement };
  }

  #again(input: ArrangeInput, day: string): Arrangement | null {
    const kept = this.#kept;
    const { sorting = urgentFirst } = input;
    if (kept === null || input.parcels.length < longList || kept.day !== day || !isSameOrder(kept.input, input))
      return null;
    if (!lastingOrders.includes(sorting.order) || (sorting.order === 'urgency' && sorting.isReversed)) return null;
    const { parcels } = input;
    if (parcels === kept.input.parcels) return kept.arrangement;
    const changes = differences(kept.input.parcels, parcels);
    if (changes.length > parcels.length * mostChangedPart) return null;
    // The order among equal ones is that of the list, so only what stays in its place or comes behind all is put in.
    const before = kept.input.parcels;
    const isInPlace = changes.every(({ before: old, after, isAt, wasAt }) => {
      if (after === null) return true;
      return old === null
        ? isAt >= parcels.length - changes.length
        : before.length === parcels.length && isAt === wasAt;
    });
    if (!isInPlace) return null;

    const rankOf = urgencyRank(input);
    const placeOf = (parcel: Parcel, position: () => number): Place => ({
      rank: rankOf(parcel),
      urgency: urgencyWithinStage(parcel),
      addedAt: instantOf(parcel.addedAt) ?? Number.NEGATIVE_INFINITY,
      position,
    });
    let searches = 0;
    const positionOf = (parcel: Parcel): number => {
      searches += 1;
      return searches > mostSearches ? this.#positions.indexOf(parcels, parcel.id) : parcels.indexOf(parcel);
    };
    if (kept.arrangement.grouping === null) {
      const belongs = ({ archivedAt }: Parcel): boolean => (archivedAt === null) === (input.listed !== 'archive');
      const { compare, sortValue } = sortComparison(sorting, input.now);
      const gone = changes.flatMap(({ before: old }) => (old !== null && belongs(old) ? [old] : []));
      const order = without([...kept.arrangement.unfiltered], new Set(gone));
      for (const { after, isAt } of changes) {
        if (after === null || !belongs(after)) continue;
        const place = placeOf(after, () => isAt);
        const value = sortValue(after);
        const standsBefore = (other: Parcel): boolean => {
          const by = compare(sortValue(other), value);
          return by === 0
            ? isBefore(
                placeOf(other, () => positionOf(other)),
                place,
              )
            : by < 0;
        };
        order.splice(partitionPoint(order, standsBefore), 0, after);
      }
      return { grouping: null, groups: [], order, unfiltered: order };
    }
    const groups = new Map(kept.arrangement.groups.map((group) => [group.key, group]));
    const changed = new Map<string, Parcel[]>();
    const listOf = (rank: number): Parcel[] => {
      const { key } = stageGroup(rank);
      const list = changed.get(key) ?? [...(groups.get(key)?.parcels ?? [])];
      changed.set(key, list);
      return list;
    };
    const ranks = new Map<string, number>();
    const gone = new Set<Parcel>();
    for (const { before: old } of changes) {
      if (old === null || old.archivedAt !== null) continue;
      gone.add(old);
      const rank = rankOf(old);
      ranks.set(stageGroup(rank).key, rank);
      listOf(rank);
    }
    for (const [key, list] of changed) changed.set(key, without(list, gone));
    for (const { after, isAt } of changes) {
      if (after === null || after.archivedAt !== null) continue;
      const place = placeOf(after, () => isAt);
      ranks.set(stageGroup(place.rank).key, place.rank);
      const list = listOf(place.rank);
      list.splice(
        partitionPoint(list, (other) =>
          isBefore(
            placeOf(other, () => positionOf(other)),
            place,
          ),
        ),
        0,
        after,
      );
    }
    return withGroups(kept.arrangement, changed, ranks);
  }
}

function without(list: Parcel[], gone: ReadonlySet<Parcel>): Parcel[] {
  if (gone.size > few) return list.filter((parcel) => !gone.has(parcel));
  for (const parcel of gone) {
    const at = list.indexOf(parcel);
    if (at !== -1) list.splice(at, 1);
  }
  return list;
}

function isSameOrder(one: ArrangeInput, other: ArrangeInput): boolean {
  const [a, b] = [one.sorting ?? urgentFirst, other.sorting ?? urgentFirst];
  return (
    a.order === b.order &&
    a.isReversed === b.isReversed &&
    (one.listed ?? 'watched') === (other.listed ?? 'watched') &&
    one.zone === other.zone
  );
}

function isBefore(one: Place, other: Place): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank;
  if (one.urgency !== other.urgency) return one.urgency > other.urgency;
  if (one.addedAt !== other.addedAt) return one.addedAt > other.addedAt;
  return one.position() < other.position();
}

/** The arrangement with these groups in place of those with their keys, in the order of their ranks. */
function withGroups(
  before: Arrangement,
  changed: ReadonlyMap<string, readonly Parcel[]>,
  ranks: ReadonlyMap<string, number>,
): Arrangement {
  const known = before.groups.map((group): ParcelGroup => {
    const parcels = changed.get(group.key);
    return parcels === undefined ? group : { ...group, parcels };
  });
  const keys = new Set(known.map(({ key }) => key));
  const added = [...changed]
    .filter(([key]) => !keys.has(key))
    .map(([key, parcels]): ParcelGroup => ({ ...stageGroup(ranks.get(key) ?? 0), parcels }));
  const groups = [...known, ...added]
    .filter(({ parcels }) => parcels.length > 0)
    .sort((left, right) => rankOfGroup(left) - rankOfGroup(right));
  // Not one by one: they are many.
  const order = ([] as readonly Parcel[]).concat(...groups.map(({ parcels }) => parcels));
  return { grouping: 'stage', groups, order, unfiltered: order };
}

/** The ranks of the groups by urgency, as few as they are. */
function rankOfGroup({ key }: ParcelGroup): number {
  for (let rank = 0; rank < mostRanks; rank += 1) if (stageGroup(rank).key === key) return rank;
  return mostRanks;
}

const mostRanks = 20;

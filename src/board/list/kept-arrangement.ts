import type { Parcel } from '../../watchlist/model/parcel.ts';
import { differences } from '../../watchlist/model/parcel-differences.ts';
import { ParcelPositions } from '../../watchlist/model/parcel-positions.ts';
import { dateInZone } from '../time/zone-time.ts';
import { type ArrangeInput, type Arrangement, arrangeAll } from './arrange.ts';
import { stageGroup, stageGroups } from './groups.ts';
import { partitionPoint } from './partition-point.ts';
import { type SortOrder, sortComparison, urgentFirst } from './sort-orders.ts';
import { comparePlaces, type Place, placing } from './urgency-order.ts';

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

/**
 * Arranges a long list by what has changed in it: as {@link arrangeAll}, which takes longer the longer the list is. Where the
 * list is short, in an order that time changes, or much has changed, all of it is arranged.
 */
export class KeptArrangement {
  readonly #positions = new ParcelPositions();
  #kept: Kept | null = null;

  /** The arrangement without a filter. */
  arrange(input: ArrangeInput): Arrangement {
    const day = dateInZone(input.now, input.zone);
    const arrangement = this.#again(input, day) ?? arrangeAll(input);
    this.#kept = { input, day, arrangement };
    return arrangement;
  }

  #again(input: ArrangeInput, day: string): Arrangement | null {
    const kept = this.#kept;
    const { sorting = urgentFirst } = input;
    if (kept === null || kept.day !== day || orderOf(kept.input) !== orderOf(input)) return null;
    if (input.parcels === kept.input.parcels && input.now === kept.input.now) return kept.arrangement;
    if (input.parcels.length < longList) return null;
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

    const belongs = ({ archivedAt }: Parcel): boolean => (archivedAt === null) === (input.listed !== 'archive');
    const placeOf = placing(input);
    const { compare, sortValue } = sortComparison(sorting, input);
    let searches = 0;
    const positionOf = (parcel: Parcel): number => {
      searches += 1;
      return searches > mostSearches ? this.#positions.indexOf(parcels, parcel.id) : parcels.indexOf(parcel);
    };
    const { grouping, groups, unfiltered } = kept.arrangement;
    // A list without headings is as one group.
    const keyOf = ({ rank }: Place): string => (grouping === null ? '' : stageGroup(rank).key);
    const known = new Map(grouping === null ? [['', unfiltered]] : groups.map(({ key, parcels: some }) => [key, some]));
    const changed = new Map<string, Parcel[]>();
    const listOf = (place: Place): Parcel[] => {
      const key = keyOf(place);
      const list = changed.get(key) ?? [...(known.get(key) ?? [])];
      changed.set(key, list);
      return list;
    };
    const gone = new Set(changes.flatMap(({ before: old }) => (old !== null && belongs(old) ? [old] : [])));
    for (const old of gone) listOf(placeOf(old));
    for (const [key, list] of changed) changed.set(key, without(list, gone));
    for (const { after, isAt } of changes) {
      if (after === null || !belongs(after)) continue;
      const place = placeOf(after);
      const value = sortValue(after);
      const standsBefore = (other: Parcel): boolean => {
        const by = compare(sortValue(other), value) || comparePlaces(placeOf(other), place);
        return (by || positionOf(other) - isAt) < 0;
      };
      const list = listOf(place);
      list.splice(partitionPoint(list, standsBefore), 0, after);
    }
    const shown = grouping === null ? [] : stageGroups((key) => changed.get(key) ?? known.get(key));
    // Not one by one: they are many.
    const order = ([] as readonly Parcel[]).concat(
      ...shown.map(({ parcels: some }) => some),
      changed.get('') ?? known.get('') ?? [],
    );
    return { grouping, groups: shown, order, unfiltered: order };
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

/** In what order parcels are arranged. */
const orderOf = ({ listed = 'watched', sorting = urgentFirst, zone }: ArrangeInput): string =>
  `${listed} ${sorting.order} ${sorting.isReversed} ${zone.name}`;

import { parseInstant, type Zone } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { parcelStage, shownStage } from '../../parcels/parcel-state.ts';
import { isSnoozed } from '../../parcels/snooze.ts';
import { type ShownStage, shownStages, stageTable } from '../../parcels/stages.ts';
import { localTime } from '../../service/timeline-order.ts';
import type { ListedParcels } from '../../store/saved-view.ts';
import { courierName } from '../parcel-facts.ts';
import { expectedDay } from '../status/expected-delivery.ts';
import { urgencyWithinStage, type Viewing } from '../status/status-now.ts';
import { dateInZone, dateText } from '../time.ts';
import { type Sorting, sortParcels, urgentFirst } from './sort-orders.ts';

export interface ParcelGroup {
  /** Stays the same across restarts. */
  readonly key: string;
  readonly title: string;
  /** The stages of its parcels. Empty if parcels are not grouped by stage. */
  readonly stages: readonly ShownStage[];
  readonly parcels: readonly Parcel[];
}

type GroupRule = Omit<ParcelGroup, 'parcels'> & {
  /** Restricts the group to parcels whose last event is from today (true) or from an earlier day (false). */
  readonly today?: boolean;
};

/** In order of urgency. Parcels delivered today have their own group, which is not collapsed at first. */
const stageRules: readonly GroupRule[] = shownStages.flatMap((stage): readonly GroupRule[] => {
  const rule = { key: stage, title: stageTable[stage].title, stages: [stage] };
  if (stage !== 'delivered') return [rule];
  return [
    { ...rule, key: 'delivered-today', title: `${rule.title} today`, today: true },
    { ...rule, today: false },
  ];
});

/** Always the last group. */
const snoozedGroup: GroupRule = { key: 'snoozed', title: 'Snoozed', stages: [] };

const firstRanks: ReadonlyMap<ShownStage, number> = new Map(
  stageRules.flatMap(({ stages }, rank) => stages.map((stage) => [stage, rank] as const)).toReversed(),
);

export const initiallyCollapsed: readonly string[] = ['delivered'];

/** Returns a function that maps a parcel to the index of its group, where 0 is the most urgent one. */
function createUrgencyRank({ now, zone }: Viewing): (parcel: Parcel) => number {
  const today = dateInZone(now, zone);
  return (parcel) => {
    if (isSnoozed(parcel, now)) return stageRules.length;
    const first = firstRanks.get(shownStage(parcel)) ?? -1;
    // Computes the day only if a rule needs it.
    return stageRules[first]?.today !== true || lastEventDay(parcel, zone) === today ? first : first + 1;
  };
}

function courierGroup(parcel: Parcel): GroupRule {
  const name = courierName(parcel);
  return { key: `courier ${name ?? ''}`, title: name ?? 'Courier not known yet', stages: [] };
}

function dayGroup(parcel: Parcel, viewing: Viewing): GroupRule {
  const title = expectedDay(parcel, viewing)?.heading ?? 'No date';
  return { key: `expected ${title}`, title, stages: [] };
}

function groupParcels(parcels: readonly Parcel[], groupOf: (parcel: Parcel) => GroupRule): readonly ParcelGroup[] {
  const groups = new Map<string, GroupRule & { readonly parcels: Parcel[] }>();
  for (const parcel of parcels) {
    const rule = groupOf(parcel);
    const group = groups.get(rule.key);
    if (group === undefined) groups.set(rule.key, { ...rule, parcels: [parcel] });
    else group.parcels.push(parcel);
  }
  return [...groups.values()];
}

/**
 * Returns the day of the last event as `YYYY-MM-DD`, in the viewer's zone, or in the courier's if its zone is unknown.
 * Null if there is no event.
 */
function lastEventDay({ lastEvent }: Parcel, zone: Zone): string | null {
  if (lastEvent === null) return null;
  const at = parseInstant(lastEvent.at);
  const wall = at === null ? localTime(lastEvent) : zone.wallTime(at);
  return wall === null ? null : dateText(wall);
}

/** The parcels on the board, in display order. */
export interface Arrangement {
  /** Null for a list without headings. */
  readonly grouping: 'stage' | 'courier' | 'day' | null;
  /** From top to bottom, without empty groups. Empty for a list without headings. */
  readonly groups: readonly ParcelGroup[];
  readonly order: readonly Parcel[];
  /** All parcels in the same order, ignoring the filter. */
  readonly unfiltered: readonly Parcel[];
}

export interface ArrangeInput extends Viewing {
  readonly parcels: readonly Parcel[];
  /** Defaults to most urgent first. */
  readonly sorting?: Sorting;
  /** Defaults to the watched parcels. */
  readonly listed?: ListedParcels;
}

/** Applies a filter without changing the order. */
export function filterArrangement(
  { grouping, groups, unfiltered }: Arrangement,
  passes: (parcel: Parcel) => boolean,
): Arrangement {
  const order = unfiltered.filter(passes);
  const visible = new Set(order);
  const visibleGroups = groups
    .map((group): ParcelGroup => ({ ...group, parcels: group.parcels.filter((parcel) => visible.has(parcel)) }))
    .filter(({ parcels }) => parcels.length > 0);
  return { grouping, groups: visibleGroups, order, unfiltered };
}

export const isListed = ({ archivedAt }: Parcel, listed: ListedParcels): boolean =>
  (archivedAt === null) === (listed === 'watched');

/**
 * Sorts parcels and groups them by stage, courier or expected day, if that is what they are sorted by. With other
 * orders and in the archive, which is only grouped by courier, they form one list. The sort is stable.
 */
export function arrangeAll(input: ArrangeInput): Arrangement {
  const { listed = 'watched', parcels, sorting = urgentFirst } = input;
  const rankOf = createUrgencyRank(input);
  const entries = parcels
    .filter((parcel) => isListed(parcel, listed))
    .map((parcel) => ({
      parcel,
      rank: rankOf(parcel),
      urgency: urgencyWithinStage(parcel),
      addedAt: parseInstant(parcel.addedAt) ?? Number.NEGATIVE_INFINITY,
    }))
    // `|| 0` turns the NaN of `Infinity - Infinity` into 0.
    .sort((a, b) => a.rank - b.rank || b.urgency - a.urgency || b.addedAt - a.addedAt || 0);
  const byUrgency = entries.map(({ parcel }) => parcel);
  const sortedParcels = sortParcels(byUrgency, sorting, input);
  const ranks = new Map(entries.map(({ parcel, rank }) => [parcel, rank]));
  const grouping = chooseGrouping(sorting, listed);
  const groupOf = (parcel: Parcel): GroupRule => {
    if (grouping === 'courier') return courierGroup(parcel);
    return grouping === 'day' ? dayGroup(parcel, input) : (stageRules[ranks.get(parcel) ?? 0] ?? snoozedGroup);
  };
  const groups = grouping === null ? [] : groupParcels(sortedParcels, groupOf);
  const order = grouping === null ? sortedParcels : groups.flatMap((group) => group.parcels);
  return { grouping, groups, order, unfiltered: order };
}

/** Other orders have no groups, because headings would pull neighbours apart. */
function chooseGrouping({ order }: Sorting, listed: ListedParcels): Arrangement['grouping'] {
  if (order === 'courier') return 'courier';
  if (listed === 'archive') return null;
  return order === 'urgency' ? 'stage' : order === 'expected' ? 'day' : null;
}

/** Returns parcels that were delivered before today in the viewer's zone, except archived ones. */
export function deliveredBeforeToday(parcels: readonly Parcel[], { now, zone }: Viewing): readonly Parcel[] {
  const today = dateInZone(now, zone);
  const isBeforeToday = (parcel: Parcel): boolean => (lastEventDay(parcel, zone) ?? '') < today;
  return parcels.filter(
    (parcel) => parcel.archivedAt === null && parcelStage(parcel) === 'delivered' && isBeforeToday(parcel),
  );
}

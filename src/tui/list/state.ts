import type { Arrangement } from '../../board/list/arrange.ts';
import {
  findGroupRow,
  findParcelRow,
  type ListRow,
  type ListRows,
  neighbourHeading as neighbourHeadingRow,
  scrollBy,
} from '../../board/list/list-rows.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { Board, Selection, ShownList } from '../board.ts';
import { moveWithin } from '../layout.ts';
import type { UiState } from '../ui-state.ts';

type SelectedRow = Pick<UiState, 'selectedGroup' | 'selectedId' | 'selectedIndex'>;

export type CollapseState = Pick<UiState, 'collapsed' | 'collapsedInFilter'>;

/**
 * Returns the selection in the current list. It follows the parcel, even into a collapsed group, whose heading is then
 * selected. If the parcel is gone, the row in its place is selected.
 */
export function effectiveSelection(list: ShownList, chosen: SelectedRow): Selection {
  const found = findRow(list, chosen);
  return selectionAt(list, found === -1 ? stopAt(list, 0, chosen.selectedIndex) : found);
}

const noSelection: Selection = { row: -1, parcelId: null, group: null, index: -1, position: -1 };

/** Returns the index of the chosen row, or -1. */
function findRow({ arrangement, rows }: ShownList, { selectedGroup, selectedId }: SelectedRow): number {
  if (selectedGroup !== null) return findGroupRow(rows, selectedGroup);
  if (selectedId === null) return -1;
  const row = findParcelRow(rows, selectedId);
  const group = row === -1 ? findGroupKey(arrangement, selectedId) : null;
  return group === null ? row : findGroupRow(rows, group);
}

function selectionAt({ arrangement, rows, stops }: ShownList, at: number): Selection {
  const row: ListRow | undefined = rows[at];
  if (row === undefined) return noSelection;
  const next = stops.findIndex((stop) => stop >= at);
  const index = next === -1 ? stops.length - 1 : next;
  return row.kind === 'heading'
    ? { row: at, parcelId: null, group: row.key, index, position: -1 }
    : { row: at, parcelId: row.parcel.id, group: null, index, position: arrangement.order.indexOf(row.parcel) };
}

/** Returns the row of the stop that is `by` stops away, clamped to the list, or -1. */
const stopAt = ({ stops }: ListRows, from: number, by: number): number =>
  stops[moveWithin(from, by, stops.length - 1)] ?? -1;

/** Moves the selection by this many stops, clamped to the list. */
export function moveSelectionBy(list: ShownList, from: Selection, by: number): Selection {
  const current = from.row;
  const stop = list.stops[from.index] ?? -1;
  // The heading of an expanded group is not a stop, so the next stop is its first parcel.
  const isBetween = current !== -1 && stop !== current;
  const row = stopAt(list, from.index, isBetween && by > 0 && stop > current ? by - 1 : by);
  return row === -1 ? from : selectionAt(list, row);
}

/** Scrolls the list. The selection stays on its row as long as that is visible. */
export function scrollListBy(
  list: ShownList,
  selection: Selection,
  { by, height, offset }: { readonly by: number; readonly height: number; readonly offset: number },
): { readonly offset: number; readonly selection: Selection } {
  const scrolled = scrollBy(list.rows, offset, by, height);
  const { from, to } = scrolled;
  const stop =
    selection.row < from
      ? list.stops.find((row) => row >= from)
      : selection.row > to
        ? list.stops.findLast((row) => row <= to)
        : undefined;
  return { offset: scrolled.offset, selection: stop === undefined ? selection : selectionAt(list, stop) };
}

/** Returns the selection of a visible row. */
export function selectRow(list: ShownList, row: ListRow): Selection {
  const at = row.kind === 'heading' ? findGroupRow(list.rows, row.key) : findParcelRow(list.rows, row.parcel.id);
  return selectionAt(list, at);
}

/** Returns the heading before or after the selected row, or null. */
export function neighbourHeading(list: ShownList, from: Selection, step: 1 | -1): Selection | null {
  const found = neighbourHeadingRow(list.rows, from.row, step);
  return found === -1 ? null : selectionAt(list, found);
}

export function applySelection(
  { selectedId, timelineOffset }: Pick<UiState, 'selectedId' | 'timelineOffset'>,
  { group, index, parcelId }: Pick<Selection, 'group' | 'index' | 'parcelId'>,
): SelectedRow & Partial<UiState> {
  return {
    selectedId: parcelId,
    selectedGroup: group,
    selectedIndex: index,
    revealedId: null,
    timelineOffset: parcelId === selectedId ? timelineOffset : 0,
  };
}

export function selectParcel(
  ui: Pick<UiState, 'selectedId' | 'timelineOffset'>,
  parcelId: string,
  index: number,
): Partial<UiState> {
  return { ...applySelection(ui, { group: null, index, parcelId }), revealedId: parcelId };
}

export function findGroupKey({ groups }: Pick<Arrangement, 'groups'>, parcelId: string): string | null {
  return groups.find(({ parcels }) => parcels.some(({ id }: Parcel) => id === parcelId))?.key ?? null;
}

export function selectedEntry(
  { arrangement, rows }: ShownList,
  selection: Selection,
): Pick<Board, 'heading' | 'selected'> {
  const heading = rows[selection.row];
  return {
    selected: selection.parcelId === null ? null : (arrangement.order[selection.position] ?? null),
    heading: heading?.kind === 'heading' ? heading : null,
  };
}

const noGroups: readonly string[] = [];

/** Returns the keys of the collapsed groups. */
export function collapsedGroups({ collapsed, collapsedInFilter }: CollapseState, filter: string): readonly string[] {
  if (collapsedInFilter?.filter === filter) return collapsedInFilter.groups;
  return filter.trim() === '' ? collapsed : noGroups;
}

function setCollapsedGroups(
  { collapsedInFilter }: CollapseState,
  filter: string,
  groups: readonly string[],
): Partial<CollapseState> {
  const isOfView = collapsedInFilter?.filter === filter;
  return filter.trim() === '' && !isOfView ? { collapsed: groups } : { collapsedInFilter: { filter, groups } };
}

export function toggleCollapsed(state: CollapseState, filter: string, group: string): Partial<CollapseState> {
  const collapsed = collapsedGroups(state, filter);
  return setCollapsedGroups(
    state,
    filter,
    collapsed.includes(group) ? collapsed.filter((key) => key !== group) : [...collapsed, group],
  );
}

export function expandGroup(state: CollapseState, filter: string, group: string): Partial<CollapseState> {
  return collapsedGroups(state, filter).includes(group) ? toggleCollapsed(state, filter, group) : {};
}

/** Collapses all listed groups, or expands them if all are collapsed. Other groups do not change. */
export function toggleAllCollapsed(
  state: CollapseState,
  filter: string,
  { groups }: Pick<Arrangement, 'groups'>,
): Partial<CollapseState> {
  const now = collapsedGroups(state, filter);
  const keys = groups.map(({ key }) => key);
  const others = now.filter((key) => !keys.includes(key));
  const areAllCollapsed = keys.every((key) => now.includes(key));
  return setCollapsedGroups(state, filter, areAllCollapsed ? others : [...others, ...keys]);
}

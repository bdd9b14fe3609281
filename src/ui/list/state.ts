import type { Arrangement } from '../../board/list/arrange.ts';
import { type HeadingRow, headingKey, type ListRow, type ListRows, rowKey } from '../../board/list/list-rows.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ListedParcels } from '../../watchlist/state/view-memory.ts';
import { movedWithin } from '../pane/scroll.ts';

/** The list's part of the state. */
export interface ListState {
  /** The parcel that the user chose; it may be out of sight. See {@link effectiveSelection}. */
  readonly selectedId: string | null;
  /** Key of the group whose heading the user chose; null when a parcel is. */
  readonly selectedGroup: string | null;
  /** At which stop of the list the selection stood last, for when its row leaves the list. */
  readonly selectedIndex: number;
  /** A parcel that is to be seen, wherever it stands: its group is opened for it. Null when that is done. */
  readonly revealedId: string | null;
  /** Which parcels are listed. */
  readonly listed: ListedParcels;
}

/** The list as it is drawn. */
export interface ShownList extends ListRows {
  readonly arrangement: Pick<Arrangement, 'groups' | 'order'>;
}

/** The selected row, as the user sees it. */
export interface Selection {
  /** What names the row; null when nothing is selected. */
  readonly rowKey: string | null;
  /** Among the rows of the list; -1 when nothing is selected. */
  readonly row: number;
  /** Null when no parcel is selected. */
  readonly parcelId: string | null;
  /** Key of the group whose heading is selected. */
  readonly group: string | null;
  /** Among the stops of the list: the row's own, else the next one; -1 in an empty list. */
  readonly index: number;
  /** Among all listed parcels, hidden ones included; -1 when no parcel is selected. */
  readonly position: number;
}

/**
 * What is selected in the list as it now is. Selection follows the parcel, not the row: into a collapsed group, whose
 * heading is selected for it then. When the parcel has left the list (archived, filtered out), the row that took its place
 * is selected.
 */
export function effectiveSelection(list: ShownList, state: Omit<ListState, 'listed' | 'revealedId'>): Selection {
  const { rows, stops } = list;
  // Mostly where it stood last, and to look through a long list takes longer than to draw it.
  const last = stops[state.selectedIndex] ?? -1;
  if (isChosen(rows[last], state)) return selectionAt(list, last);
  const chosen = chosenKey(list, state);
  const found = chosen === null ? -1 : rows.findIndex((row) => rowKey(row) === chosen);
  if (found !== -1) return selectionAt(list, found);
  const stop = stops[movedWithin(0, state.selectedIndex, stops.length - 1)];
  return stop === undefined ? nothing : selectionAt(list, stop);
}

const nothing: Selection = { rowKey: null, row: -1, parcelId: null, group: null, index: -1, position: -1 };

function isChosen(row: ListRow | undefined, { selectedGroup, selectedId }: ChosenRow): boolean {
  if (row === undefined) return false;
  if (row.kind === 'heading') return row.key === selectedGroup;
  return selectedGroup === null && row.parcel.id === selectedId;
}

type ChosenRow = Pick<ListState, 'selectedGroup' | 'selectedId'>;

/** The key of the row that stands for what the user chose. */
function chosenKey({ arrangement, rows }: ShownList, state: ChosenRow) {
  const { selectedGroup, selectedId } = state;
  if (selectedGroup !== null) return headingKey(selectedGroup);
  if (selectedId === null || rows.some((row) => isRowOf(row, selectedId))) return selectedId;
  const group = arrangement.groups.find(({ parcels }) => parcels.some(({ id }) => id === selectedId));
  return group === undefined ? null : headingKey(group.key);
}

const isRowOf = (row: ListRow, parcelId: string): boolean => row.kind === 'parcel' && row.parcel.id === parcelId;

function selectionAt(list: ShownList, at: number): Selection {
  const row = list.rows[at];
  if (row === undefined) return nothing;
  const index = Math.min(firstStop(list.stops, at), list.stops.length - 1);
  if (row.kind === 'heading') {
    return { rowKey: rowKey(row), row: at, parcelId: null, group: row.key, index, position: -1 };
  }
  const { id } = row.parcel;
  return { rowKey: id, row: at, parcelId: id, group: null, index, position: positionOf(list, at) };
}

/** The first of the stops, which ascend, that is not above a row; their number where all are. */
function firstStop(stops: readonly number[], row: number): number {
  let low = 0;
  let high = stops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle] ?? row) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the parcel of a row stands among all that are listed: counted by groups, of which there are few. */
function positionOf({ arrangement, rows }: ShownList, at: number): number {
  let hidden = 0;
  let heading = 0;
  for (const { parcels } of arrangement.groups) {
    if (heading >= at) break;
    const row = rows[heading];
    const isCollapsed = row?.kind === 'heading' && row.isCollapsed;
    hidden += isCollapsed ? parcels.length - 1 : -1;
    heading += isCollapsed ? 1 : parcels.length + 1;
  }
  return at + hidden;
}

/** The selection `by` stops further down (or up, when negative), stopping at the ends. */
export function movedSelection(list: ShownList, from: Selection, by: number): Selection {
  const { stops } = list;
  const current = from.row;
  // From the heading of an open group, which is no stop, the next one down is one step already.
  const isBetween = current !== -1 && stops[from.index] !== current;
  const step = isBetween && by > 0 && (stops[from.index] ?? -1) > current ? by - 1 : by;
  const stop = stops[movedWithin(from.index, step, stops.length - 1)];
  return stop === undefined ? from : selectionAt(list, stop);
}

/** The heading before or after the selected row; null when there is none. */
export function neighbourHeading(list: ShownList, from: Selection, step: 1 | -1): Selection | null {
  const { rows } = list;
  const current = from.row;
  const isThere = (row: ListRow, at: number): boolean =>
    row.kind === 'heading' && (step === 1 ? at > current : at < current);
  const found = step === 1 ? rows.findIndex(isThere) : rows.findLastIndex(isThere);
  return found === -1 ? null : selectionAt(list, found);
}

/** What of the state makes a row the selected one. */
export const withRow = ({ group, index, parcelId }: Selection): Omit<ListState, 'listed' | 'revealedId'> => ({
  selectedId: parcelId,
  selectedGroup: group,
  selectedIndex: index,
});

/** The group of a parcel in the list; null where it has none. */
export function groupOf({ groups }: Pick<Arrangement, 'groups'>, parcelId: string): string | null {
  return groups.find(({ parcels }) => parcels.some(({ id }: Parcel) => id === parcelId))?.key ?? null;
}

/** What is selected, as more than a row. */
export interface SelectedInList {
  /** Null when no parcel is selected. */
  readonly selected: Parcel | null;
  /** Null when no heading is. */
  readonly heading: HeadingRow | null;
  /** The parcels to which the next keys are likely to lead. */
  readonly around: readonly (Parcel | undefined)[];
}

/** The parcel or heading of a selection, and the parcels beside it. */
export function selectedIn({ arrangement, rows, stops }: ShownList, selection: Selection): SelectedInList {
  const parcelAt = (stop: number): Parcel | undefined => {
    const row = rows[stops[stop] ?? -1];
    return row?.kind === 'parcel' ? row.parcel : undefined;
  };
  const heading = rows[selection.row];
  return {
    selected: selection.parcelId === null ? null : (arrangement.order[selection.position] ?? null),
    heading: heading?.kind === 'heading' ? heading : null,
    around: [parcelAt(selection.index + 1), parcelAt(selection.index - 1)],
  };
}

import type { Arrangement } from '../../board/list/arrange.ts';
import { headingKey, type ListRow, type ListRows, rowKey } from '../../board/list/list-rows.ts';
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
  const chosen = chosenKey(list, state);
  const found = chosen === null ? -1 : rows.findIndex((row) => rowKey(row) === chosen);
  if (found !== -1) return selectionAt(list, found);
  const stop = stops[movedWithin(0, state.selectedIndex, stops.length - 1)];
  return stop === undefined ? nothing : selectionAt(list, stop);
}

const nothing: Selection = { rowKey: null, parcelId: null, group: null, index: -1, position: -1 };

/** The key of the row that stands for what the user chose. */
function chosenKey({ arrangement, rows }: ShownList, state: Pick<ListState, 'selectedGroup' | 'selectedId'>) {
  const { selectedGroup, selectedId } = state;
  if (selectedGroup !== null) return headingKey(selectedGroup);
  if (selectedId === null || rows.some((row) => isRowOf(row, selectedId))) return selectedId;
  const group = arrangement.groups.find(({ parcels }) => parcels.some(({ id }) => id === selectedId));
  return group === undefined ? null : headingKey(group.key);
}

const isRowOf = (row: ListRow, parcelId: string): boolean => row.kind === 'parcel' && row.parcel.id === parcelId;

function selectionAt({ arrangement, rows, stops }: ShownList, at: number): Selection {
  const row = rows[at];
  if (row === undefined) return nothing;
  const next = stops.findIndex((stop) => stop >= at);
  const index = next === -1 ? stops.length - 1 : next;
  if (row.kind === 'heading') return { rowKey: rowKey(row), parcelId: null, group: row.key, index, position: -1 };
  const { id } = row.parcel;
  return { rowKey: id, parcelId: id, group: null, index, position: arrangement.order.indexOf(row.parcel) };
}

/** The selection `by` stops further down (or up, when negative), stopping at the ends. */
export function movedSelection(list: ShownList, from: Selection, by: number): Selection {
  const { rows, stops } = list;
  const current = rows.findIndex((row) => rowKey(row) === from.rowKey);
  // From the heading of an open group, which is no stop, the next one down is one step already.
  const isBetween = current !== -1 && stops[from.index] !== current;
  const step = isBetween && by > 0 && (stops[from.index] ?? -1) > current ? by - 1 : by;
  const stop = stops[movedWithin(from.index, step, stops.length - 1)];
  return stop === undefined ? from : selectionAt(list, stop);
}

/** The heading before or after the selected row; null when there is none. */
export function neighbourHeading(list: ShownList, from: Selection, step: 1 | -1): Selection | null {
  const { rows } = list;
  const current = rows.findIndex((row) => rowKey(row) === from.rowKey);
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

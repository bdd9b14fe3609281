import { movedWithin } from '../pane/scroll.ts';

/** The list's part of the state. */
export interface ListState {
  /** The parcel that the user chose; it may be out of sight. See {@link effectiveSelection}. */
  readonly selectedId: string | null;
  /** Where the selection stood last, for when its parcel leaves the list. */
  readonly selectedIndex: number;
}

/** The selected row, as the user sees it. */
export interface Selection {
  readonly parcelId: string | null;
  /** -1 when nothing is selected. */
  readonly index: number;
}

/**
 * What is selected in the list as it now is. Selection follows the parcel, not the row; when the parcel has left the
 * list (archived, filtered out), the row that took its place is selected.
 */
export function effectiveSelection(order: readonly string[], { selectedId, selectedIndex }: ListState): Selection {
  const found = selectedId === null ? -1 : order.indexOf(selectedId);
  if (found !== -1) return { parcelId: selectedId, index: found };
  const index = order.length === 0 ? -1 : movedWithin(0, selectedIndex, order.length - 1);
  return { parcelId: order[index] ?? null, index };
}

/** The selection `by` rows further down (or up, when negative), stopping at the ends. */
export function movedSelection(order: readonly string[], from: Selection, by: number): Selection {
  const index = movedWithin(from.index, by, order.length - 1);
  return { parcelId: order[index] ?? null, index };
}

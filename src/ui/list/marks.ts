import { useMemo } from 'react';
import { isListed } from '../../board/list/arrange.ts';
import { type ListRow, parcelsBetween, rowOfParcel } from '../../board/list/list-rows.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ListState, Selection, ShownList } from './state.ts';

/** The part of the state that holds what is marked. */
export interface MarksState {
  /** Ids of the parcels that were marked, range left out; some may be gone. See {@link effectiveMarks}. */
  readonly marked: ReadonlySet<string>;
  /** The parcel with which a range was begun, which reaches to the selected one; null outside a range. */
  readonly rangeFrom: string | null;
}

/** What is marked, as the user sees it. */
export interface Marks {
  readonly ids: ReadonlySet<string>;
  /** How many of them the list does not show, e.g. because of a filter. */
  readonly unlisted: number;
  readonly isRange: boolean;
}

/** Nothing is marked. */
export const noMarks: MarksState = { marked: new Set(), rangeFrom: null };

/** What a list makes of the state of its marks. */
export interface MarkedList {
  /** Of the marked ids those whose parcels could be listed. */
  readonly known: readonly string[];
  /** How many of these are listed, in collapsed groups or not. */
  readonly listed: number;
  /** See {@link rangeOf}; none outside a range. */
  readonly range: readonly string[];
}

/** Marks follow their parcels, whatever is listed in which order, and go when the parcel goes. */
export function effectiveMarks({ rangeFrom }: MarksState, { known, listed, range }: MarkedList): Marks {
  return { ids: new Set([...known, ...range]), unlisted: known.length - listed, isRange: rangeFrom !== null };
}

/**
 * The parcels from one to the selected row, those of collapsed groups left out; the selected one alone where the other has no
 * row any more.
 * @param selectedRow -1 for none
 */
export function rangeOf(rows: readonly ListRow[], fromId: string, selectedRow: number): readonly string[] {
  if (selectedRow === -1) return [];
  const from = rowOfParcel(rows, fromId);
  return idsOf(parcelsBetween(rows, from === -1 ? selectedRow : from, selectedRow));
}

const idsOf = (parcels: readonly Parcel[]): readonly string[] => parcels.map(({ id }) => id);

/** What a board marks parcels in. */
interface MarkedBoard {
  readonly listed: ShownList;
  readonly selection: Selection;
  readonly parcels: readonly Parcel[];
}

const none: readonly string[] = [];

/** What is marked on the board as it now is. */
export function useMarks(
  { marked, rangeFrom, listed: view }: MarksState & Pick<ListState, 'listed'>,
  { parcels, listed: { arrangement, rows }, selection: { row } }: MarkedBoard,
): Marks {
  const { order } = arrangement;
  const known = useMemo(
    () => (marked.size === 0 ? none : idsOf(parcels.filter((one) => marked.has(one.id) && isListed(one, view)))),
    [marked, parcels, view],
  );
  const listed = useMemo(
    () => (marked.size === 0 ? 0 : order.filter(({ id }) => marked.has(id)).length),
    [marked, order],
  );
  const range = useMemo(() => (rangeFrom === null ? none : rangeOf(rows, rangeFrom, row)), [rangeFrom, rows, row]);
  return useMemo(
    () => effectiveMarks({ marked, rangeFrom }, { known, listed, range }),
    [marked, rangeFrom, known, listed, range],
  );
}

/** One parcel marked, or not marked any more; a range comes to its end. */
export function toggled({ ids, isRange }: Marks, parcelId: string): MarksState {
  if (isRange) return { marked: ids, rangeFrom: null };
  const marked = new Set(ids);
  if (!marked.delete(parcelId)) marked.add(parcelId);
  return { marked, rangeFrom: null };
}

/** All of these marked; where they are already, none of them. */
export function toggledAll({ ids }: Marks, parcelIds: readonly string[]): MarksState {
  const listed = new Set(parcelIds);
  const areMarked = parcelIds.every((id) => ids.has(id));
  const others = [...ids].filter((id) => !listed.has(id));
  return { marked: new Set(areMarked ? others : [...others, ...parcelIds]), rangeFrom: null };
}

/** Takes the marks off these. */
export const withoutMarks =
  (parcels: readonly Pick<Parcel, 'id'>[]) =>
  ({ marked }: Pick<MarksState, 'marked'>): MarksState => {
    const taken = new Set(parcels.map(({ id }) => id));
    return { marked: new Set([...marked].filter((id) => !taken.has(id))), rangeFrom: null };
  };

/** How many are marked, for the frame of the list; null for none. */
export function marksText({ ids, isRange, unlisted }: Marks): string | null {
  if (ids.size === 0) return null;
  const besides = unlisted === 0 ? '' : `, ${unlisted} not listed`;
  return `${isRange ? 'range: ' : ''}${ids.size} marked${besides}`;
}

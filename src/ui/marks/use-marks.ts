import { useMemo, useState } from 'react';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { ParcelPositions } from '../../watchlist/model/parcel-positions.ts';
import type { ListState, Selection, ShownList } from '../list/state.ts';
import { effectiveMarks, type Marks, type MarksState, rangeOf } from './state.ts';

/** What a board marks parcels in. */
interface MarkedBoard {
  readonly listed: ShownList;
  readonly selection: Selection;
  readonly parcels: readonly Parcel[];
}

const none: readonly string[] = [];

/** What is marked on the board as it now is: found by what is marked, since to go through a long list takes longer than a frame. */
export function useMarks(
  { marked, rangeFrom, listed: view }: MarksState & Pick<ListState, 'listed'>,
  { parcels, listed: { arrangement, rows }, selection: { row } }: MarkedBoard,
): Marks {
  const [positions] = useState(() => new ParcelPositions());
  const known = useMemo(() => {
    const isKnown = (id: string): boolean => {
      const parcel = positions.find(parcels, id);
      return parcel !== null && (parcel.archivedAt === null) === (view === 'watched');
    };
    return marked.size === 0 ? none : [...marked].filter(isKnown);
  }, [positions, marked, parcels, view]);
  const { order, unfiltered } = arrangement;
  const listed = useMemo(() => {
    if (known.length === 0 || order === unfiltered) return known.length;
    const ids = new Set(known);
    return order.reduce((count, { id }) => (ids.has(id) ? count + 1 : count), 0);
  }, [known, order, unfiltered]);
  const range = useMemo(() => (rangeFrom === null ? none : rangeOf(rows, rangeFrom, row)), [rangeFrom, rows, row]);
  return useMemo(
    () => effectiveMarks({ marked, rangeFrom }, { known, listed, range }),
    [marked, rangeFrom, known, listed, range],
  );
}

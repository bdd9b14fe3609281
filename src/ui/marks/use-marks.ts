import { useMemo } from 'react';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Selection } from '../list/state.ts';
import { effectiveMarks, type MarkedList, type Marks, type MarksState } from './state.ts';

/** What a board marks parcels in. */
interface MarkedBoard extends Pick<MarkedList, 'order'> {
  readonly selection: Selection;
  readonly parcels: readonly Parcel[];
}

/** What is marked on the board as it now is. */
export function useMarks({ marked, rangeFrom }: MarksState, { parcels, order, selection }: MarkedBoard): Marks {
  const { index } = selection;
  return useMemo(() => {
    // Most of the time nothing is marked, and then nobody has to know all parcels.
    const watched = marked.size === 0 ? [] : parcels.filter(({ archivedAt }) => archivedAt === null);
    const known = new Set(watched.map(({ id }) => id));
    return effectiveMarks({ marked, rangeFrom }, { known, order, selectedIndex: index });
  }, [marked, rangeFrom, parcels, order, index]);
}

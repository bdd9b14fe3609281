import { useMemo } from 'react';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ListState, Selection, ShownList } from '../list/state.ts';
import { effectiveMarks, type Marks, type MarksState } from './state.ts';

/** What a board marks parcels in. */
interface MarkedBoard {
  readonly listed: ShownList;
  readonly selection: Selection;
  readonly parcels: readonly Parcel[];
}

/** What is marked on the board as it now is. */
export function useMarks(
  { marked, rangeFrom, listed: view }: MarksState & Pick<ListState, 'listed'>,
  { parcels, listed, selection }: MarkedBoard,
): Marks {
  const isRange = rangeFrom !== null;
  const hasMarks = marked.size > 0;
  const { order } = listed.arrangement;
  // Most of the time nothing is marked, and then nobody has to know all parcels.
  const known = useMemo(() => {
    const watched = hasMarks ? parcels.filter(({ archivedAt }) => (archivedAt === null) === (view === 'watched')) : [];
    return new Set(watched.map(({ id }) => id));
  }, [hasMarks, parcels, view]);
  const ids = useMemo(() => (hasMarks || isRange ? order.map(({ id }) => id) : []), [hasMarks, isRange, order]);
  const rows = useMemo(() => (isRange ? idsOfRows(listed) : []), [isRange, listed]);
  const selectedIndex = isRange ? indexInRange(listed, selection) : -1;
  return useMemo(
    () => effectiveMarks({ marked, rangeFrom }, { known, order: ids, rows, selectedIndex }),
    [marked, rangeFrom, known, ids, rows, selectedIndex],
  );
}

/** The parcels over which a range can reach. */
const idsOfRows = ({ rows }: ShownList): readonly string[] =>
  rows.flatMap((row) => (row.kind === 'parcel' ? [row.parcel.id] : []));

/** Which of them is selected; a heading stands between two. */
function indexInRange({ rows }: ShownList, { row: at }: Selection): number {
  if (at === -1) return -1;
  let before = 0;
  for (let row = 0; row < at; row += 1) if (rows[row]?.kind === 'parcel') before += 1;
  return rows[at]?.kind === 'parcel' ? before : before - 0.5;
}

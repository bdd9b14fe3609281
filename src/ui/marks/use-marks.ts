import { useMemo } from 'react';
import { rowKey } from '../../board/list/list-rows.ts';
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
  const selectedKey = selection.rowKey;
  return useMemo(() => {
    // Most of the time nothing is marked, and then nobody has to know all parcels.
    const watched =
      marked.size === 0 ? [] : parcels.filter(({ archivedAt }) => (archivedAt === null) === (view === 'watched'));
    const known = new Set(watched.map(({ id }) => id));
    const order = marked.size === 0 && rangeFrom === null ? [] : listed.arrangement.order.map(({ id }) => id);
    const range = rangeFrom === null ? { rows: [], selectedIndex: -1 } : rowsOfRange(listed, selectedKey);
    return effectiveMarks({ marked, rangeFrom }, { known, order, ...range });
  }, [marked, rangeFrom, view, parcels, listed, selectedKey]);
}

/** The rows over which a range reaches, and which of them is selected. A heading stands between two of them. */
function rowsOfRange({ rows }: ShownList, selectedKey: string | null) {
  const at = rows.findIndex((row) => rowKey(row) === selectedKey);
  const isParcel = ({ kind }: { readonly kind: string }): boolean => kind === 'parcel';
  const before = rows.slice(0, Math.max(0, at)).filter(isParcel).length;
  const ids = rows.flatMap((row) => (row.kind === 'parcel' ? [row.parcel.id] : []));
  return { rows: ids, selectedIndex: at === -1 ? -1 : rows[at]?.kind === 'parcel' ? before : before - 0.5 };
}

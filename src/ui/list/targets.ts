import type { Arrangement } from '../../board/list/arrange.ts';
import type { MonitorState } from '../../polling/core/state.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type Binding, needsSelection, type Selected } from '../keys/binding.ts';
import type { Marks } from './marks.ts';

/** A board with parcels that are marked or selected. */
export interface TargetBoard extends Selected {
  readonly arrangement: Pick<Arrangement, 'order'>;
  readonly marks: Marks;
  readonly state: Pick<MonitorState, 'parcels'>;
}

/** The parcels that are marked, those that are listed first and in their order; none while nothing is marked. */
function markedParcels({ arrangement, marks: { ids }, state }: TargetBoard): readonly Parcel[] {
  if (ids.size === 0) return [];
  const listed = new Set(arrangement.order);
  const isMarked = ({ id }: Parcel): boolean => ids.has(id);
  const others = state.parcels.filter((parcel) => isMarked(parcel) && !listed.has(parcel));
  return [...arrangement.order.filter(isMarked), ...others];
}

/** What a key does that acts on all that are marked, or else on the selected parcel. */
export function onTargets<Board extends TargetBoard>(
  act: (board: Board, parcels: readonly Parcel[]) => void,
): Pick<Binding<Board>, 'run' | 'disabled'> {
  return {
    disabled: (board) => (board.marks.ids.size > 0 ? null : needsSelection(board)),
    run: (board) => {
      const marked = markedParcels(board);
      if (marked.length > 0) act(board, marked);
      else if (board.selected !== null) act(board, [board.selected]);
    },
  };
}

/**
 * What a key does that takes one parcel: the marked one, or else the selected one. Of several marked ones it takes none, since
 * it is not known which is meant.
 */
export function onOneTarget<Board extends TargetBoard>(
  act: (board: Board, parcel: Parcel) => void,
): Pick<Binding<Board>, 'run' | 'disabled'> {
  return {
    disabled: (board) => {
      const { size } = board.marks.ids;
      if (size === 0) return needsSelection(board);
      return size === 1 ? null : `This takes one parcel, and ${size} are marked. Esc takes the marks off.`;
    },
    run: (board) => {
      const [parcel = board.selected] = markedParcels(board);
      if (parcel !== null) act(board, parcel);
    },
  };
}

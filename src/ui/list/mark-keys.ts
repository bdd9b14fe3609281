import { showMessage } from '../footer/messages.ts';
import { type Binding, needsSelection } from '../keys/binding.ts';
import type { ListBoard } from './list-board.ts';
import { noMarks, toggled, toggledAll } from './marks.ts';
import { movedSelection, withSelection } from './state.ts';

/** What can be done with marks, for those who have just set the first. */
const whatNext = 'x d r c e # m y act on all that are marked; Esc takes the marks off.';

/** Marks the selected parcel and goes on to the next, so that a held key marks many; in a range, ends that. */
function markSelected(board: ListBoard): void {
  const { change, listed, marks, selected, selection } = board;
  if (selected === null) return;
  if (marks.ids.size === 0) showMessage(board, whatNext);
  change(toggled(marks, selected.id));
  if (marks.isRange) return;
  const next = movedSelection(listed, selection, 1);
  change((ui) => withSelection(ui, next));
}

function markRange(board: ListBoard): void {
  const { change, marks, selected } = board;
  if (marks.isRange) change({ marked: marks.ids, rangeFrom: null });
  else if (selected !== null) {
    change({ marked: marks.ids, rangeFrom: selected.id });
    showMessage(board, 'A range: move to extend it. v ends it, Esc leaves it.');
  }
}

/** Parcels that the filter lets through, those of collapsed groups as well. */
const matching = ({ arrangement }: ListBoard): readonly string[] => arrangement.order.map(({ id }) => id);

/** Keys that mark parcels of the list. */
export const markKeys: readonly Binding<ListBoard>[] = [
  {
    keys: [' '],
    hint: 'mark',
    description: 'Mark the parcel, or take its mark off, and go down; ends a range',
    disabled: needsSelection,
    run: markSelected,
  },
  { keys: ['v'], description: 'Mark a range: moving extends it', disabled: needsSelection, run: markRange },
  {
    keys: ['*'],
    description: 'Mark all that match; again: none of them',
    disabled: ({ arrangement }) => (arrangement.order.length === 0 ? 'There is nothing to mark.' : null),
    run: (board) => board.change(toggledAll(board.marks, matching(board))),
  },
];

/** Leaves a range, or takes all marks off; answers false where there is neither. */
export function leaveMarks({ change, marks }: Pick<ListBoard, 'change' | 'marks'>): boolean {
  if (!marks.isRange && marks.ids.size === 0) return false;
  // What was marked before the range stays.
  change(marks.isRange ? { rangeFrom: null } : noMarks);
  return true;
}

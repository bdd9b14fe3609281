import { completeFilter } from '../../board/filter/complete-filter.ts';
import { termExamples } from '../../board/filter/term-list.ts';
import type { Change } from '../change.ts';
import type { FieldState } from '../field/state.ts';
import { emptyEdit } from '../field/text-edit.ts';
import type { FocusState } from '../focus/state.ts';
import type { FooterState } from '../footer/state.ts';
import type { Binding, EditedText, KeyGroup } from '../keys/binding.ts';
import { moving } from '../keys/movement.ts';
import { moveSelection } from '../list/keys.ts';
import type { ListBoard } from '../list/list-board.ts';
import type { ListState } from '../list/state.ts';
import type { TimelineState } from '../timeline/state.ts';
import { completeKeys } from '../typing/complete.ts';
import { noMatchMessage, wholeFilterProblem } from './message.ts';

/** The state, as far as the filter reads and changes it. */
type FilterUi = ListState & TimelineState & FieldState & FocusState & FooterState;

/** The board, as far as the keys of the filter need it. */
interface FilterBoard extends Pick<ListBoard, 'arrangement' | 'listed' | 'scroll' | 'selection' | 'state'> {
  readonly change: Change<FilterUi>;
  readonly ui: FilterUi;
}

/** The key that leads to the filter. */
export const openFilter: Binding<{ readonly change: Change<FocusState> }> = {
  keys: ['/'],
  hint: 'filter',
  description: `Filter by words (of number, label, tag, courier, last mile, status, place, event, order number, remark, signature, delivery day, size, weight) and terms: ${termExamples}; ! leaves out, "quotes" hold together`,
  alsoFoundBy: ['search', 'find'],
  leadsToField: true,
  run: ({ change }) => change({ focus: 'filter' }),
};

/** A filter with a mistake stays in the field, to be corrected. */
function apply(board: FilterBoard): void {
  const message = wholeFilterProblem(board);
  board.change(message === null ? { focus: 'list', message: noMatchMessage(board) } : { message });
}

const filterText: EditedText<FilterUi, FilterBoard> = {
  read: ({ filter }) => filter,
  write: (_ui, filter) => ({ filter }),
  complete: ({ state, ui }) => completeFilter(ui.filter.text, ui.filter.cursor, state.parcels),
};

/** Keys of the filter. */
export const filterKeys: KeyGroup<FilterUi, FilterBoard> = {
  context: 'filter',
  title: 'Filter',
  isClosed: true,
  text: filterText,
  bindings: [
    {
      keys: ['enter'],
      hint: 'apply',
      description: 'Apply the filter, back to the list',
      alwaysShown: true,
      run: apply,
    },
    {
      keys: ['escape'],
      hint: 'clear',
      description: 'Clear the filter',
      alwaysShown: true,
      run: ({ change }) => change({ filter: emptyEdit, focus: 'list' }),
    },
    { keys: ['down'], description: 'Down the list', ...moving('down', moveSelection) },
    { keys: ['up'], description: 'Up the list', ...moving('up', moveSelection) },
    ...completeKeys(filterText, 'a term, its value, a label or a number'),
  ],
};

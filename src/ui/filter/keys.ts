import { completeFilter } from '../../board/filter/complete-filter.ts';
import { termExamples } from '../../board/filter/term-list.ts';
import type { Board } from '../app/board.ts';
import { emptyEdit } from '../field/text-edit.ts';
import type { Binding, EditedText, KeyGroup } from '../keys/binding.ts';
import { moving } from '../keys/movement.ts';
import { moveSelection } from '../list/keys.ts';
import { completeKeys } from '../typing/complete.ts';
import { noMatchMessage, wholeFilterProblem } from './message.ts';

/** The key that leads to the filter. */
export const openFilter: Binding<Board> = {
  keys: ['/'],
  hint: 'filter',
  description: `Filter by words (of number, label, tag, courier, last mile, status, place, event, order number, remark, signature, delivery day, size, weight) and terms: ${termExamples}; ! leaves out, "quotes" hold together`,
  alsoFoundBy: ['search', 'find'],
  leadsToField: true,
  run: ({ change }) => change({ focus: 'filter' }),
};

/** A filter with a mistake stays in the field, to be mended. */
function apply(board: Board): void {
  const message = wholeFilterProblem(board);
  board.change(message === null ? { focus: 'list', message: noMatchMessage(board) } : { message });
}

const filterText: EditedText<Board['ui'], Board> = {
  read: ({ filter }) => filter,
  write: (_ui, filter) => ({ filter }),
  complete: ({ state, ui }) => completeFilter(ui.filter.text, ui.filter.cursor, state.parcels),
};

/** Keys of the filter. */
export const filterKeys: KeyGroup<Board['ui'], Board> = {
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

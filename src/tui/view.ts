import { urgentFirst } from '../board/list/sort-orders.ts';
import { knownViews, readOrder, viewNamed } from '../board/views.ts';
import type { Board } from './board.ts';
import { editOf } from './field/text-edit.ts';
import { showMessage } from './footer/messages.ts';
import type { Binding } from './keys/binding.ts';

const namesOf = ({ views = [] }: Pick<Board, 'views'>): readonly string[] => knownViews(views).map(({ name }) => name);

/** Shows the list as a view has it: filter and order. */
function showView(board: Board, name: string): void {
  const view = viewNamed(knownViews(board.views ?? []), name);
  if (view === undefined) {
    showMessage(board, `There is no view "${name}". Use: ${namesOf(board).join(', ')}.`, { tone: 'attention' });
    return;
  }
  const { filter = '', order = '' } = view;
  board.change({ filter: editOf(filter), sorting: readOrder(order) ?? urgentFirst, focus: 'list' });
  showMessage(board, `${view.name}: ${filter === '' ? 'all parcels' : filter}.`);
}

export const viewCommand: Binding = {
  id: 'view',
  keys: [],
  description: 'Show a view: filter and order',
  alsoFoundBy: ['saved', 'tab'],
  command: { name: 'view', argument: 'NAME', known: namesOf, run: showView },
  run: ({ change }) => change({ message: { tone: 'plain', text: 'Type :view and a name, such as late.' } }),
};

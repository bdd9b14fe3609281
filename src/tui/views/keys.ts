import { collapsedAtFirst } from '../../board/list/arrange.ts';
import { knownViews, orderName, type View, viewNamed } from '../../board/views.ts';
import type { Board } from '../board.ts';
import { runWithStatus, showMessage } from '../footer/messages.ts';
import type { Binding } from '../keys/binding.ts';
import { collapsedGroups } from '../list/state.ts';
import { currentView, openedView, shownColumns, viewsOf } from './state.ts';

const namesOf = (board: Board): readonly string[] => knownViews(viewsOf(board)).map(({ name }) => name);

/** Runs `:view`, which shows, saves or deletes a view. */
function runCommand(board: Board, argument: string): void {
  const [, verb = '', rest = ''] = /^(save|delete)(?:\s+(.*))?$/is.exec(argument) ?? [];
  const name = rest.trim() || (board.ui.viewName ?? '');
  if (verb === '') showView(board, argument);
  else if (name === '') showMessage(board, `Type :view ${verb} and a name.`, { tone: 'attention' });
  else if (verb.toLowerCase() === 'save') saveView(board, name);
  else deleteView(board, name);
}

function showView(board: Board, name: string): void {
  const view = viewNamed(knownViews(viewsOf(board)), name);
  if (view === undefined) {
    showMessage(board, `There is no view "${name}". Use: ${namesOf(board).join(', ')}.`, { tone: 'attention' });
    return;
  }
  board.change(openedView(view));
  showMessage(board, `${view.name}: ${view.filter === undefined ? 'all parcels' : view.filter}.`);
}

const inDemo = 'Views cannot be saved in the demo. Start parcel-monitor with your own parcels.';

function saveView(board: Board, name: string): void {
  const { change, changeView, ui } = board;
  const before = viewNamed(viewsOf(board), name);
  const view = viewOf(board, before?.name ?? name);
  if (changeView === undefined) {
    showMessage(board, inDemo, { tone: 'attention' });
    return;
  }
  runWithStatus(board, `Saving the view "${view.name}"…`, async () => {
    await changeView(view.name, view);
    const { filter } = ui;
    change({ viewName: view.name, collapsedInFilter: { filter: filter.text, groups: collapsedNow(ui) } });
    change(({ columnsByView }) => ({
      columnsByView: {
        ...columnsByView,
        [view.name]: { chosen: view.columns ?? [], instead: before?.columns ?? [] },
      },
    }));
    const replaced = before === undefined ? '' : ` It replaces ${describeView(before)}.`;
    return `Saved the view "${view.name}".${replaced}`;
  });
}

const collapsedNow = (ui: Board['ui']): readonly string[] => collapsedGroups(ui, ui.filter.text);

/** Returns a view with the current filter, order, columns and collapsed groups. */
function viewOf(board: Board, name: string): View {
  const { ui } = board;
  const filter = ui.filter.text.trim();
  const order = orderName(ui.sorting);
  const columns = shownColumns(viewsOf(board), ui);
  const collapsed = collapsedNow(ui);
  const initial = filter === '' ? collapsedAtFirst : [];
  const isUsual = collapsed.length === initial.length && collapsed.every((group) => initial.includes(group));
  return {
    name,
    ...(filter === '' ? {} : { filter }),
    ...(order === 'urgency' ? {} : { order }),
    ...(columns === null ? {} : { columns }),
    ...(isUsual ? {} : { collapsed }),
  };
}

const describeView = ({ columns, filter = '', order = 'urgency' }: View): string =>
  `${filter === '' ? 'all parcels' : `“${filter}”`} by ${order}${columns === undefined ? '' : ` with ${columns.join(', ')}`}`;

function deleteView(board: Board, name: string): void {
  const { changeView } = board;
  const view = viewNamed(viewsOf(board), name);
  if (view === undefined) {
    const names = viewsOf(board).map((one) => one.name);
    showMessage(board, `There is no view "${name}". Use: ${names.join(', ')}.`, { tone: 'attention' });
  } else if (changeView === undefined) showMessage(board, inDemo, { tone: 'attention' });
  else {
    runWithStatus(board, `Deleting the view "${view.name}"…`, async () => {
      await changeView(view.name, null);
      board.change(({ viewName }) => (viewName === view.name ? { viewName: null } : {}));
      return `Deleted the view "${view.name}", which was ${describeView(view)}.`;
    });
  }
}

/** Shows the view at this index. */
export function showAt(board: Board, at: number): void {
  const views = viewsOf(board);
  const view = views[at];
  if (view !== undefined) board.change(openedView(view));
  else showMessage(board, `There is no view ${at + 1}. Type :view save and a name to create one.`);
}

/** Shows the next or previous view, wrapping around. */
const stepping =
  (step: 1 | -1): Binding['run'] =>
  (board) => {
    const views = viewsOf(board);
    const current = currentView(views, board.ui);
    const from = current === undefined ? (step === 1 ? -1 : 0) : views.indexOf(current);
    showAt(board, (from + step + views.length) % views.length);
  };

const needsViews = (board: Board): string | null =>
  viewsOf(board).length === 0 ? 'There are no views. Type :view save and a name to create one.' : null;

const numberKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export const viewKeys: readonly Binding[] = [
  {
    id: 'view',
    keys: numberKeys,
    description: 'Show a view of the list',
    synonyms: ['saved', 'tab', 'save', 'delete'],
    command: {
      name: 'view',
      argument: 'NAME, save NAME, delete NAME',
      known: (board) => [...namesOf(board), 'save ', ...viewsOf(board).map(({ name }) => `delete ${name}`)],
      run: runCommand,
    },
    disabled: needsViews,
    run: (board, _times, which = -1) => {
      if (which === -1) showMessage(board, 'Press the number of the view, or type :view and its name.');
      else showAt(board, which);
    },
  },
  {
    id: 'next-view',
    keys: [']'],
    description: 'Next view',
    synonyms: ['tab'],
    disabled: needsViews,
    run: stepping(1),
  },
  {
    id: 'previous-view',
    keys: ['['],
    description: 'Previous view',
    synonyms: ['tab'],
    disabled: needsViews,
    run: stepping(-1),
  },
];

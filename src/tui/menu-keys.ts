import { listColumns } from '../board/list/list-columns.ts';
import { describeSorting, type Sorting, type SortOrder, sortOrders } from '../board/list/sort-orders.ts';
import { columnNames, findColumn, parcelColumns } from '../board/views.ts';
import { fold } from '../lib/text.ts';
import type { Board } from './board.ts';
import { showMessage, showProblem } from './footer.ts';
import { openHelp } from './help/keys.ts';
import { type Binding, type KeyGroup, type Move, movement } from './keys/binding.ts';
import { innerSize, movedWithin } from './layout.ts';
import type { ColumnChoice, UiState } from './ui-state.ts';
import { chosenIn, shownColumns, viewsOf, withColumns } from './views.ts';

const chooseKey = (description: string, run: Binding['run']): Binding => ({
  id: 'choose',
  keys: ['enter'],
  hint: 'choose',
  description,
  alwaysShown: true,
  run,
});

const cancelKey = (keys: readonly string[], run: Binding['run']): Binding => ({
  id: 'close',
  keys,
  hint: 'back',
  description: 'Cancel',
  alwaysShown: true,
  run,
});

const reversed = ({ isReversed, order }: Sorting): Sorting => ({ order, isReversed: !isReversed });

/** Returns the order that is this many steps further, wrapping around. */
function stepped({ order }: Sorting, by: number): Sorting {
  const { length } = sortOrders;
  const at = (((sortOrders.indexOf(order) + by) % length) + length) % length;
  return { order: sortOrders[at] ?? 'urgency', isReversed: false };
}

function sort(board: Board, sorting: Sorting): void {
  const { first, title } = describeSorting(sorting);
  board.change({ sorting, sortingBefore: null });
  showMessage(board, `Sorted ${title}, ${first}.`);
}

/** Sorts by the order, or reverses it if the list is already sorted by it. */
export function sortByColumn(board: Board, order: SortOrder): void {
  const { sorting } = board.ui;
  sort(board, sorting.order === order ? reversed(sorting) : { order, isReversed: false });
}

/** Sorts by the first order whose name starts with the text. */
function sortBy(board: Board, name: string): void {
  const prefix = fold(name).replaceAll(' ', '-');
  const order = sortOrders.find((one) => one.startsWith(prefix));
  if (order !== undefined) sort(board, { order, isReversed: false });
  else showProblem(board, `There is no order "${name}". Use: ${sortOrders.join(', ')}.`);
}

export const sortKeys: readonly Binding[] = [
  {
    id: 'order',
    keys: ['s'],
    hint: 'order',
    description: 'Choose the order of the list',
    synonyms: ['sort'],
    command: { name: 'order', argument: 'NAME', known: () => sortOrders, run: sortBy },
    run: ({ change }) => change(({ sorting }) => ({ sortingBefore: sorting })),
  },
  {
    id: 'reverse',
    keys: ['S'],
    description: 'Reverse the order',
    synonyms: ['sort'],
    run: (board) => sort(board, reversed(board.ui.sorting)),
  },
];

const step: Move = ({ change }, by) => change(({ sorting }) => ({ sorting: stepped(sorting, by) }));

export const orderKeys: KeyGroup = {
  context: 'order',
  title: 'Order',
  isClosed: true,
  bindings: [
    { id: 'down', keys: ['j', 'down', 's'], hint: 'next', description: 'Next order', ...movement('down', step) },
    { id: 'up', keys: ['k', 'up'], hint: 'previous', description: 'Previous order', ...movement('up', step) },
    {
      id: 'reverse',
      keys: ['S'],
      hint: 'reverse',
      description: 'Reverse the order',
      run: ({ change }) => change(({ sorting }) => ({ sorting: reversed(sorting) })),
    },
    chooseKey('Use this order', (board) => sort(board, board.ui.sorting)),
    openHelp,
    cancelKey(['escape', 'q'], ({ change }) =>
      change(({ sorting, sortingBefore }) => ({ sorting: sortingBefore ?? sorting, sortingBefore: null })),
    ),
  ],
};

/** Returns the columns that the list shows now, followed by all others. */
function initialChoice(board: Board): ColumnChoice {
  const own = shownColumns(viewsOf(board), board.ui);
  const { columns } = listColumns(innerSize(board.layout.list).width, board.needs());
  const defaultColumns = columns.flatMap(({ name }) => findColumn(name === 'name' ? 'label' : name) ?? []);
  const now = own ?? defaultColumns;
  return {
    names: [...now, ...parcelColumns.filter((name) => !now.includes(name))],
    shown: new Set(now),
    isUsual: own === null,
    index: 0,
  };
}

const changeChoice =
  (changed: (choice: ColumnChoice) => Partial<ColumnChoice>): Binding['run'] =>
  ({ change }) =>
    change(({ choosing }: UiState) => (choosing === null ? {} : { choosing: { ...choosing, ...changed(choosing) } }));

const move: Move = (board, by) =>
  changeChoice(({ index, names }) => ({ index: movedWithin(index, by, names.length - 1) }))(board, 1);

function toggled({ index, names, shown }: ColumnChoice): Partial<ColumnChoice> {
  const [name] = names.slice(index, index + 1);
  const next = new Set(shown);
  if (name !== undefined && !next.delete(name)) next.add(name);
  return { shown: next, isUsual: next.size === 0 };
}

/** Moves the selected column to an earlier or later place. */
const shifted =
  (by: 1 | -1) =>
  ({ index, names }: ColumnChoice): Partial<ColumnChoice> => {
    const to = movedWithin(index, by, names.length - 1);
    const others = names.filter((_, at) => at !== index);
    return {
      names: [...others.slice(0, to), ...names.slice(index, index + 1), ...others.slice(to)],
      index: to,
      isUsual: false,
    };
  };

function apply({ change, ...board }: Board): void {
  const { choosing } = board.ui;
  if (choosing === null) return;
  const columns = chosenIn(choosing);
  change(withColumns(viewsOf(board), columns));
  change({ choosing: null });
  showMessage(
    { change },
    columns.length === 0 ? 'The columns now depend on the width.' : `Columns: ${columns.join(', ')}.`,
  );
}

/** Shows the columns with the given names, in this order. */
function showColumns(board: Board, text: string): void {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = words.find((word) => findColumn(word) === null);
  const columns = words.map(findColumn).filter((name) => name !== null);
  if (unknown === undefined) board.change(withColumns(viewsOf(board), [...new Set(columns)]));
  else showProblem(board, `There is no column "${unknown}". Use: ${parcelColumns.join(', ')}.`);
}

export const openColumns: Binding = {
  id: 'columns',
  keys: [','],
  description: 'Choose the columns',
  command: { name: 'columns', argument: 'NAME,NAME', known: () => columnNames, run: showColumns },
  run: (board) => board.change({ choosing: initialChoice(board) }),
};

export const columnKeys: KeyGroup = {
  context: 'columns',
  title: 'Columns',
  isClosed: true,
  bindings: [
    { id: 'down', keys: ['j', 'down'], hint: 'next', description: 'Next column', ...movement('down', move) },
    { id: 'up', keys: ['k', 'up'], hint: 'previous', description: 'Previous column', ...movement('up', move) },
    {
      id: 'toggle-column',
      keys: [' '],
      hint: 'show',
      description: 'Show or hide the column',
      alwaysShown: true,
      run: changeChoice(toggled),
    },
    {
      id: 'column-down',
      keys: ['J'],
      hint: 'down',
      description: 'Move the column to the right',
      run: changeChoice(shifted(1)),
    },
    {
      id: 'column-up',
      keys: ['K'],
      hint: 'up',
      description: 'Move the column to the left',
      run: changeChoice(shifted(-1)),
    },
    {
      id: 'usual-columns',
      keys: ['a'],
      hint: 'by width',
      description: 'Let the width decide the columns',
      run: changeChoice(() => ({ isUsual: true })),
    },
    chooseKey('Use these columns', apply),
    openHelp,
    cancelKey(['escape', 'q', ','], ({ change }) => change({ choosing: null })),
  ],
};

import { columnNames, findColumn, parcelColumns } from '../board/columns.ts';
import { listColumns } from '../board/list/list-columns.ts';
import { describeSorting, type Sorting, type SortOrder, sortOrders } from '../board/list/sort-orders.ts';
import { fold } from '../lib/text.ts';
import type { Board } from './board.ts';
import { showMessage, showProblem } from './footer.ts';
import { openHelp } from './help/keys.ts';
import { type Binding, type KeyGroup, type Move, movement } from './keys/binding.ts';
import { innerSize, moveWithin } from './layout.ts';
import type { ColumnMenuState, UiState } from './ui-state.ts';
import { configuredViews, currentColumns, selectedColumns, withColumns } from './views.ts';

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

const reverseSorting = ({ isReversed, order }: Sorting): Sorting => ({ order, isReversed: !isReversed });

/** Returns the order this many steps further on, wrapping around. */
function stepOrder({ order }: Sorting, by: number): Sorting {
  const { length } = sortOrders;
  const index = (((sortOrders.indexOf(order) + by) % length) + length) % length;
  return { order: sortOrders[index] ?? 'urgency', isReversed: false };
}

function sort(board: Board, sorting: Sorting): void {
  const { first, title } = describeSorting(sorting);
  board.change({ sorting, previousSorting: null });
  showMessage(board, `Sorted ${title}, ${first}.`);
}

/** Sorts by a column, or reverses the order if the list is already sorted by it. */
export function sortByColumn(board: Board, order: SortOrder): void {
  const { sorting } = board.ui;
  sort(board, sorting.order === order ? reverseSorting(sorting) : { order, isReversed: false });
}

/** Sorts by the first order whose name starts with the text. */
function sortByName(board: Board, name: string): void {
  const prefix = fold(name).replaceAll(' ', '-');
  const order = sortOrders.find((candidate) => candidate.startsWith(prefix));
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
    command: { name: 'order', argument: 'NAME', suggestions: () => sortOrders, run: sortByName },
    run: ({ change }) => change(({ sorting }) => ({ previousSorting: sorting })),
  },
  {
    id: 'reverse',
    keys: ['S'],
    description: 'Reverse the order',
    synonyms: ['sort'],
    run: (board) => sort(board, reverseSorting(board.ui.sorting)),
  },
];

const step: Move = ({ change }, by) => change(({ sorting }) => ({ sorting: stepOrder(sorting, by) }));

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
      run: ({ change }) => change(({ sorting }) => ({ sorting: reverseSorting(sorting) })),
    },
    chooseKey('Use this order', (board) => sort(board, board.ui.sorting)),
    openHelp,
    cancelKey(['escape', 'q'], ({ change }) =>
      change(({ sorting, previousSorting }) => ({ sorting: previousSorting ?? sorting, previousSorting: null })),
    ),
  ],
};

/** Returns the columns that the list shows now, followed by all others. */
function initialColumnMenu(board: Board): ColumnMenuState {
  const chosenColumns = currentColumns(configuredViews(board), board.ui);
  const { columns } = listColumns(innerSize(board.layout.list).width, board.needs());
  const defaultColumns = columns.flatMap(({ name }) => findColumn(name === 'name' ? 'label' : name) ?? []);
  const initialColumns = chosenColumns ?? defaultColumns;
  return {
    names: [...initialColumns, ...parcelColumns.filter((name) => !initialColumns.includes(name))],
    shown: new Set(initialColumns),
    usesDefaultColumns: chosenColumns === null,
    index: 0,
  };
}

const changeColumnMenu =
  (getChanges: (choice: ColumnMenuState) => Partial<ColumnMenuState>): Binding['run'] =>
  ({ change }) =>
    change(({ columnMenu }: UiState) =>
      columnMenu === null ? {} : { columnMenu: { ...columnMenu, ...getChanges(columnMenu) } },
    );

const move: Move = (board, by) =>
  changeColumnMenu(({ index, names }) => ({ index: moveWithin(index, by, names.length - 1) }))(board, 1);

function toggleColumn({ index, names, shown }: ColumnMenuState): Partial<ColumnMenuState> {
  const [name] = names.slice(index, index + 1);
  const next = new Set(shown);
  if (name !== undefined && !next.delete(name)) next.add(name);
  return { shown: next, usesDefaultColumns: next.size === 0 };
}

/** Moves the selected column to an earlier or later place. */
const shiftColumn =
  (by: 1 | -1) =>
  ({ index, names }: ColumnMenuState): Partial<ColumnMenuState> => {
    const to = moveWithin(index, by, names.length - 1);
    const others = names.filter((_, at) => at !== index);
    return {
      names: [...others.slice(0, to), ...names.slice(index, index + 1), ...others.slice(to)],
      index: to,
      usesDefaultColumns: false,
    };
  };

function apply({ change, ...board }: Board): void {
  const { columnMenu } = board.ui;
  if (columnMenu === null) return;
  const columns = selectedColumns(columnMenu);
  change(withColumns(configuredViews(board), columns));
  change({ columnMenu: null });
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
  if (unknown === undefined) board.change(withColumns(configuredViews(board), [...new Set(columns)]));
  else showProblem(board, `There is no column "${unknown}". Use: ${parcelColumns.join(', ')}.`);
}

export const openColumns: Binding = {
  id: 'columns',
  keys: [','],
  description: 'Choose the columns',
  command: { name: 'columns', argument: 'NAME,NAME', suggestions: () => columnNames, run: showColumns },
  run: (board) => board.change({ columnMenu: initialColumnMenu(board) }),
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
      run: changeColumnMenu(toggleColumn),
    },
    {
      id: 'column-down',
      keys: ['J'],
      hint: 'down',
      description: 'Move the column to the right',
      run: changeColumnMenu(shiftColumn(1)),
    },
    {
      id: 'column-up',
      keys: ['K'],
      hint: 'up',
      description: 'Move the column to the left',
      run: changeColumnMenu(shiftColumn(-1)),
    },
    {
      id: 'usual-columns',
      keys: ['a'],
      hint: 'by width',
      description: 'Let the width decide the columns',
      run: changeColumnMenu(() => ({ usesDefaultColumns: true })),
    },
    chooseKey('Use these columns', apply),
    openHelp,
    cancelKey(['escape', 'q', ','], ({ change }) => change({ columnMenu: null })),
  ],
};

import { type Sorting, type SortOrder, sortingWords, sortOrders } from '../board/list/sort-orders.ts';
import { fold } from '../lib/text.ts';
import type { Board } from './board.ts';
import { showMessage } from './footer.ts';
import { openHelp } from './help/keys.ts';
import { type Binding, type KeyGroup, type Move, movement } from './keys/binding.ts';

const reversed = ({ isReversed, order }: Sorting): Sorting => ({ order, isReversed: !isReversed });

/** Returns the order that is this many steps further, wrapping around. */
function stepped({ order }: Sorting, by: number): Sorting {
  const { length } = sortOrders;
  const at = (((sortOrders.indexOf(order) + by) % length) + length) % length;
  return { order: sortOrders[at] ?? 'urgency', isReversed: false };
}

function sort(board: Board, sorting: Sorting): void {
  const { first, title } = sortingWords(sorting);
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
  else showMessage(board, `There is no order "${name}". Use: ${sortOrders.join(', ')}.`, { tone: 'attention' });
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
    {
      id: 'choose',
      keys: ['enter'],
      hint: 'choose',
      description: 'Use this order',
      alwaysShown: true,
      run: (board) => sort(board, board.ui.sorting),
    },
    openHelp,
    {
      id: 'close',
      keys: ['escape', 'q'],
      hint: 'back',
      description: 'Cancel',
      alwaysShown: true,
      run: ({ change }) =>
        change(({ sorting, sortingBefore }) => ({ sorting: sortingBefore ?? sorting, sortingBefore: null })),
    },
  ],
};

import { type Sorting, sortingWords, sortOrders } from '../board/list/sort-orders.ts';
import { type FooterState, showMessage } from './footer/messages.ts';
import { type HelpState, type OverlayState, openHelp } from './help/keys.ts';
import type { Binding, Change, KeyGroup } from './keys/binding.ts';
import { type Move, moving, type Scrolled } from './keys/movement.ts';
import type { ListState } from './list/state.ts';

export interface OrderState {
  /** The order as it was when the menu was opened, which Escape brings back; null while the menu is closed. */
  readonly sortingBefore: Sorting | null;
}

export const closedOrder: OrderState = { sortingBefore: null };

type OrderedState = Pick<ListState, 'sorting'> & OrderState;

/** The board, as far as the keys of the order need it. */
interface OrderBoard {
  readonly change: Change<OrderedState & FooterState>;
  readonly ui: OrderedState;
}

const reversed = ({ isReversed, order }: Sorting): Sorting => ({ order, isReversed: !isReversed });

/** The order so many further on; behind the last comes the first. */
function stepped({ order }: Sorting, by: number): Sorting {
  const { length } = sortOrders;
  const at = (((sortOrders.indexOf(order) + by) % length) + length) % length;
  return { order: sortOrders[at] ?? 'urgency', isReversed: false };
}

function sayOrder({ change }: OrderBoard, sorting: Sorting): void {
  const { first, title } = sortingWords(sorting);
  showMessage({ change }, `Sorted ${title}, ${first}.`);
}

/** The keys that lead to another order of the list. */
export const sortKeys: readonly Binding<OrderBoard>[] = [
  {
    keys: ['s'],
    hint: 'order',
    description:
      'Choose the order: urgency, newest event, next check, days under way, days still, expected delivery, courier, label',
    alsoFoundBy: ['sort'],
    run: ({ change }) => change(({ sorting }) => ({ sortingBefore: sorting })),
  },
  {
    keys: ['S'],
    description: 'Reverse the order',
    alsoFoundBy: ['sort'],
    run: (board) => {
      const sorting = reversed(board.ui.sorting);
      board.change({ sorting });
      sayOrder(board, sorting);
    },
  },
];

interface OrderMenuBoard extends Scrolled {
  readonly change: Change<OrderedState & FooterState & HelpState & OverlayState>;
  readonly ui: OrderedState;
}

const step: Move<OrderMenuBoard> = ({ change }, by) => change(({ sorting }) => ({ sorting: stepped(sorting, by) }));

export const orderKeys: KeyGroup<OrderedState, OrderMenuBoard> = {
  context: 'order',
  title: 'Order',
  isClosed: true,
  bindings: [
    { keys: ['j', 'down', 's'], hint: 'next', description: 'Next order', ...moving('down', step) },
    { keys: ['k', 'up'], hint: 'previous', description: 'Previous order', ...moving('up', step) },
    {
      keys: ['S'],
      hint: 'reverse',
      description: 'Reverse the order',
      run: ({ change }) => change(({ sorting }) => ({ sorting: reversed(sorting) })),
    },
    {
      keys: ['enter'],
      hint: 'choose',
      description: 'Keep this order',
      alwaysShown: true,
      run: (board) => {
        board.change(closedOrder);
        sayOrder(board, board.ui.sorting);
      },
    },
    openHelp,
    {
      keys: ['escape', 'q'],
      hint: 'back',
      description: 'Back to the order as it was',
      alwaysShown: true,
      run: ({ change }) =>
        change(({ sorting, sortingBefore }) => ({ sorting: sortingBefore ?? sorting, ...closedOrder })),
    },
  ],
};

import type { Sorting } from '../../board/list/sort-orders.ts';

/** The menu's part of the state. */
export interface OrderState {
  /** The order as it was when the menu was opened, which Escape brings back; null while the menu is closed. */
  readonly sortingBefore: Sorting | null;
}

/** The menu is closed. */
export const closedOrder: OrderState = { sortingBefore: null };

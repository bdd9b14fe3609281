import type { Sorting } from '../../board/list/sort-orders.ts';

/** The part of the state that says in which order parcels are listed. */
export interface OrderState {
  readonly sorting: Sorting;
  /** The order as it was when the chooser was opened, which Escape brings back; null while the chooser is closed. */
  readonly sortingBefore: Sorting | null;
}

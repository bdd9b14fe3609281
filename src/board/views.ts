import type { ParcelColumn } from './columns.ts';
import { type Sorting, type SortOrder, sortOrders } from './list/sort-orders.ts';

/** A named filter, with an order and columns if it has its own. */
export interface View {
  readonly name: string;
  /** As typed; absent for all parcels. */
  readonly filter?: string;
  /** The name of an order; with a dash before it, reversed. */
  readonly order?: string;
  readonly columns?: readonly ParcelColumn[];
  /** Has no effect yet. */
  readonly notify?: boolean;
}

export const builtInViews: readonly View[] = [
  { name: 'All' },
  { name: 'Act now', filter: 'is:problem !is:snoozed or stage:pickup !is:snoozed' },
  { name: 'Today', filter: 'due:today or stage:out-for-delivery' },
  { name: 'Late', filter: 'is:late' },
];

/** Returns the view with this name in any case, or undefined. */
export const viewNamed = (views: readonly View[], name: string): View | undefined =>
  views.find((view) => view.name.toLowerCase() === name.trim().toLowerCase());

/** The views of the user, and the built-in ones whose names they leave free. */
export const knownViews = (own: readonly View[]): readonly View[] => [
  ...own,
  ...builtInViews.filter(({ name }) => viewNamed(own, name) === undefined),
];

/** Reads the order of a view; null if there is none of this name. */
export function readOrder(text: string): Sorting | null {
  const isReversed = text.startsWith('-');
  const name = isReversed ? text.slice(1) : text;
  const order = sortOrders.find((one): one is SortOrder => one === name);
  return order === undefined ? null : { order, isReversed };
}

import type { ParcelColumn } from './columns.ts';
import { narrowed } from './filter-syntax.ts';
import { type Sorting, type SortOrder, sortOrders, urgentFirst } from './list/sort-orders.ts';

/** A named filter, optionally with its own order, columns and collapsed groups. */
export interface View {
  readonly name: string;
  /** As typed. Absent for all parcels. */
  readonly filter?: string;
  /** An order's name. A dash before it reverses the order. */
  readonly order?: string;
  readonly columns?: readonly ParcelColumn[];
  /** Keys of the collapsed groups. */
  readonly collapsed?: readonly string[];
  /** Whether the user is notified of changes to its parcels. If absent, other settings decide. */
  readonly notify?: boolean;
}

export const builtInViews: readonly View[] = [
  { name: 'All' },
  { name: 'Act now', filter: '(is:problem or stage:pickup) !is:snoozed' },
  { name: 'Today', filter: 'due:today or stage:out-for-delivery' },
  { name: 'Late', filter: 'is:late' },
];

/** Returns the view with this name in any case, or undefined. */
export const viewNamed = (views: readonly View[], name: string): View | undefined =>
  views.find((view) => view.name.toLowerCase() === name.trim().toLowerCase());

/** The user's views, and the built-in views that they do not replace. */
export const knownViews = (own: readonly View[]): readonly View[] => [
  ...own,
  ...builtInViews.filter(({ name }) => viewNamed(own, name) === undefined),
];

/** Returns the order with this name, which a dash before it reverses, or null. */
export function readOrder(text: string): Sorting | null {
  const isReversed = text.startsWith('-');
  const name = isReversed ? text.slice(1) : text;
  const order = sortOrders.find((one): one is SortOrder => one === name);
  return order === undefined ? null : { order, isReversed };
}

/** Returns the name that {@link readOrder} reads. */
export const orderName = ({ isReversed, order }: Sorting): string => (isReversed ? `-${order}` : order);

interface ShownAs {
  readonly filter: string;
  readonly sorting: Sorting;
}

export const shownAs = ({ filter = '', order = '' }: View): ShownAs => ({
  filter,
  sorting: readOrder(order) ?? urgentFirst,
});

/** Whether a list has the filter (possibly with room for another condition) and the view's order. */
export function isShownAs(view: View, { filter, sorting }: ShownAs): boolean {
  const wanted = shownAs(view);
  const filters = [wanted.filter.trim(), narrowed(wanted.filter).trim()];
  return filters.includes(filter.trim()) && orderName(wanted.sorting) === orderName(sorting);
}

/** Returns the first view without a filter, or undefined. */
export const unfilteredView = (views: readonly View[]): View | undefined =>
  views.find(({ filter = '' }) => filter.trim() === '');

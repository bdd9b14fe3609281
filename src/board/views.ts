import type { ParcelColumn } from './columns.ts';
import { narrowed } from './filter-syntax.ts';
import { type Sorting, type SortOrder, sortOrders, urgentFirst } from './list/sort-orders.ts';

/** A named filter that may have its own order, columns and collapsed groups. */
export interface View {
  readonly name: string;
  /** As typed. Absent if the view shows all parcels. */
  readonly filter?: string;
  /** The name of an order, with a leading dash to reverse it. */
  readonly order?: string;
  readonly columns?: readonly ParcelColumn[];
  /** Keys of the collapsed groups. */
  readonly collapsed?: readonly string[];
  /** Whether changes to its parcels cause notifications. If absent, the general settings decide. */
  readonly notify?: boolean;
}

export const builtInViews: readonly View[] = [
  { name: 'All' },
  { name: 'Act now', filter: '(is:problem or stage:pickup) !is:snoozed' },
  { name: 'Today', filter: 'due:today or stage:out-for-delivery' },
  { name: 'Late', filter: 'is:late' },
];

/** Returns the view with this name, ignoring case, or undefined. */
export const viewNamed = (views: readonly View[], name: string): View | undefined =>
  views.find((view) => view.name.toLowerCase() === name.trim().toLowerCase());

/** Returns the user's views, and the built-in views except those with the same name. */
export const knownViews = (own: readonly View[]): readonly View[] => [
  ...own,
  ...builtInViews.filter(({ name }) => viewNamed(own, name) === undefined),
];

/** Parses the name of an order, which a leading dash reverses. Returns null if it is unknown. */
export function readOrder(text: string): Sorting | null {
  const isReversed = text.startsWith('-');
  const name = isReversed ? text.slice(1) : text;
  const order = sortOrders.find((known): known is SortOrder => known === name);
  return order === undefined ? null : { order, isReversed };
}

/** The inverse of {@link readOrder}. */
export const orderName = ({ isReversed, order }: Sorting): string => (isReversed ? `-${order}` : order);

interface ShownAs {
  readonly filter: string;
  readonly sorting: Sorting;
}

export const shownAs = ({ filter = '', order = '' }: View): ShownAs => ({
  filter,
  sorting: readOrder(order) ?? urgentFirst,
});

/** Whether a list has the view's order and its filter, even if that was prepared for adding a condition. */
export function isShownAs(view: View, { filter, sorting }: ShownAs): boolean {
  const expected = shownAs(view);
  const filters = [expected.filter.trim(), narrowed(expected.filter).trim()];
  return filters.includes(filter.trim()) && orderName(expected.sorting) === orderName(sorting);
}

/** Returns the first view without a filter, or undefined. */
export const unfilteredView = (views: readonly View[]): View | undefined =>
  views.find(({ filter = '' }) => filter.trim() === '');

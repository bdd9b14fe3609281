import type { ParcelColumn } from './columns.ts';
import { narrowingPrefix } from './filter-vocabulary.ts';
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
export const findView = (views: readonly View[], name: string): View | undefined =>
  views.find((view) => view.name.toLowerCase() === name.trim().toLowerCase());

/** Returns the user's views, and the built-in views except those with the same name. */
export const knownViews = (userViews: readonly View[]): readonly View[] => [
  ...userViews,
  ...builtInViews.filter(({ name }) => findView(userViews, name) === undefined),
];

/** Parses the name of an order, which a leading dash reverses. Returns null if it is unknown. */
export function parseOrder(text: string): Sorting | null {
  const isReversed = text.startsWith('-');
  const name = isReversed ? text.slice(1) : text;
  const order = sortOrders.find((known): known is SortOrder => known === name);
  return order === undefined ? null : { order, isReversed };
}

/** The inverse of {@link parseOrder}. */
export const orderName = ({ isReversed, order }: Sorting): string => (isReversed ? `-${order}` : order);

interface ViewState {
  readonly filter: string;
  readonly sorting: Sorting;
}

export const viewState = ({ filter = '', order = '' }: View): ViewState => ({
  filter,
  sorting: parseOrder(order) ?? urgentFirst,
});

/** Whether a list has the view's order and filter. Ignores what `narrowingPrefix` adds to the filter. */
export function matchesView(view: View, { filter, sorting }: ViewState): boolean {
  const expected = viewState(view);
  const filters = [expected.filter.trim(), narrowingPrefix(expected.filter).trim()];
  return filters.includes(filter.trim()) && orderName(expected.sorting) === orderName(sorting);
}

/** Returns the first view without a filter, or undefined. */
export const unfilteredView = (views: readonly View[]): View | undefined =>
  views.find(({ filter = '' }) => filter.trim() === '');

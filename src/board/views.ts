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

interface ColumnKind {
  /** Heading on the board. */
  readonly title: string;
  readonly about: string;
  readonly alias?: string;
}

/** Columns that the user can choose on the board and on the command line, in list order. */
export const columnTable = {
  stage: { title: 'Stage', about: 'the status in a word or two' },
  label: { title: 'Label', about: 'your label' },
  number: { title: 'Number', about: 'tracking number' },
  'order-number': { title: 'Order no', about: 'order number', alias: 'order-no' },
  customer: { title: 'Customer', about: 'email address or remark' },
  courier: { title: 'Courier', about: 'its short name' },
  status: { title: 'Status', about: 'what is happening now' },
  place: { title: 'Place', about: 'place of the newest event' },
  journey: { title: 'Journey', about: 'origin, destination and progress' },
  expected: { title: 'Expected', about: 'promised or estimated day' },
  days: { title: 'Days', about: 'days in transit' },
  last: { title: 'Last', about: 'age of the newest event', alias: 'age' },
  next: { title: 'Next', about: 'next check' },
  tags: { title: 'Tags', about: 'your tags' },
  country: { title: 'Country', about: 'destination' },
} as const satisfies Readonly<Record<string, ColumnKind>>;

export type ParcelColumn = keyof typeof columnTable;

export const parcelColumns = Object.keys(columnTable) as readonly ParcelColumn[];

const kinds: readonly (readonly [ParcelColumn, ColumnKind])[] = parcelColumns.map((name) => [name, columnTable[name]]);

/** All names, with aliases last. */
export const columnNames: readonly string[] = [...parcelColumns, ...kinds.flatMap(([, { alias }]) => alias ?? [])];

/** Returns the column with this name or alias, ignoring case, or null. */
export function findColumn(text: string): ParcelColumn | null {
  const word = text.trim().toLowerCase();
  return kinds.find(([name, { alias }]) => name === word || alias === word)?.[0] ?? null;
}

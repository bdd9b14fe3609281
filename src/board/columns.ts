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

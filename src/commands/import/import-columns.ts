import { cleanText } from '../../service/text/clean-text.ts';
import { nearestWord } from '../../service/text/nearest-word.ts';
import {
  columnOf,
  headingForm,
  type ImportColumn,
  importColumns,
  rankedColumnOf,
} from '../../watchlist/columns/column-names.ts';
import { UsageError } from '../session/errors.ts';

/** What AfterShip says of a parcel under its key `tag`. */
const statusWords: ReadonlySet<string> = new Set([
  'pending',
  'inforeceived',
  'intransit',
  'outfordelivery',
  'attemptfail',
  'delivered',
  'availableforpickup',
  'exception',
  'expired',
]);

/** Whether a text under a heading for one tag is the state of the parcel there, and no tag of anybody. */
export function isStatusTag(heading: string, text: string): boolean {
  return headingForm(heading) === 'tag' && statusWords.has(headingForm(text));
}

/** Which column holds what. */
export interface ColumnPlan {
  /** The field of each column, in their order; null for a column that is not used. */
  readonly columns: readonly (ImportColumn | null)[];
  /** Headings that are not used; empty for a table of ours, which says what the service knows, too. */
  readonly unused: readonly string[];
}

/** Columns that somebody names: the heading of each field. */
export type ColumnMap = ReadonlyMap<ImportColumn, string>;

/**
 * What the columns of a table hold. Of several that could hold the same, the one with the likeliest heading does.
 * Throws a {@link UsageError} when the map names a heading that is not there.
 */
export function planColumns(headings: readonly string[], map: ColumnMap): ColumnPlan {
  const columns = headings.map((): ImportColumn | null => null);
  for (const [field, heading] of map) columns[mappedColumn(headings, heading)] = field;
  const ranked = headings
    .map((heading, index) => ({ index, known: rankedColumnOf(heading) }))
    .sort((a, b) => (a.known?.[1] ?? 0) - (b.known?.[1] ?? 0));
  for (const { index, known } of ranked) {
    const field = known?.[0] ?? null;
    if (columns[index] === null && field !== null && !columns.includes(field)) columns[index] = field;
  }
  const isOurs = headings.includes('trackNo');
  const unused = headings.filter((heading, index) => !isOurs && columns[index] === null && heading.trim() !== '');
  return { columns, unused };
}

/** Most headings that are named. */
const mostHeadings = 20;

/** Headings in quotation marks, as many as somebody may read. */
export function headingList(headings: readonly string[]): string {
  const named = headings.slice(0, mostHeadings).map((heading) => `"${cleanText(heading).slice(0, 40)}"`);
  const more = headings.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function mappedColumn(headings: readonly string[], heading: string): number {
  const exact = headings.indexOf(heading);
  const index = exact === -1 ? headings.findIndex((each) => headingForm(each) === headingForm(heading)) : exact;
  if (index !== -1) return index;
  throw new UsageError(`There is no column "${heading}"; there are: ${headingList(headings)}.`);
}

/**
 * Reads `number=Tracking,label=Item`, in one text or several: which field stands under which heading. A comma in a heading is
 * written in quotes: `label="Item, long"`. Throws a {@link UsageError} for what cannot be read, for a field that there is none of, and for one
 * that is given twice.
 */
export function readColumnMap(...texts: readonly string[]): ColumnMap {
  const map = new Map<ImportColumn, string>();
  for (const part of texts.flatMap((text) => text.match(/(?:"[^"]*"|[^,"])+/g) ?? [])) {
    const [, name = '', heading = ''] = /^\s*([^=]*?)\s*=\s*"?([^"]*)"?\s*$/.exec(part) ?? [];
    if (name === '' || heading.trim() === '') {
      throw new UsageError(
        `--map takes FIELD=HEADING pairs, such as number=Tracking,label=Item; "${part.trim()}" is none.`,
      );
    }
    const field = columnOf(name);
    if (field === null) throw new UsageError(unknownField(name));
    const before = map.get(field);
    if (before !== undefined) {
      throw new UsageError(
        `--map gives ${name} twice, as "${before}" and as "${heading.trim()}"; a field stands under one heading.`,
      );
    }
    map.set(field, heading.trim());
  }
  return map;
}

/** What people call fields that an export names otherwise. */
const plainNames: Readonly<Partial<Record<ImportColumn, string>>> = {
  trackNo: 'number',
  courierCode: 'courier',
  archivedAt: 'archived',
};

/** The fields that a map can name, by the names under which people know them. */
export const mappableFields: readonly string[] = importColumns.map((field) => plainNames[field] ?? field);

function unknownField(name: string): string {
  const nearest = nearestWord(name, mappableFields);
  const hint = nearest === null ? `There are: ${mappableFields.join(', ')}.` : `Did you mean ${nearest}?`;
  return `--map knows no field "${name}". ${hint}`;
}

import { parse } from 'csv-parse/sync';
import { isJsonObject, type JsonValue } from '../service/json.ts';
import { parseJson } from '../service/parse-json.ts';
import { UsageError } from './errors.ts';

/** What a row can say about a parcel. */
const fieldNames = {
  number: ['trackno', 'trackingno', 'trackingnumber', 'number', 'tracking', 'parcel'],
  courier: ['courier', 'couriercode', 'carrier', 'carriercode'],
  label: ['label', 'name', 'title', 'description'],
  postalCode: ['postalcode', 'postcode', 'zip', 'zipcode'],
  phoneSuffix: ['phonesuffix', 'phone'],
  orderNo: ['orderno', 'ordernumber', 'order'],
  country: ['country'],
  shipTime: ['shiptime', 'shipdate'],
  email: ['email', 'customeremail'],
  remark: ['remark', 'note'],
  custom1: ['custom1'],
  custom2: ['custom2'],
} as const;

/** A field of a row. */
export type ImportField = keyof typeof fieldNames;

/** One parcel of a file, as text; `place` says where it stands, e.g. `line 3`. */
export interface ImportRow {
  readonly place: string;
  readonly fields: Readonly<Partial<Record<ImportField, string>>>;
}

const fields = Object.keys(fieldNames) as ImportField[];

/** The field of a column heading or a JSON key; null for one that is not known. */
function fieldOf(heading: string): ImportField | null {
  const name = heading.toLowerCase().replace(/[^a-z0-9]/g, '');
  return fields.find((field) => (fieldNames[field] as readonly string[]).includes(name)) ?? null;
}

/** Columns of a table without headings. */
const plainColumns: readonly ImportField[] = ['number', 'courier', 'label'];

/**
 * Reads the rows of a file: JSON (a list of numbers or objects, or `{parcels: [...]}` as `list --json` writes it), CSV
 * or TSV with or without headings, or plain lines with a number each. Lines that begin with `#` and empty ones are left
 * out. Throws a {@link UsageError} when it is none of these.
 */
export function readImportRows(content: string): readonly ImportRow[] {
  const text = content.replace(/^\uFEFF/, '');
  return /^\s*[[{]/.test(text) ? jsonRows(text) : tableRows(text);
}

function jsonRows(text: string): readonly ImportRow[] {
  const document = parsedJson(text);
  const list = isJsonObject(document) ? document['parcels'] : document;
  if (!Array.isArray(list)) {
    throw new UsageError('The JSON holds no list of parcels: give [ … ] or {"parcels": [ … ]}.');
  }
  return (list as readonly JsonValue[]).map((entry, index) => ({
    place: `entry ${index + 1}`,
    fields: isJsonObject(entry) ? jsonFields(entry) : { number: scalarText(entry) },
  }));
}

function parsedJson(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError('The file begins like JSON but is damaged or cut off.', { cause: error });
  }
}

const scalarText = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function jsonFields(entry: { readonly [key: string]: JsonValue }): ImportRow['fields'] {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([key, value]): [ImportField, string][] => {
      const field = fieldOf(key);
      const text = scalarText(value);
      return field === null || text === '' ? [] : [[field, text]];
    }),
  );
}

function tableRows(text: string): readonly ImportRow[] {
  const delimiter = delimiterOf(text);
  if (delimiter === null) return lineRows(text);
  const rows = parsedTable(text, delimiter);
  const headings = rows[0]?.record.map(fieldOf) ?? [];
  const hasHeadings = headings.includes('number');
  const columns: readonly (ImportField | null)[] = hasHeadings ? headings : plainColumns;
  return rows.slice(hasHeadings ? 1 : 0).map(({ line, record }) => ({
    place: `line ${line}`,
    fields: Object.fromEntries(
      record.flatMap((cell, index): [ImportField, string][] => {
        const field = columns[index] ?? null;
        return field === null || cell === '' ? [] : [[field, cell]];
      }),
    ),
  }));
}

/** The separator of the first line that says something; null for plain lines. */
function delimiterOf(text: string): string | null {
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const isHeading = fieldOf(first) === 'number';
  return ['\t', ';', ','].find((delimiter) => first.includes(delimiter)) ?? (isHeading ? ',' : null);
}

interface TableRow {
  readonly line: number;
  readonly record: readonly string[];
}

function parsedTable(text: string, delimiter: string): readonly TableRow[] {
  try {
    const rows: unknown = parse(text, {
      delimiter,
      comment: '#',
      comment_no_infix: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    });
    return (rows as readonly { readonly info: { readonly lines: number }; readonly record: readonly string[] }[]).map(
      ({ info, record }) => ({ line: info.lines, record }),
    );
  } catch (error) {
    throw new UsageError(`The table cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

function lineRows(text: string): readonly ImportRow[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index): ImportRow[] => {
    const number = line.replace(/(?:^|\s)#.*$/, '').trim();
    return number === '' ? [] : [{ place: `line ${index + 1}`, fields: { number } }];
  });
}

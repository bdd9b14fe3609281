import { parse } from 'csv-parse/sync';
import { readEnteredText, withoutComment } from '../../board/input/entered-text.ts';
import type { LeftEntry } from '../../board/input/partial-add.ts';
import { isJsonObject, type JsonValue } from '../../service/text/json.ts';
import { parseJson } from '../../service/text/parse-json.ts';
import { unguardFormula } from '../output/formula-guard.ts';
import type { ExportedParcel } from '../output/json-schemas.ts';
import { UsageError } from '../session/errors.ts';

/** What a row can say about a parcel, named as in an export, and how else columns and keys are headed. */
const otherNames = {
  trackNo: ['trackingno', 'trackingnumber', 'number', 'tracking', 'parcel'],
  courierCode: ['courier', 'carrier', 'carriercode'],
  label: ['name', 'title', 'description'],
  tags: ['tag'],
  postalCode: ['postcode', 'zip', 'zipcode'],
  phoneSuffix: ['phone'],
  orderNo: ['ordernumber', 'order'],
  country: [],
  shipTime: ['shipdate'],
  email: ['customeremail'],
  remark: ['note'],
  custom1: [],
  custom2: [],
  state: [],
  archivedAt: [],
} as const satisfies { readonly [Field in keyof ExportedParcel]?: readonly string[] };

type AnyField = keyof typeof otherNames;

/** A field of a row that is one text. */
type ImportField = Exclude<AnyField, 'tags'>;

/** One parcel of a file, as text; `place` says where it stands, e.g. `line 3`. */
export interface ImportRow {
  readonly place: string;
  readonly fields: Readonly<Partial<Record<ImportField, string>>>;
  /** What is wrong with a line that was read as in the input bar; absent when nothing is. */
  readonly problem?: LeftEntry;
  /** Absent for none. */
  readonly tags?: readonly string[];
}

const fields = Object.keys(otherNames) as AnyField[];

/** The field of a column heading or a JSON key; null for one that is not known. */
function fieldOf(heading: string): AnyField | null {
  const name = heading.toLowerCase().replace(/[^a-z0-9]/g, '');
  return (
    fields.find((field) => field.toLowerCase() === name || otherNames[field].some((other) => other === name)) ?? null
  );
}

/**
 * Reads the rows of a file: JSON (a list of numbers or objects, or `{parcels: [...]}` as `export` and `list --json`
 * write it), CSV or TSV with or without headings, or lines without headings, which are read
 * as the input bar reads them. Lines that begin with `#` and empty ones are left out. Tags in a cell are a line of CSV of their own. Throws a {@link UsageError} when it is none of these.
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
  return (list as readonly JsonValue[]).map((entry, index) => {
    const place = `entry ${index + 1}`;
    return isJsonObject(entry)
      ? rowOf(
          place,
          Object.entries(entry).map(([key, value]): Cell => [fieldOf(key), value]),
        )
      : { place, fields: { trackNo: scalarText(entry) } };
  });
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

/** What stands in one place of a row, and the field that it belongs to; null for one that is not known. */
type Cell = readonly [field: AnyField | null, value: JsonValue];

function rowOf(place: string, cells: readonly Cell[]): ImportRow {
  const texts: [ImportField, string][] = [];
  let tags: readonly string[] = [];
  for (const [field, value] of cells) {
    const text = scalarText(value);
    if (field === 'tags') tags = Array.isArray(value) ? value.map(scalarText) : tagsOfCell(text);
    else if (field !== null && text !== '') texts.push([field, text]);
  }
  return { place, fields: Object.fromEntries(texts), ...(tags.length === 0 ? {} : { tags }) };
}

/** Whatever is no CSV is one tag. */
function tagsOfCell(text: string): readonly string[] {
  try {
    const rows: unknown = parse(text, { relax_quotes: true, relax_column_count: true, trim: true });
    return (rows as readonly (readonly string[])[]).flat();
  } catch {
    return [text];
  }
}

/** A table when its first line has a heading for numbers; else lines. */
function tableRows(text: string): readonly ImportRow[] {
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const delimiter = ['\t', ';', ','].find((sign) => first.includes(sign)) ?? ',';
  if (!first.split(delimiter).some((heading) => fieldOf(heading) === 'trackNo')) return enteredRows(text);
  const [headings, ...rows] = parsedTable(text, delimiter);
  const columns = headings?.record.map(fieldOf) ?? [];
  return rows.map(({ line, record }) =>
    rowOf(
      `line ${line}`,
      record.map((cell, index): Cell => [columns[index] ?? null, unguardFormula(cell)]),
    ),
  );
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

/** Lines without headings, as the input bar reads them. */
function enteredRows(text: string): readonly ImportRow[] {
  const lines = text.split(/\r\n|\r|\n/).map(withoutComment);
  return readEnteredText(lines.join('\n')).map(({ input, line, text: entered }): ImportRow => {
    const place = `line ${line}`;
    if (input.kind === 'problem') {
      return { place, fields: { trackNo: entered }, problem: { reason: input.flaw, message: input.message } };
    }
    const { courierCode, label, trackNo } = input;
    return {
      place,
      fields: {
        trackNo,
        ...(courierCode === null ? {} : { courierCode }),
        ...(label === null ? {} : { label }),
      },
    };
  });
}

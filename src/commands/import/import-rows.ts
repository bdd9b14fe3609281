import { CsvError, parse } from 'csv-parse/sync';
import { isJsonObject, type JsonValue } from '../../service/text/json.ts';
import { columnOf, type ImportColumn } from '../../watchlist/columns/column-names.ts';
import { unguardFormula } from '../output/formula-guard.ts';
import { UsageError } from '../session/errors.ts';
import { type ColumnMap, type ColumnPlan, headingList, isStatusTag, planColumns } from './import-columns.ts';
import { jsonList } from './import-json.ts';
import { enteredRows } from './import-lines.ts';
import { isNumberCell, mendedNumber, numbersInCell, otherThanNumber } from './import-number.ts';
import type { ImportRow } from './import-row.ts';

/** The rows of a file. */
export interface ImportTable {
  readonly rows: readonly ImportRow[];
  /** Headings of columns that say nothing that is kept here; empty where there are no headings. */
  readonly unused: readonly string[];
}

/** Nothing is mapped. */
const noMap: ColumnMap = new Map();

/**
 * Reads the rows of a file: JSON (a list of numbers or objects, `{parcels: [...]}` as `export` and `list --json`
 * write it, or the list in the answer of another tracker), CSV or TSV with headings that are known, that the map names or above a column of numbers; or
 * lines without headings, which are read as the input bar reads them. Lines that begin with `#` and empty ones are left
 * out. Tags in a cell are a line of CSV of their own. Throws a {@link UsageError} when it is none of these.
 */
export function readImportTable(content: string, map: ColumnMap = noMap): ImportTable {
  const text = content.replace(/^\uFEFF/, '');
  const { rows, unused } = /^\s*[[{]/.test(text) ? jsonTable(text, map) : tableOf(text, map);
  return { rows: rows.flatMap(rowsOfNumbers), unused };
}

/** A row for each number in it, without what spreadsheets put around one. */
function rowsOfNumbers(row: ImportRow): readonly ImportRow[] {
  const { fields, problem } = row;
  if (fields.trackNo === undefined || problem !== undefined) return [row];
  return numbersInCell(mendedNumber(fields.trackNo)).map((trackNo): ImportRow => {
    const other = otherThanNumber(trackNo);
    return { ...row, fields: { ...fields, trackNo }, ...(other === null ? {} : { problem: other }) };
  });
}

function jsonTable(text: string, map: ColumnMap): ImportTable {
  const list = jsonList(text);
  const plans = new Map<string, ColumnPlan>();
  const planOf = (keys: readonly string[]): ColumnPlan => {
    const name = JSON.stringify(keys);
    const plan = plans.get(name) ?? planColumns(keys, map);
    plans.set(name, plan);
    return plan;
  };
  const rows = list.map((entry, index) => {
    const place = `entry ${index + 1}`;
    if (!isJsonObject(entry)) return { place, fields: { trackNo: scalarText(entry) } };
    const { columns } = planOf(Object.keys(entry));
    return rowOf(
      place,
      Object.entries(entry).map(([key, value], at): Cell => cellOf(key, columns[at], value)),
    );
  });
  const planned = [...plans.values()];
  if (planned.length > 0 && !planned.some(({ columns }) => columns.includes('trackNo'))) {
    if (list.every(isJsonObject)) throw noNumbers([...new Set(list.flatMap((entry) => Object.keys(entry)))]);
  }
  return { rows, unused: [...new Set(planned.flatMap(({ unused }) => unused))] };
}

const scalarText = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What stands in one place of a row, and the field that it belongs to; null for one that is not known. */
type Cell = readonly [field: ImportColumn | null, value: JsonValue];

/** A state that goes by the name of a tag is none. */
function cellOf(heading: string, field: ImportColumn | null | undefined, value: JsonValue): Cell {
  if (field === 'tags' && isStatusTag(heading, scalarText(value))) return [null, value];
  if (field === 'archivedAt' && typeof value === 'boolean') return [field, value ? 'yes' : 'no'];
  return [field ?? null, value];
}

function rowOf(place: string, cells: readonly Cell[]): ImportRow {
  const texts: [ImportColumn, string][] = [];
  let tags: readonly string[] = [];
  for (const [field, value] of cells) {
    const text = scalarText(value);
    if (field === 'tags') tags = Array.isArray(value) ? value.map(scalarText) : tagsOfCell(text);
    else if (field !== null && text !== '') texts.push([field, text]);
  }
  return { place, fields: { ...Object.fromEntries(texts), ...(tags.length === 0 ? {} : { tags }) } };
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

/** A table when its first line has a heading for numbers, or stands above a column of them; else lines. */
function tableOf(text: string, map: ColumnMap): ImportTable {
  const first = text.split(/\r\n|\r|\n/, 1_000).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const delimiter = ['\t', ';', ','].find((sign) => first.includes(sign)) ?? ',';
  const isKnown = first.split(delimiter).some((heading) => columnOf(heading.replaceAll('"', '')) === 'trackNo');
  if (!isKnown && map.size === 0 && !first.includes(delimiter)) return { rows: enteredRows(text), unused: [] };
  const [headings, ...rows] =
    isKnown || map.size > 0 ? parsedTable(text, delimiter) : (perhapsTable(text, delimiter) ?? []);
  if (headings === undefined) return { rows: enteredRows(text), unused: [] };
  const numbers = isKnown || map.has('trackNo') ? null : columnOfNumbers(headings, rows);
  const whole = numbers === null ? map : new Map([...map, ['trackNo', numbers] as const]);
  const { columns, unused } = planColumns(headings.record, whole);
  if (!columns.includes('trackNo')) {
    if (map.size === 0 && !areHeadings(headings, rows)) return { rows: enteredRows(text), unused: [] };
    throw noNumbers(headings.record);
  }
  return {
    rows: rows.map(({ line, record }) =>
      rowOf(
        `line ${line}`,
        record.map((cell, index) => cellOf(headings.record[index] ?? '', columns[index], unguardFormula(cell))),
      ),
    ),
    unused,
  };
}

const noNumbers = (headings: readonly string[]): UsageError =>
  new UsageError(`Which column holds the numbers? Say --map number=HEADING; there are: ${headingList(headings)}.`);

/** Whether words stand above rows of as many cells: then they are headings, though none that is known. */
function areHeadings({ record: headings }: TableRow, rows: readonly TableRow[]): boolean {
  if (headings.length < 2 || rows.length === 0) return false;
  const isHeading = (cell: string): boolean =>
    cell === '' || (/^[^@].{0,39}$/u.test(cell) && /\p{L}/u.test(cell) && !/(?:\D*\d){3}/.test(cell));
  if (!headings.every(isHeading) || headings.every((cell) => cell === '')) return false;
  const looked = rows.slice(0, lookedAt);
  return looked.filter(({ record }) => record.length === headings.length).length * 2 > looked.length;
}

/** Null for what is no table. */
function perhapsTable(text: string, delimiter: string): readonly TableRow[] | null {
  try {
    return parsedTable(text, delimiter);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Rows that are looked at to find the column of numbers. */
const lookedAt = 50;

/** Headings of numbers that are not those of parcels. */
const otherNumbers =
  /rechnung|invoice|beleg|faktura|facture|fattura|dat(?:um|e)|zeit|time|betrag|amount|preis|price|phone|telefon|mobil|handy|iban|konto|account|kunde|customer|\b(?:ean|gtin|isbn|sku|upc|vat|ust|asin)\b/i;

/** The heading of the only column of which all cells are numbers, whatever it says; null when there is none, or a number is in its place. */
function columnOfNumbers({ record: headings }: TableRow, rows: readonly TableRow[]): string | null {
  if (rows.length === 0 || headings.some((heading) => isNumberCell(heading) || /^\s*@/.test(heading))) return null;
  const found = headings.filter(
    (heading, index) =>
      columnOf(heading) === null &&
      !otherNumbers.test(heading) &&
      rows.slice(0, lookedAt).every(({ record }) => isNumberCell(record[index] ?? '')),
  );
  const [only] = found;
  return only === undefined || found.length > 1 || only.trim() === '' ? null : only;
}

interface TableRow {
  readonly line: number;
  readonly record: readonly string[];
}

function parsedTable(text: string, delimiter: string): readonly TableRow[] {
  let lastLine = 0;
  try {
    const rows: unknown = parse(text, {
      delimiter,
      comment: '#',
      comment_no_infix: true,
      info: true,
      on_record: (row, { lines }) => {
        lastLine = lines;
        return row;
      },
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    });
    return (rows as readonly { readonly info: { readonly lines: number }; readonly record: readonly string[] }[]).map(
      ({ info, record }) => ({ line: info.lines, record }),
    );
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') {
      throw new UsageError(
        `A quote that opens behind line ${lastLine} is not closed: close it, or, within quotes, write it twice.`,
        { cause: error },
      );
    }
    throw new UsageError(`The table cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

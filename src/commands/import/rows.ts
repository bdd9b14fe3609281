import { CsvError, parse } from 'csv-parse/sync';
import { unguardFormula } from '../../lib/escape.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../lib/json.ts';
import { describeColumns, findProfile } from '../../scan/column-headings.ts';
import { columnForHeading, type ImportColumn } from '../../scan/text-table.ts';
import { UsageError } from '../../settings/errors.ts';
import {
  cleanNumber,
  findNonNumber,
  type ImportRow,
  type ImportTable,
  isEmptyCell,
  noNumbersError,
  numbersInCell,
  type ParsedTable,
  parseLines,
} from './cells-and-lines.ts';
import {
  type ColumnMap,
  type ColumnPlan,
  detectDelimiter,
  findTableStart,
  hasOurHeadings,
  isStatusTag,
  type LabelTemplate,
  planColumns,
  splitHeadings,
} from './columns.ts';

const lineBreak = /\r\n|\r|\n/;

/** Keys of lists in the responses of trackers such as AfterShip, Parcel and 17TRACK. */
const listKeys = 'parcels trackings deliveries shipments packages accepted items results data'.split(' ');
const maxListDepth = 3;

/** Returns the entries of a JSON list, a tracker's response or JSON Lines. Throws a {@link UsageError} for invalid JSON. */
function parseJsonList(text: string): readonly JsonValue[] {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    const lines = parseJsonLines(text);
    if (lines !== null) return lines;
    throw new UsageError('The file looks like JSON, but it is damaged or truncated.', { cause: error });
  }
  return findList(value, 0) ?? [value];
}

function findList(value: JsonValue, depth: number): readonly JsonValue[] | null {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  if (!isJsonObject(value) || depth >= maxListDepth) return null;
  for (const key of listKeys) {
    const list = Object.hasOwn(value, key) ? findList(value[key] ?? null, depth + 1) : null;
    if (list !== null) return list;
  }
  return null;
}

function parseJsonLines(text: string): JsonValue[] | null {
  const values: JsonValue[] = [];
  for (const [index, line] of text.split(lineBreak).entries()) {
    if (line.trim() === '') continue;
    try {
      const value = parseJson(line);
      if (values.length === 0 && !isJsonObject(value)) return null;
      values.push(value);
    } catch (error) {
      if (values.length === 0) return null;
      throw new UsageError(`Line ${index + 1} is not valid JSON, unlike the lines before it. Fix it and try again.`, {
        cause: error,
      });
    }
  }
  return values;
}

/**
 * Parses JSON, CSV or TSV with headings, or lines like those in the input bar. Titles above a table, and lines above it
 * that begin with `#`, count as comments. A cell with several tags is parsed as a line of CSV. Throws a
 * {@link UsageError} for anything else.
 */
export function readImportTable(
  content: string,
  map: ColumnMap = new Map(),
  template: LabelTemplate | null = null,
): ImportTable {
  const text = content.replace(/^\uFEFF/, '');
  const table: ParsedTable = /^\s*[[{]/.test(text)
    ? parseJsonTable(text, map, template)
    : parseTextTable(text, map, template);
  const lacksNumber = ({ fields, problem }: ImportRow): boolean =>
    problem === undefined && isEmptyCell(fields.trackNo ?? '');
  return {
    ...table,
    rows: table.rows.filter((row) => !lacksNumber(row)).flatMap((row) => splitNumbers(row, table.isOurs)),
    withoutNumber: table.rows.filter(lacksNumber).map(({ place }) => place),
  };
}

function splitNumbers(row: ImportRow, isOurs: boolean): readonly ImportRow[] {
  const { fields, problem } = row;
  if (fields.trackNo === undefined || problem !== undefined) return [row];
  return numbersInCell(cleanNumber(fields.trackNo), isOurs).map((trackNo): ImportRow => {
    const problem = findNonNumber(trackNo);
    return { ...row, fields: { ...fields, trackNo }, ...(problem === null ? {} : { problem }) };
  });
}

function parseJsonTable(text: string, map: ColumnMap, template: LabelTemplate | null): ParsedTable {
  const list = parseJsonList(text);
  const plans = new Map<string, ColumnPlan>();
  const usedHeadings = new Set<string>();
  const getPlan = (keys: readonly string[]): ColumnPlan => {
    const name = JSON.stringify(keys);
    const plan = plans.get(name) ?? planColumns(keys, map);
    plans.set(name, plan);
    return plan;
  };
  const rows = list.map((entry, index) => {
    const place = `entry ${index + 1}`;
    if (!isJsonObject(entry)) return { place, fields: { trackNo: scalarText(entry) } };
    const { columns } = getPlan(Object.keys(entry));
    const cells = Object.entries(entry).map(([key, value], at): Cell => createCell(key, columns[at], value));
    const labels = template?.(Object.keys(entry));
    for (const heading of labels?.used ?? []) usedHeadings.add(heading);
    return withLabel(
      createRow(place, cells, hasOurHeadings(Object.keys(entry))),
      labels?.label(Object.values(entry).map(scalarText)),
    );
  });
  const planned = [...plans.values()];
  const objects = list.filter(isJsonObject);
  if (
    list.length > 0 &&
    objects.length === list.length &&
    !planned.some(({ columns }) => columns.includes('trackNo'))
  ) {
    throw noNumbersError([...new Set(objects.flatMap(Object.keys))], '');
  }
  const isOurs = objects.every((entry) => hasOurHeadings(Object.keys(entry)));
  const unused = [...new Set(planned.flatMap(({ unused }) => unused))].filter((heading) => !usedHeadings.has(heading));
  return { rows, unused, isOurs, comments: [] };
}

const scalarText = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

type Cell = readonly [field: ImportColumn | null, value: JsonValue];

function createCell(heading: string, field: ImportColumn | null | undefined, value: JsonValue): Cell {
  if (field === 'tags' && isStatusTag(heading, scalarText(value))) return [null, value];
  if (field === 'archivedAt' && typeof value === 'boolean') return [field, value ? 'yes' : 'no'];
  return [field ?? null, value];
}

const noCourier = /^(?:others?|custom|sonstiger?|sonstiges|anderer?|autre|otro|altro|n\/?a|none|-)$/i;

/**
 * @param isOurs whether this program wrote the row, so that its courier code is literal
 * @param fallbackCourier used if the courier column is empty or says "Other"
 */
function createRow(place: string, cells: readonly Cell[], isOurs: boolean, fallbackCourier = ''): ImportRow {
  const texts: [ImportColumn, string][] = [];
  let tags: readonly string[] = [];
  for (const [field, value] of cells) {
    const text = scalarText(value);
    if (field === 'tags') tags = Array.isArray(value) ? value.map(scalarText) : parseTags(text);
    else if (field === 'courierCode' && !isOurs && noCourier.test(text.trim())) continue;
    // Spreadsheets put an apostrophe before digits to keep them as text.
    else if (field === 'postalCode' && text !== '') texts.push([field, text.replace(/^'(?=\w)/, '')]);
    else if (field !== null && text !== '') texts.push([field, text]);
  }
  const courier = fallbackCourier.trim();
  const hasCourier = texts.some(([field]) => field === 'courierCode');
  if (!hasCourier && courier !== '' && !noCourier.test(courier)) texts.push(['courierCode', courier]);
  return { place, fields: { ...Object.fromEntries(texts), ...(tags.length === 0 ? {} : { tags }) } };
}

/** @param label replaces the row's own label unless it is null or undefined */
const withLabel = (row: ImportRow, label: string | null | undefined): ImportRow =>
  label == null ? row : { ...row, fields: { ...row.fields, label } };

function parseTags(text: string): readonly string[] {
  try {
    const rows: unknown = parse(text, { relax_quotes: true, relax_column_count: true, trim: true });
    return (rows as readonly (readonly string[])[]).flat();
  } catch {
    return [text];
  }
}

function parseTextTable(text: string, map: ColumnMap, template: LabelTemplate | null): ParsedTable {
  const lines = text.split(lineBreak);
  const { at, comments } = findTableStart(lines, map);
  const parseAsLines = (): ParsedTable => {
    if (template !== null) throw new UsageError('--label-from needs column headings, and the table has none.');
    return parseLines(text);
  };
  const body = lines.slice(at);
  const [first = ''] = body;
  const delimiter = detectDelimiter(first);
  const isKnown = splitHeadings(first).some((heading) => columnForHeading(heading) === 'trackNo');
  if (!isKnown && map.size === 0 && !first.includes(delimiter)) return parseAsLines();
  let table: readonly TableRow[];
  try {
    table = parseCsv(body, delimiter, at);
  } catch (error) {
    if (isKnown || map.size > 0 || !(error instanceof UsageError)) throw error;
    return parseAsLines();
  }
  const [headings, ...rows] = table;
  if (headings === undefined) return parseAsLines();
  const { columns, fallbackCourier, unused } = planColumns(
    headings.record,
    map,
    rows.map(({ record }) => record),
  );
  if (!columns.includes('trackNo')) {
    if (map.size === 0 && !areHeadings(headings, rows)) return parseAsLines();
    throw noNumbersError(headings.record);
  }
  const isOurs = hasOurHeadings(headings.record);
  const labels = template?.(headings.record);
  const profile = isOurs ? null : findProfile(headings.record);
  const known = { headings: headings.record, columns, profile, labels: labels?.used ?? [] };
  return {
    ...(isOurs ? {} : { interpretation: describeColumns(known), courier: profile?.courier }),
    rows: rows.map(({ line, record }) => {
      const cells = record.map((cell, index) =>
        createCell(headings.record[index] ?? '', columns[index], unguardFormula(cell)),
      );
      return withLabel(
        createRow(`line ${line}`, cells, isOurs, record[fallbackCourier]),
        labels?.label(record.map(unguardFormula)),
      );
    }),
    unused: unused.filter((heading) => labels?.used.includes(heading) !== true),
    isOurs,
    comments: [
      ...comments,
      ...(isOurs ? body.flatMap((line, index) => (line.startsWith('#') ? [`line ${at + index + 1}`] : [])) : []),
    ],
  };
}

/** Whether the first row looks like headings, although none of them is known. */
function areHeadings({ record: headings }: TableRow, rows: readonly TableRow[]): boolean {
  if (headings.length < 2 || rows.length === 0) return false;
  const isHeading = (cell: string): boolean =>
    cell === '' || (/^[^@].{0,39}$/u.test(cell) && /\p{L}/u.test(cell) && !/(?:\D*\d){3}/.test(cell));
  if (!headings.every(isHeading) || headings.every((cell) => cell === '')) return false;
  const sample = rows.slice(0, sampledRows);
  return sample.filter(({ record }) => record.length === headings.length).length * 2 > sample.length;
}

const sampledRows = 50;

interface TableRow {
  readonly line: number;
  readonly record: readonly string[];
}

function parseCsv(body: readonly string[], delimiter: string, linesAbove: number): readonly TableRow[] {
  let lastLine = linesAbove;
  // Only our own tables have comments, because shops write order numbers such as #1001.
  const comments = hasOurHeadings(splitHeadings(body[0] ?? '')) ? { comment: '#', comment_no_infix: true } : {};
  try {
    const rows: unknown = parse(body.join('\n'), {
      delimiter,
      ...comments,
      info: true,
      on_record: (row, { lines }) => {
        lastLine = linesAbove + lines;
        return row;
      },
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    });
    return (rows as readonly { readonly info: { readonly lines: number }; readonly record: readonly string[] }[]).map(
      ({ info, record }) => ({ line: linesAbove + info.lines, record }),
    );
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') {
      throw new UsageError(
        `A quote that opens after line ${lastLine} is never closed. Close it, or double it inside quotes.`,
        { cause: error },
      );
    }
    throw new UsageError(`The table cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

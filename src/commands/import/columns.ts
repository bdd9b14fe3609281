import { parseAddInput } from '../../board/input/add-input.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { nearestWord } from '../../lib/text.ts';
import { normaliseHeading } from '../../scan/column-headings.ts';
import { columnForHeading, type ImportColumn, importColumns, isVague, rankColumn } from '../../scan/text-table.ts';
import { UsageError } from '../../settings/errors.ts';
import { findNonNumber, headingList, isNumberCell } from './cells-and-lines.ts';

const statusTags: ReadonlySet<string> = new Set(
  'pending inforeceived intransit outfordelivery attemptfail delivered availableforpickup exception expired'.split(' '),
);

/** Whether a "tag" is a stage that a different tracker wrote, instead of the user's own tag. */
export function isStatusTag(heading: string, text: string): boolean {
  return normaliseHeading(heading) === 'tag' && statusTags.has(normaliseHeading(text));
}

export interface ColumnPlan {
  readonly columns: readonly (ImportColumn | null)[];
  /** Index of the column that names the courier if the first courier column is "Other" or empty, or -1. */
  readonly fallbackCourier: number;
  /** Empty for our own tables. */
  readonly unused: readonly string[];
}

export type ColumnMap = ReadonlyMap<ImportColumn, string>;

type TableCells = readonly (readonly string[])[];

/** Whether this program wrote the table or object. No other program uses this heading. */
export const hasOurHeadings = (headings: readonly string[]): boolean => headings.includes('trackNo');

interface KnownColumn {
  readonly index: number;
  readonly field: ImportColumn;
}

/**
 * Assigns each field to the column with the most likely heading. For numbers, the cells decide as well. A column with
 * the same text in every row is not used as the label. Throws a {@link UsageError} if the map names an unknown heading.
 */
export function planColumns(headings: readonly string[], map: ColumnMap, cells: TableCells = []): ColumnPlan {
  const columns = headings.map((): ImportColumn | null => null);
  for (const [field, heading] of map) columns[findMappedColumn(headings, heading)] = field;
  const known: readonly KnownColumn[] = headings
    .flatMap((heading, index) => {
      const [field, rank] = rankColumn(heading) ?? [];
      return field === undefined || rank === undefined || columns[index] !== null ? [] : [{ index, field, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
  const assign = (index: number | null, field: ImportColumn): void => {
    if (index !== null && !columns.includes(field)) columns[index] = field;
  };
  const isOurs = hasOurHeadings(headings);
  if (!isOurs) {
    if (!columns.includes('trackNo')) assign(findNumberColumn(headings, known, cells), 'trackNo');
    if (!known.some(({ field }) => field === 'orderNo')) assign(findOrderColumn(headings, columns, cells), 'orderNo');
  }
  for (const { field, index } of known) {
    const isUninformative = field === 'label' && !isOurs && isConstant(cells, index);
    if (columns[index] === null && !isUninformative) assign(index, field);
  }
  const fallbackCourier =
    known.find(({ field, index }) => field === 'courierCode' && columns[index] === null)?.index ?? -1;
  const unused = headings.filter(
    (heading, index) => !isOurs && columns[index] === null && index !== fallbackCourier && heading.trim() !== '',
  );
  return { columns, fallbackCourier, unused };
}

const sampledCells = 50;
const minEqualCells = 3;

const filledCells = (cells: TableCells, index: number): readonly string[] =>
  cells.flatMap((row) => (row[index] ?? '').trim() || []);

function isConstant(cells: TableCells, index: number): boolean {
  const filled = filledCells(cells, index);
  return filled.length >= minEqualCells && new Set(filled).size === 1;
}

const otherNumberHeading =
  /rechnung|invoice|beleg|faktura|facture|fattura|dat(?:um|e)|zeit|time|betrag|amount|preis|price|phone|telefon|mobil|handy|iban|konto|account|kunde|customer|\b(?:ean|gtin|isbn|sku|upc|vat|ust|asin)\b/i;

/**
 * Returns the most likely column that has a heading for numbers and mostly contains numbers. If there isn't one, returns
 * the column that contains only numbers, or null if it is missing or ambiguous.
 */
function findNumberColumn(
  headings: readonly string[],
  known: readonly KnownColumn[],
  cells: TableCells,
): number | null {
  const candidates = known.filter(({ field }) => field === 'trackNo').map(({ index }) => index);
  const share = (index: number): number => {
    const isNumber = isVague(headings[index] ?? '') ? isNumberCell : (cell: string) => /(?:\D*\d){5}/.test(cell);
    const filled = filledCells(cells, index).slice(0, sampledCells);
    return filled.filter(isNumber).length / filled.length;
  };
  const match = candidates.find((index) => share(index) >= 0.5);
  if (match !== undefined) return match;
  if (candidates.some((index) => !isVague(headings[index] ?? '')) || cells.length === 0) return null;
  if (headings.some((heading) => isNumberCell(heading) || /^\s*@/.test(heading))) return null;
  const [only, ...others] = headings.flatMap((heading, index) => {
    const filled = filledCells(cells, index).slice(0, sampledCells);
    const isFree = rankColumn(heading) === null && heading.trim() !== '' && !otherNumberHeading.test(heading);
    return isFree && filled.length > 0 && filled.every(isNumberCell) ? [index] : [];
  });
  return others.length === 0 ? (only ?? null) : null;
}

const orderNumber = /^#?[A-Z]{0,6}-?\d{3,}(?:-?[A-Z0-9]{1,4})?$/i;

/** Returns the column `Name` if it contains order numbers, as in exports from some shops, or null if it does not. */
function findOrderColumn(
  headings: readonly string[],
  columns: readonly (ImportColumn | null)[],
  cells: TableCells,
): number | null {
  const index = headings.findIndex((heading) => normaliseHeading(heading) === 'name');
  if (index === -1 || columns[index] !== null) return null;
  const filled = filledCells(cells, index);
  return filled.length > 0 && filled.every((cell) => orderNumber.test(cell)) ? index : null;
}

function findMappedColumn(headings: readonly string[], heading: string): number {
  const exact = headings.indexOf(heading);
  const index =
    exact === -1 ? headings.findIndex((each) => normaliseHeading(each) === normaliseHeading(heading)) : exact;
  if (index !== -1) return index;
  throw new UsageError(`There is no column "${heading}". Headings: ${headingList(headings)}.`);
}

/** Parses `number=Tracking,label="Item, long"`. Throws a {@link UsageError} for an invalid, unknown or repeated field. */
export function readColumnMap(...texts: readonly string[]): ColumnMap {
  const map = new Map<ImportColumn, string>();
  for (const part of texts.flatMap((text) => text.match(/(?:"[^"]*"|[^,"])+/g) ?? [])) {
    const [, name = '', heading = ''] = /^\s*([^=]*?)\s*=\s*"?([^"]*)"?\s*$/.exec(part) ?? [];
    if (name === '' || heading.trim() === '') {
      throw new UsageError(
        `"${part.trim()}" is not a valid pair. --map takes FIELD=HEADING, such as number=Tracking,label=Item.`,
      );
    }
    const field = columnForHeading(name);
    if (field === null) throw new UsageError(unknownField(name));
    const before = map.get(field);
    if (before !== undefined) {
      throw new UsageError(
        `--map sets ${name} twice, to "${before}" and to "${heading.trim()}". Give each field only one heading.`,
      );
    }
    map.set(field, heading.trim());
  }
  return map;
}

const plainNames: Readonly<Partial<Record<ImportColumn, string>>> = {
  trackNo: 'number',
  courierCode: 'courier',
  archivedAt: 'archived',
};

export const mappableFields: readonly string[] = importColumns.map((field) => plainNames[field] ?? field);

function unknownField(name: string): string {
  const nearest = nearestWord(name, mappableFields);
  const hint = nearest === null ? `Use: ${mappableFields.join(', ')}.` : `Did you mean ${nearest}?`;
  return `--map has no field "${name}". ${hint}`;
}

interface TableStart {
  /** Index of the first line of the table. */
  readonly at: number;
  readonly comments: readonly string[];
}

const maxLinesAbove = 10;

/**
 * Finds the row of headings, which may be below comments, titles and a `sep=` line. If there are no headings, the table
 * begins below the comments.
 */
export function findTableStart(lines: readonly string[], map: ColumnMap): TableStart {
  const start = skipComments(lines);
  const titles: string[] = [];
  for (let at = start.at; at < start.at + maxLinesAbove; at += 1) {
    const line = lines[at] ?? '';
    const headings = splitHeadings(line);
    if (
      isHeadingRow(headings, map) ||
      (at === start.at && headings.some((each) => columnForHeading(each) === 'trackNo'))
    ) {
      return { at, comments: [...start.comments, ...titles] };
    }
    const [firstHeading = ''] = headings;
    if (at >= lines.length - 1 || (parseAddInput(firstHeading).kind === 'ok' && findNonNumber(firstHeading) === null))
      break;
    if (line.trim() !== '') titles.push(`line ${at + 1}`);
  }
  return start;
}

/** Skips comments. A line that begins with # may also be a row of headings. */
function skipComments(lines: readonly string[]): TableStart {
  const comments: string[] = [];
  for (const [at, line] of lines.slice(0, -1).entries()) {
    const [firstHeading = '', ...others] = line.startsWith('#') ? splitHeadings(line) : [];
    const isHeadings =
      others.length > 0 && (firstHeading.trim() === '#' || others.some((each) => columnForHeading(each) === 'trackNo'));
    const isComment = line.startsWith('#') && !isHeadings;
    if (line.trim() !== '' && !isComment) return { at, comments };
    if (isComment) comments.push(`line ${at + 1}`);
  }
  return { at: lines.length - 1, comments };
}

function isHeadingRow(headings: readonly string[], map: ColumnMap): boolean {
  const forms = headings.map(normaliseHeading);
  if (map.size > 0) return [...map.values()].every((heading) => forms.includes(normaliseHeading(heading)));
  return headings.length > 1 && headings.some((each) => columnForHeading(each) === 'trackNo' && !isVague(each));
}

export function detectDelimiter(first: string): string {
  const count = (separator: string): number => first.split(separator).length;
  return ['\t', ';', ','].reduce((most, separator) => (count(separator) > count(most) ? separator : most));
}

export const splitHeadings = (first: string): readonly string[] =>
  first.split(detectDelimiter(first)).map((heading) => heading.replaceAll('"', ''));

export type LabelTemplate = (headings: readonly string[]) => {
  /** Headings that the template names, as the table writes them. */
  readonly used: readonly string[];
  /** Returns null if all the cells are empty. */
  label(cells: readonly string[]): string | null;
};

const placeholder = /\{([^{}]+)\}/g;
/** Separators that remain at the start or the end if a cell is empty. */
const edgeSeparators = /^[\s·|,;:/–-]+|[\s·|,;:/–-]+$/gu;

/**
 * Parses a template such as `{Name} · {Item}`. Throws a {@link UsageError} if it names no heading. The returned function
 * throws one if the table lacks a heading.
 */
export function readLabelTemplate(text: string): LabelTemplate {
  const used = [...text.matchAll(placeholder)].map(([, heading = '']) => heading.trim());
  if (used.length === 0) {
    throw new UsageError(
      `"${cleanText(text)}" names no heading. Put headings in braces, as in --label-from "{Name} · {Item}".`,
    );
  }
  return (headings) => {
    const columns = new Map(used.map((heading) => [heading, findMappedColumn(headings, heading)]));
    return {
      used: [...columns.values()].flatMap((index) => headings[index] ?? []),
      label(cells) {
        const cellText = (heading: string): string => (cells[columns.get(heading.trim()) ?? -1] ?? '').trim();
        if (used.every((heading) => cellText(heading) === '')) return null;
        const filled = text.replace(placeholder, (_, heading: string) => cellText(heading));
        return filled.replace(/\s+/g, ' ').replace(edgeSeparators, '');
      },
    };
  };
}

import { cleanTextOrNull } from '../lib/clean-text.ts';
import { normaliseTrackNo } from '../lib/track-number.ts';
import { findProfile, normaliseHeading, otherHeadings } from './column-headings.ts';
import { createCandidates, findNamedCouriers, type ScanCouriers } from './couriers.ts';
import { findInLine } from './find-in-line.ts';
import { type FoundNumber, plainNumber, uniqueCandidates } from './found-number.ts';

export type ImportColumn = keyof typeof otherHeadings;

export type GivenFields = { readonly [Field in Exclude<ImportColumn, 'tags'>]?: string } & {
  readonly tags?: readonly string[];
};

/** Starts with the number, so that the first column of our own tables never starts with #, which marks a comment. */
export const importColumns = Object.keys(otherHeadings) as readonly ImportColumn[];

const byName: ReadonlyMap<string, readonly [field: ImportColumn, rank: number]> = new Map(
  importColumns.flatMap((field) => {
    const names = `${field} ${otherHeadings[field]}`.trim().split(/\s+/);
    return names.map((name, rank) => [normaliseHeading(name), [field, rank]] as const);
  }),
);

const vagueHeadings: ReadonlySet<string> = new Set(
  'number parcel nummer numero barcode kennung sendung order auftrag bestellung commande pedido ordine'.split(' '),
);

/** Whether a heading, such as `#`, `Number` or `Barcode`, may also be used for other numbers. */
export const isVague = (heading: string): boolean => vagueHeadings.has(normaliseHeading(heading));

/** A heading after a group: `Fulfillment: Tracking Number`, `Shipping/Tracking No`, `Order - Tracking number`. */
const groupedHeading = /^(.*\S)(?:\s*[:/|]\s*|\s+[-\u2013]\s+)(\S.*)$/;

/** Groups in which a heading keeps its meaning, unlike those for invoices, customers and returns. */
const fieldGroups: Readonly<Partial<Record<ImportColumn, RegExp>>> = {
  trackNo:
    /^(?!.*(?:bill|rechnung|invoice|return|retour|refund|customer|kunde|product|variant|item|payment|transaction))/,
  courierCode: /ship|fulfil|deliver|track|versand|liefer|sendung|parcel|package|paket|label|order/,
  label: /^(?:line|item|product|article|artikel|produkt|position)/,
  orderNo: /^(?!.*(?:return|refund|customer|kunde|payment|transaction|purchase))/,
  postalCode: /^(?:ship|deliver|liefer|recipient|destination)/,
};
const groupedRank = 1_000;

/**
 * Returns the field for a heading and how likely that is (0 is the most likely), or null if the heading is unknown. A
 * heading that is not known as a whole may start with a group.
 */
export function rankColumn(heading: string): readonly [field: ImportColumn, rank: number] | null {
  const knownColumn = byName.get(normaliseHeading(heading));
  if (knownColumn !== undefined) return knownColumn;
  const [, group = '', last = ''] = groupedHeading.exec(heading.slice(0, maxGroupedHeadingLength)) ?? [];
  const [field, rank] = byName.get(normaliseHeading(last)) ?? [];
  if (field === undefined || rank === undefined || isVague(last)) return null;
  return fieldGroups[field]?.test(normaliseHeading(group)) === true ? [field, groupedRank + rank] : null;
}

const maxGroupedHeadingLength = 200;

export function columnForHeading(heading: string): ImportColumn | null {
  return rankColumn(heading)?.[0] ?? null;
}

export interface TextTable {
  readonly separator: string;
  readonly headings: readonly string[];
  readonly columns: readonly (ImportColumn | null)[];
  /** Name of the courier for rows that do not name one. Empty if unknown. */
  readonly courier: string;
}

const maxHeadingsLength = 5_000;
const maxHeadingLength = 40;
/** One known heading is not enough, because a sentence with commas may contain one by chance. */
const minKnownHeadings = 2;

/** Added to the rank of a vague heading, so that any other heading takes precedence. */
const vagueRank = 10_000;

/** In exports with such a column, `Name` is the order number. */
const itemOfLine = /^(?:lineitemname|linetitle|linename)$/;

/** Parses a line as the header of a table. Returns null unless it consists of headings, including one for numbers. */
export function parseTableHeader(line: string): TextTable | null {
  if (line.length > maxHeadingsLength || /\d{4}/.test(line)) return null;
  const separator = ['\t', ';', '|', ','].find((candidate) => line.includes(candidate));
  if (separator === undefined) return null;
  const headings = splitCells(line, separator);
  if (headings.some((heading) => heading.length > maxHeadingLength)) return null;
  const listsOrderLines = headings.some((heading) => itemOfLine.test(normaliseHeading(heading)));
  const ranked = headings.map((heading) => {
    if (listsOrderLines && normaliseHeading(heading) === 'name') return ['orderNo', 0] as const;
    const [field, rank] = rankColumn(heading) ?? [];
    if (field === undefined || rank === undefined) return null;
    return [field, isVague(heading) ? rank + vagueRank : rank] as const;
  });
  const columns = ranked.map((known, index) => {
    if (known === null) return null;
    const [field, rank] = known;
    const isOutranked = ranked.some(
      (other, at) => other?.[0] === field && (other[1] < rank || (other[1] === rank && at < index)),
    );
    return isOutranked ? null : field;
  });
  const isTable = columns.includes('trackNo') && columns.filter((field) => field !== null).length >= minKnownHeadings;
  return isTable ? { separator, headings, columns, courier: findProfile(headings)?.courier ?? '' } : null;
}

export function splitRow({ headings, separator }: TextTable, line: string): readonly string[] | null {
  if (!line.includes(separator)) return null;
  const cells = splitCells(line, separator);
  return cells.length <= headings.length ? cells : null;
}

const linesAboveRows = 10;

export function firstTable(text: string): TextTable | null {
  for (const line of text.split(/\r\n|\r|\n/, linesAboveRows)) {
    const table = parseTableHeader(line);
    if (table !== null) return table;
  }
  return null;
}

function splitCells(line: string, separator: string): readonly string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '"' && isQuoted && line.charAt(at + 1) === '"') {
      cell += character;
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}

/** Keeps text in a number column even if it matches no format, so that no number is lost silently. */
const unrecognisedNumbers = (cell: string): readonly FoundNumber[] =>
  cell.split(/[\s,;|]+/).flatMap((text): readonly FoundNumber[] => {
    const check = normaliseTrackNo(text);
    if (!check.ok || check.trackNo.length < 6 || !/(?:\D*\d){5}/.test(check.trackNo)) return [];
    const { trackNo } = check;
    return [{ ...plainNumber, trackNo, evidence: 'looks', certainty: 'doubtful', issue: 'unknown-form' }];
  });

const roundedPattern = /^\d[.,]\d+E\+?\d{1,2}$|^\dE\+\d{1,2}$/i;

/** Returns a message about a number that a spreadsheet rounded, or null for any other text. */
export const roundedNumberMessage = (text: string): string | null =>
  roundedPattern.test(text)
    ? `The spreadsheet rounded this number to ${text}. Format its column as text, enter the number again and save the file.`
    : null;

export const findRoundedNumbers = ({ columns }: TextTable, cells: readonly string[]): readonly string[] =>
  cells.flatMap((cell, index) => (columns[index] === 'trackNo' ? (roundedNumberMessage(cell) ?? []) : []));

/** Whether a quoted cell continues on the next line. */
export function continuesOnNextLine({ separator }: TextTable, text: string): boolean {
  if (!text.includes('"')) return false;
  let [isQuoted, isStart] = [false, true];
  for (const character of text.replaceAll('""', '')) {
    if (character === '"' && (isQuoted || isStart)) isQuoted = !isQuoted;
    isStart = !isQuoted && (character === separator || (isStart && character === ' '));
  }
  return isQuoted;
}

const maxCellLength = 200;

/** Uses the courier, label and order number of the row. From unknown columns, accepts only numbers that are certain. */
export function findInRow(
  couriers: ScanCouriers,
  { columns, courier, headings }: TextTable,
  cells: readonly string[],
): readonly FoundNumber[] {
  const cellOf = (field: ImportColumn): string => cells[columns.indexOf(field)]?.slice(0, maxCellLength) ?? '';
  const courierCell = cellOf('courierCode') || courier;
  const label = cleanTextOrNull(cellOf('label'));
  const orderNo = cleanTextOrNull(cellOf('orderNo'));
  const namedCouriers = createCandidates(
    couriers,
    findNamedCouriers(courierCell).flatMap(({ keys }) => keys),
  );
  const addCourier = (number: FoundNumber): FoundNumber => {
    const { candidates, courierCode, evidence } = number;
    if (courierCode !== null || courierCell === '') return number;
    const [only, ...others] = candidates.filter(({ name }) => namedCouriers.some((courier) => courier.name === name));
    if (only !== undefined && others.length === 0) {
      // A brand with several companies names a courier only if the format of the number tells which one.
      return evidence === 'looks' && namedCouriers.length > 1 ? number : { ...number, courierCode: only.courierCode };
    }
    const key = namedCouriers.length === 0 && evidence !== 'check-digit' ? couriers.keyForName(courierCell) : null;
    if (key === null) return number;
    return {
      ...number,
      courierCode: couriers.codeForKey(key),
      candidates: uniqueCandidates([...createCandidates(couriers, [key]), ...candidates]),
    };
  };
  return cells.flatMap((cell, index): readonly FoundNumber[] => {
    const field = columns[index] ?? null;
    if (field === 'trackNo') {
      const numbers = findInLine(couriers, cell, `${courierCell} tracking`);
      return (numbers.length > 0 ? numbers : unrecognisedNumbers(cell)).map((number) => ({
        ...addCourier(number),
        label: number.label ?? label,
        orderNo,
      }));
    }
    if (field !== null && field !== 'remark') return [];
    return findInLine(couriers, cell, headings[index] ?? '').filter(
      ({ certainty, evidence }) => certainty === 'sure' || evidence === 'link',
    );
  });
}

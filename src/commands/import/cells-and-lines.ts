import { isWholeNumber, parseAddInput } from '../../board/input/add-input.ts';
import { type RejectedEntry, readEnteredText, withoutComment } from '../../board/input/entered-text.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { trackNoForm } from '../../lib/track-number.ts';
import { matchFormats } from '../../scan/number-formats.ts';
import { type GivenFields, roundedNumberMessage } from '../../scan/text-table.ts';
import { UsageError } from '../../settings/errors.ts';

const thousands = /^(\s*)(\d{1,3}(?:\.\d{3})+)(?=[\s@]|$)/;

/** Removes the dots if a courier has numbers of that form, possibly with leading zeros that a spreadsheet dropped. */
function withoutDots(digits: string): string {
  const plain = digits.replaceAll('.', '');
  const isNumber =
    matchFormats(plain).length > 0 ||
    ['0', '00'].some((zeros) => matchFormats(zeros + plain).some(({ isVerified }) => isVerified));
  return isNumber ? plain : digits;
}

/** Removes what shops and spreadsheets add: markup, `="…"`, an apostrophe, `.0`, dots between thousands. */
export const cleanNumber = (cell: string): string =>
  cell
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/^\s*="([^"]*)"/, '$1')
    .replace(/^\s*'(?=[\p{L}\p{N}])/u, '')
    .replace(/^(\s*\d{6,})\.0(\s*)$/, '$1$2')
    .replace(thousands, (_, blank: string, digits: string) => blank + withoutDots(digits));

const cleanLine = (line: string): string => line.replace(/^[^\t;,]*/, cleanNumber);

const date = /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}(?:[T ].*)?|\d{1,2}([-./])\d{1,2}\2(?:\d{4}|\d{2}))$/i;
const amount = /^\d+(?:[.,']\d{3})*[.,]\d{2}$/;

export function findNonNumber(text: string): RejectedEntry | null {
  const form = text.trim();
  const kind = date.test(form) ? 'a date' : amount.test(form) ? 'an amount' : null;
  const message =
    roundedNumberMessage(form) ?? (kind === null ? null : `"${cleanText(form)}" is ${kind}, not a number.`);
  return message === null ? null : { reason: 'no-number', message };
}

const emptyCell = /^(?:|null|none|nan|undefined|n\/a|#n\/a|keine?|\p{Pd}+)$/iu;

export const isEmptyCell = (cell: string): boolean => emptyCell.test(cell.trim());

export function isNumberCell(cell: string): boolean {
  const form = trackNoForm(cleanNumber(cell));
  return isWholeNumber(form) && findNonNumber(form) === null;
}

const conjunction = /^(?:and|und|et|y|e|en|og|och|i|и)$/i;

/**
 * Splits a cell that contains nothing but numbers. Otherwise returns the cell itself.
 * @param isOurs whether this program wrote the cell, so that a slash is part of the number
 */
export function numbersInCell(cell: string, isOurs: boolean): readonly string[] {
  const parts = cell
    .split(isOurs ? /[\s,;|+&]+/ : /[\s,;|+&/]+/)
    .filter((part) => part !== '' && !conjunction.test(part));
  if (!parts.every(isNumberCell)) return [cell];
  // A single number may also contain spaces, between its groups.
  const areSeparate =
    /[,;|+&]/.test(cell) || (parts.length > 1 && (/\//.test(cell) || parseAddInput(cell).kind === 'problem'));
  return areSeparate ? parts.map(cleanNumber) : [cell];
}

export interface ImportRow {
  readonly place: string;
  readonly fields: GivenFields;
  readonly problem?: RejectedEntry;
}

export interface ImportTable {
  readonly rows: readonly ImportRow[];
  /** Headings of columns that are not used. */
  readonly unused: readonly string[];
  readonly isOurs: boolean;
  /** How the columns were read, as a sentence without a full stop. Absent for our own tables and for plain lists. */
  readonly interpretation?: string;
  /** The courier of rows that name none, if the kind of table implies one. */
  readonly courier?: string | undefined;
  readonly comments: readonly string[];
  readonly withoutNumber: readonly string[];
}

export type ParsedTable = Omit<ImportTable, 'withoutNumber'>;

const maxNamed = 12;

/** Such as `line 3` or `lines 2, 4-9, 12 …`. */
export function placeList(places: readonly string[]): string {
  const [word = ''] = (places[0] ?? '').split(' ');
  const numbers = [...new Set(places.map((place) => Number(place.split(' ')[1])))].sort((a, b) => a - b);
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  const shownRanges = ranges.slice(0, maxNamed).flatMap(({ from, to }) => {
    if (from === to) return [String(from)];
    return to === from + 1 ? [String(from), String(to)] : [`${from}-${to}`];
  });
  const plural = word === 'entry' ? 'entries' : `${word}s`;
  return `${numbers.length === 1 ? word : plural} ${shownRanges.join(', ')}${ranges.length > maxNamed ? ' …' : ''}`;
}

const maxHeadings = 20;

export function headingList(headings: readonly string[]): string {
  const quoted = headings.slice(0, maxHeadings).map((heading) => `"${cleanText(heading).slice(0, 40)}"`);
  const more = headings.length - quoted.length;
  return `${quoted.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const noNumbersError = (headings: readonly string[], what = 'This looks like a table. '): UsageError =>
  new UsageError({
    what: `${what}Which column contains the tracking numbers?`,
    advice: `Use --map number=HEADING. Headings: ${headingList(headings)}.`,
  });

const keyedLine = /^\s*([A-Za-z0-9-]{6,50})\s*[,;\t]\s*(\d{4,6})\s*$/;

const minUnreadableLines = 5;
const maxUnreadableRatio = 2;

/**
 * Parses lines as the input bar does, and also 17TRACK lines with a number and a courier key. Throws a
 * {@link UsageError} if the text is not a list of numbers.
 */
export function parseLines(text: string): ParsedTable {
  assertNoProse(text);
  const inputLines = text.split(/\r\n|\r|\n/);
  const comments = inputLines.flatMap((line, index) => (/^\s*#/.test(line) ? [`line ${index + 1}`] : []));
  const lines = inputLines.map((inputLine) => {
    const line = cleanLine(withoutComment(inputLine));
    const [, trackNo = '', courierKey = ''] = keyedLine.exec(line) ?? [];
    return isNumberCell(trackNo) ? `${trackNo} @${courierKey}` : line;
  });
  const rows = readEnteredText(lines.join('\n')).map(({ input, line, text: entered }): ImportRow => {
    const place = `line ${line}`;
    const problem = findNonNumber(input.kind === 'problem' ? entered : input.trackNo);
    if (problem !== null) return { place, fields: { trackNo: entered }, problem };
    if (input.kind === 'problem') {
      return { place, fields: { trackNo: entered }, problem: { reason: input.reason, message: input.message } };
    }
    const { courierCode, label, trackNo } = input;
    const courier = courierCode === null ? {} : { courierCode };
    return { place, fields: { trackNo, ...courier, ...(label === null ? {} : { label }) } };
  });
  const unreadable = rows.filter(({ problem }) => problem !== undefined).length;
  if (unreadable * 2 > rows.length) assertNoTable(inputLines);
  if (unreadable >= minUnreadableLines && unreadable > maxUnreadableRatio * (rows.length - unreadable))
    throw notAListError();
  // As in the input bar, `@courier` in a line is one of our own codes.
  return { rows, comments, unused: [], isOurs: true };
}

const minSeparators = 2;

/** Throws a {@link UsageError} if most lines are rows of a table. */
function assertNoTable(lines: readonly string[]): void {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, sampleSize);
  const [first] = sample;
  for (const separator of ['\t', ';', ',']) {
    const rows = sample.filter((line) => line.split(separator).length > minSeparators);
    if (first !== undefined && sample.length > 1 && rows.length * 5 >= sample.length * 4) {
      throw noNumbersError(first.split(separator).map((heading) => heading.replaceAll('"', '').trim()));
    }
  }
}

const sampleSize = 40;
const mailHeader = /^(?:from|to|subject|received|return-path|mime-version|content-type|message-id|delivered-to):\s/i;

function assertNoProse(text: string): void {
  const lines = text.split(/\r\n|\r|\n/, sampleSize);
  const isMail = lines.filter((line) => mailHeader.test(line)).length >= 2;
  if (isMail || /^\s*<(?:!doctype|html|head|body|\?xml)\b/i.test(text.slice(0, 1_000))) throw notAListError();
}

const notAListError = (): UsageError =>
  new UsageError(
    'This looks like prose, a web page or an email, not a list of numbers. To find the numbers in it, run "parcel-monitor add --scan FILE".',
  );

import { readEnteredText, withoutComment } from '../../board/input/entered-text.ts';
import { UsageError } from '../../settings/errors.ts';
import { cleanedLine, type ImportRow, isNumberCell, otherThanNumber, type ReadTable } from './cells.ts';
import { noNumbers } from './columns.ts';

const keyedLine = /^\s*([A-Za-z0-9-]{6,50})\s*[,;\t]\s*(\d{4,6})\s*$/;

const minUnreadableLines = 5;
const maxUnreadableRatio = 2;

/**
 * Parses lines as the input bar does, and also 17TRACK lines with a number and a courier key. Throws a
 * {@link UsageError} if the text is not a list of numbers.
 */
export function enteredRows(text: string): ReadTable {
  assertNoProse(text);
  const given = text.split(/\r\n|\r|\n/);
  const comments = given.flatMap((line, index) => (/^\s*#/.test(line) ? [`line ${index + 1}`] : []));
  const lines = given.map((whole) => {
    const line = cleanedLine(withoutComment(whole));
    const [, trackNo = '', courierKey = ''] = keyedLine.exec(line) ?? [];
    return isNumberCell(trackNo) ? `${trackNo} @${courierKey}` : line;
  });
  const rows = readEnteredText(lines.join('\n')).map(({ input, line, text: entered }): ImportRow => {
    const place = `line ${line}`;
    const other = otherThanNumber(input.kind === 'problem' ? entered : input.trackNo);
    if (other !== null) return { place, fields: { trackNo: entered }, problem: other };
    if (input.kind === 'problem') {
      return { place, fields: { trackNo: entered }, problem: { reason: input.reason, message: input.message } };
    }
    const { courierCode, label, trackNo } = input;
    const courier = courierCode === null ? {} : { courierCode };
    return { place, fields: { trackNo, ...courier, ...(label === null ? {} : { label }) } };
  });
  const unreadable = rows.filter(({ problem }) => problem !== undefined).length;
  if (unreadable * 2 > rows.length) assertNoTable(given);
  if (unreadable >= minUnreadableLines && unreadable > maxUnreadableRatio * (rows.length - unreadable))
    throw notAListError();
  // As in the input bar, `@courier` in a line is one of our own codes.
  return { rows, comments, unused: [], areOurs: true };
}

const minSeparators = 2;

/** Throws a {@link UsageError} if most lines are rows of a table. */
function assertNoTable(lines: readonly string[]): void {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, sampleSize);
  const [first] = sample;
  for (const separator of ['\t', ';', ',']) {
    const rows = sample.filter((line) => line.split(separator).length > minSeparators);
    if (first !== undefined && sample.length > 1 && rows.length * 5 >= sample.length * 4) {
      throw noNumbers(first.split(separator).map((heading) => heading.replaceAll('"', '').trim()));
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

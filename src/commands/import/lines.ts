import { readEnteredText, withoutComment } from '../../board/input/entered-text.ts';
import { UsageError } from '../../settings/errors.ts';
import { cleanedLine, type ImportRow, isNumberCell, otherThanNumber, type ReadTable } from './cells.ts';
import { noNumbers } from './columns.ts';

const keyedLine = /^\s*([A-Za-z0-9-]{6,50})\s*[,;\t]\s*(\d{4,6})\s*$/;

const mostSenseless = 5;
const senselessShare = 2;

/** Reads lines as in the input bar, and those of 17TRACK: a number and a courier key. Throws a {@link UsageError} for prose. */
export function enteredRows(text: string): ReadTable {
  refuseProse(text);
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
      return { place, fields: { trackNo: entered }, problem: { reason: input.flaw, message: input.message } };
    }
    const { courierCode, label, trackNo } = input;
    const courier = courierCode === null ? {} : { courierCode };
    return { place, fields: { trackNo, ...courier, ...(label === null ? {} : { label }) } };
  });
  const senseless = rows.filter(({ problem }) => problem !== undefined).length;
  if (senseless * 2 > rows.length) refuseTable(given);
  if (senseless >= mostSenseless && senseless > senselessShare * (rows.length - senseless)) throw noList();
  // A line says `@courier` as the input bar does.
  return { rows, comments, unused: [], areOurs: true };
}

const fewestSeparators = 2;

/** Throws a {@link UsageError} if most of the lines are rows of a table. */
function refuseTable(lines: readonly string[]): void {
  const looked = lines.filter((line) => line.trim() !== '').slice(0, lookedAt);
  const [first] = looked;
  for (const sign of ['\t', ';', ',']) {
    const rows = looked.filter((line) => line.split(sign).length > fewestSeparators);
    if (first !== undefined && looked.length > 1 && rows.length * 5 >= looked.length * 4) {
      throw noNumbers(first.split(sign).map((heading) => heading.replaceAll('"', '').trim()));
    }
  }
}

const lookedAt = 40;
const mailHeader = /^(?:from|to|subject|received|return-path|mime-version|content-type|message-id|delivered-to):\s/i;

function refuseProse(text: string): void {
  const lines = text.split(/\r\n|\r|\n/, lookedAt);
  const isMail = lines.filter((line) => mailHeader.test(line)).length >= 2;
  if (isMail || /^\s*<(?:!doctype|html|head|body|\?xml)\b/i.test(text.slice(0, 1_000))) throw noList();
}

const noList = (): UsageError =>
  new UsageError(
    'This is a text, a page or a mail, not a list of numbers. Use "parcel-monitor add --scan FILE" to find its numbers.',
  );

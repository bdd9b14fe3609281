import { parseAddInput } from '../../board/input/add-input.ts';
import { columnOf, headingForm, isVague } from '../../watchlist/columns/column-names.ts';
import type { ColumnMap } from './import-columns.ts';
import { otherThanNumber } from './import-number.ts';

/** What ends a line of a table. */
export const lineBreak = /\r\n|\r|\n/;

/** Where the table in a text begins. */
interface TableStart {
  readonly above: { readonly lines: number; readonly comments: readonly string[] };
  readonly body: string;
  /** The first line of the table. */
  readonly first: string;
}

/** Where the table in a text begins: below comments and titles. */
export const tableStart = (text: string, map: ColumnMap): TableStart => belowTitle(belowComments(text), map);

/** A text without the comments above it; a row of headings that begins with # is none. */
function belowComments(text: string): TableStart {
  const comments: string[] = [];
  let [lines, rest] = [0, text];
  for (;;) {
    const [first = ''] = rest.split(lineBreak, 1);
    const [begin = '', ...others] = first.startsWith('#') ? headingsOf(first) : [];
    const isHeadings =
      others.length > 0 && (begin.trim() === '#' || others.some((each) => columnOf(each) === 'trackNo'));
    const isComment = first.startsWith('#') && !isHeadings;
    if ((first.trim() !== '' && !isComment) || first.length === rest.length) {
      return { above: { lines, comments }, body: rest, first };
    }
    lines += 1;
    if (isComment) comments.push(`line ${lines}`);
    rest = rest.slice(first.length).replace(/^(?:\r\n|\r|\n)/, '');
  }
}

/** Most lines above the headings of a table. */
const mostAbove = 10;

/**
 * The table without what stands above its headings, such as a title, or the line that tells a spreadsheet the separator: lines that
 * do not begin with a number. Where no headings follow, the table begins where it did.
 */
function belowTitle(start: TableStart, map: ColumnMap): TableStart {
  const titles: string[] = [];
  let { above, body, first } = start;
  for (let count = 0; count < mostAbove; count += 1) {
    const headings = headingsOf(first);
    if (areHeadingsOf(headings, map) || (count === 0 && headings.some((each) => columnOf(each) === 'trackNo'))) {
      return { above, body, first };
    }
    const [begin = ''] = headings;
    if (first.length === body.length || (parseAddInput(begin).kind === 'ok' && otherThanNumber(begin) === null)) break;
    const lines = above.lines + 1;
    if (first.trim() !== '') titles.push(`line ${lines}`);
    above = { lines, comments: [...start.above.comments, ...titles] };
    body = body.slice(first.length).replace(/^(?:\r\n|\r|\n)/, '');
    [first = ''] = body.split(lineBreak, 1);
  }
  return start;
}

/** Whether the cells of a line are headings beyond doubt: all that the map names, else one of numbers and others. */
function areHeadingsOf(headings: readonly string[], map: ColumnMap): boolean {
  const forms = headings.map(headingForm);
  if (map.size > 0) return [...map.values()].every((heading) => forms.includes(headingForm(heading)));
  return headings.length > 1 && headings.some((each) => columnOf(each) === 'trackNo' && !isVague(each));
}

/** The comments of a table of ours, in which no row begins with #. */
export const commentsIn = (body: string, linesAbove: number): readonly string[] =>
  body.split(lineBreak).flatMap((line, index) => (line.startsWith('#') ? [`line ${linesAbove + index + 1}`] : []));

/** What separates the columns: the sign that stands most often in the first line. */
export function delimiterOf(first: string): string {
  const count = (sign: string): number => first.split(sign).length;
  return ['\t', ';', ','].reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

/** The cells of a line of headings. */
export const headingsOf = (first: string): readonly string[] =>
  first.split(delimiterOf(first)).map((heading) => heading.replaceAll('"', ''));

import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { drawable, type Line, type Segment } from './paint.ts';

/**
 * Characters of known width, of which only Thai marks join with what is before them: most texts have no others, and the
 * table for all others is slow to load.
 */

/** One cell each: ASCII, Latin, Greek, Cyrillic and Thai letters, and the signs that the board draws. */
const narrow =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce\\u0400-\\u0482\\u048a-\\u052f\\u0e01-\\u0e30\\u0e32\\u0e3f-\\u0e46\\u0e4f-\\u0e5b\\u1ea0-\\u1ef9–—‘’“”•…←↑→↓↻⏎−∙≋─━│╭╮╯╰▌▫□▲▸◆◇○●◔✓✗';
/** Two cells each: kana, Han and Hangul, with their punctuation. */
const wide = '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const firstWide = 0x3001;
/** No cell: Thai vowels and tones above and below a consonant. */
const marks = '\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e';
const isMark = new RegExp(`[${marks}]`);
const firstMark = 0x0e31;
const lastMark = 0x0e4e;

const anyOther = new RegExp(`[^${narrow}${wide}${marks}]|(?<![\\u0e01-\\u0e2e${marks}])[${marks}]`);

export const isSimple = (text: string): boolean => !anyOther.test(text);

export function simpleWidth(text: string): number {
  let width = 0;
  for (let at = 0; at < text.length; at += 1) width += cellsAt(text, at);
  return width;
}

function cellsAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < firstMark) return 1;
  if (unit >= firstWide) return 2;
  return unit <= lastMark && isMark.test(text.charAt(at)) ? 0 : 1;
}

function fitting(text: string, width: number): number {
  let cells = 0;
  for (let at = 0; at < text.length; at += 1) {
    cells += cellsAt(text, at);
    if (cells > width) return at;
  }
  return text.length;
}

export const cutSimple = (text: string, width: number): string => `${text.slice(0, fitting(text, width - 1))}…`;

export function cutSimpleMiddle(text: string, width: number): string {
  const half = Math.floor(width / 2);
  const skipped = simpleWidth(text) - (width - half) + 1;
  const from = fitting(text, skipped);
  const isSplit = simpleWidth(text.slice(0, from)) < skipped;
  return `${text.slice(0, fitting(text, half))}…${text.slice(isSplit ? from + 1 : from)}`;
}

export function wrapSimple(text: string, width: number): string[] | null {
  const rows: string[] = [];
  let row = '';
  let cells = 0;
  for (const word of text.split(' ')) {
    const length = simpleWidth(word);
    if (length > width) return null;
    // Blanks at the beginning of a row are dropped, and so is the one at which it is broken.
    const gap = cells === 0 ? 0 : 1;
    if (cells + gap + length > width && length > 0) {
      rows.push(row.trimEnd());
      row = word;
      cells = length;
    } else {
      row += ' '.repeat(gap) + word;
      cells += gap + length;
    }
  }
  return [...rows, row.trimEnd()];
}

const ascii = /^[ -~]*$/;

export function cellWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  if (isSimple(text)) return simpleWidth(text);
  const form = drawable(text);
  return isSimple(form) ? simpleWidth(form) : stringWidth(form);
}

export const cut = (text: string, width: number): string => shortened(text, width, cutSimple, 'end');

export const cutMiddle = (text: string, width: number): string => shortened(text, width, cutSimpleMiddle, 'middle');

function shortened(text: string, width: number, cutIt: typeof cutSimple, position: 'end' | 'middle'): string {
  if (width < 1) return '';
  if (isSimple(text)) return simpleWidth(text) <= width ? text : cutIt(text, width);
  const form = drawable(text);
  if (stringWidth(form) <= width) return form;
  const shorter = cliTruncate(form, width, { position });
  return stringWidth(shorter) <= width ? shorter : cutClusters(form, width);
}

/** Where a sign belongs to the wide character behind it, the package takes both for narrower than they are drawn. */
function cutClusters(text: string, width: number): string {
  // Made here, since hardly any text comes here and each start would pay for it.
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let room = width - 1;
  let shown = '';
  for (const { segment } of graphemes.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    shown += segment;
  }
  return `${shown}…`;
}

export function fitText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const cells = cellWidth(text);
  // Most texts fit, and need not be measured again.
  const fits = width > 0 && cells <= width;
  const shown = fits ? drawnForm(text) : cut(text, width);
  const padding = ' '.repeat(Math.max(0, width - (fits ? cells : cellWidth(shown))));
  return align === 'left' ? shown + padding : padding + shown;
}

const drawnForm = (text: string): string => (isSimple(text) ? text : drawable(text));

export function wrap(text: string, width: number): string[] {
  if (width < 1) return [];
  const simple = isSimple(text) ? wrapSimple(text, width) : null;
  if (simple !== null) return simple;
  // A wide character cannot stand in one cell; there, `cut` puts its mark in place of the character.
  return wrapAnsi(drawable(text), width, { hard: true })
    .split('\n')
    .map((row) => cut(row, width));
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, segment) => sum + cellWidth(segment.text), 0);
}

export function fitLine(line: Line, width: number): Line {
  const total = lineWidth(line);
  if (total < width) return [...line, { text: ' '.repeat(width - total) }];
  if (total === width) return line;
  const kept: Segment[] = [];
  let room = width;
  for (const segment of line) {
    const cells = cellWidth(segment.text);
    if (cells >= room) {
      // More follows, or this piece is too long itself: either way the last cell is the mark's.
      if (room > 0) kept.push({ ...segment, text: fitText(`${segment.text}…`, room) });
      break;
    }
    kept.push(segment);
    room -= cells;
  }
  return kept;
}

export function lineText(line: Line): string {
  return line.map((segment) => segment.text).join('');
}

export function paragraphLines(
  text: string,
  width: number,
  style: Omit<Segment, 'text'> = {},
  indent = 0,
): readonly Line[] {
  return wrap(text, width - indent).map((row): Line => {
    const segment = { ...style, text: row };
    return indent === 0 ? [segment] : [{ text: ' '.repeat(indent) }, segment];
  });
}

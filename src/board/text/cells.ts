import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Line, Segment } from './line.ts';
import { cutSimple, cutSimpleMiddle, isSimple, simpleWidth, wrapSimple } from './simple-text.ts';

/**
 * Regional indicators, enclosing keycap, skin tones, joiners and variation selectors, Thai and Lao AM, and the linkers of
 * Indic and Khmer conjuncts.
 */
const contested =
  /[\u{1F1E6}-\u{1F1FF}\u20E3\u{1F3FB}-\u{1F3FF}\u0E33\u0EB3\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D\u1039\u17D2\u1A60\u1B44\u1BAB\uA9C0\uAAF6]|\u200D|[\uFE00-\uFE0F]/u;
const regionalIndicator = /[\u{1F1E6}-\u{1F1FF}]/gu;
const regionalIndicatorA = 0x1f1e6;
const droppedMarks = /[\u20E3\u{1F3FB}-\u{1F3FF}]|\u200D|[\uFE00-\uFE0F]/gu;
const thaiAm = /([\u0E48-\u0E4B]?)\u0E33/g;
const laoAm = /([\u0EC8-\u0ECB]?)\u0EB3/g;
const conjunct = /([\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D\u1039\u17D2\u1A60\u1B44\u1BAB\uA9C0\uAAF6]\p{M}*)(?=\p{L})/gu;

/**
 * Rewrites the few clusters whose width terminals and width tables disagree about into forms they agree about: flags
 * become their two letters, keycaps lose their cap, hands their skin tone and families what joins them, signs stay as they
 * are without a selector, Thai and Lao AM are spelt in their two parts, conjuncts are drawn with a visible linker.
 * Everything in this file measures and returns this form.
 */
export function drawable(text: string): string {
  if (!contested.test(text)) return text;
  return text
    .replace(regionalIndicator, (indicator) => {
      const letter = (indicator.codePointAt(0) ?? regionalIndicatorA) - regionalIndicatorA;
      return String.fromCodePoint(0x41 + letter);
    })
    .replace(droppedMarks, '')
    .replace(thaiAm, '\u0E4D$1\u0E32')
    .replace(laoAm, '\u0ECD$1\u0EB2')
    .replace(conjunct, '$1\u200C');
}

/** Most texts by far: a frame measures thousands. */
const ascii = /^[ -~]*$/;

/** Terminal cells that a text takes when drawn. */
export function cellWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  if (isSimple(text)) return simpleWidth(text);
  const form = drawable(text);
  return isSimple(form) ? simpleWidth(form) : stringWidth(form);
}

/** Shortens a text to at most `width` cells; what is cut off shows as `…`. Never splits a grapheme. */
export function cut(text: string, width: number): string {
  if (width < 1) return '';
  if (isSimple(text)) return simpleWidth(text) <= width ? text : cutSimple(text, width);
  const form = drawable(text);
  return stringWidth(form) <= width ? form : cliTruncate(form, width);
}

/** As {@link cut}, but keeps beginning and end: tracking numbers of one sender differ in their last digits. */
export function cutMiddle(text: string, width: number): string {
  if (width < 1) return '';
  if (isSimple(text)) return simpleWidth(text) <= width ? text : cutSimpleMiddle(text, width);
  const form = drawable(text);
  return stringWidth(form) <= width ? form : cliTruncate(form, width, { position: 'middle' });
}

/** Cuts or pads a text to exactly `width` cells. */
export function fitText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, width);
  const padding = ' '.repeat(Math.max(0, width - cellWidth(shown)));
  return align === 'left' ? shown + padding : padding + shown;
}

/**
 * Breaks a text into lines of at most `width` cells: between words where there are any, else between graphemes.
 * At least one line, unless `width` is below 1.
 */
export function wrap(text: string, width: number): string[] {
  if (width < 1) return [];
  const simple = isSimple(text) ? wrapSimple(text, width) : null;
  if (simple !== null) return simple;
  // A wide character cannot stand in one cell; there, `cut` puts its mark in place of the character.
  return wrapAnsi(drawable(text), width, { hard: true })
    .split('\n')
    .map((row) => cut(row, width));
}

/** Cells that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, segment) => sum + cellWidth(segment.text), 0);
}

/** Cuts or pads a line to exactly `width` cells; looks are kept. */
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

/** A line as plain text, without its looks. */
export function lineText(line: Line): string {
  return line.map((segment) => segment.text).join('');
}

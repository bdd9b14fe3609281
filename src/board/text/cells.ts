import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { drawable } from './drawable.ts';
import type { Line, Segment } from './line.ts';
import { cutSimple, cutSimpleMiddle, isSimple, simpleWidth, wrapSimple } from './simple-text.ts';

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
export const cut = (text: string, width: number): string => shortened(text, width, cutSimple, 'end');

/** As {@link cut}, but keeps beginning and end: tracking numbers of one sender differ in their last digits. */
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

/** Cuts or pads a text to exactly `width` cells. */
export function fitText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const cells = cellWidth(text);
  // Most texts fit, and need not be measured again.
  const fits = width > 0 && cells <= width;
  const shown = fits ? drawnForm(text) : cut(text, width);
  const padding = ' '.repeat(Math.max(0, width - (fits ? cells : cellWidth(shown))));
  return align === 'left' ? shown + padding : padding + shown;
}

/** A text as it is drawn. */
const drawnForm = (text: string): string => (isSimple(text) ? text : drawable(text));

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

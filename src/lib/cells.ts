import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { drawable, type Line, type Segment } from './paint.ts';

/** Latin, Greek and Cyrillic letters and the board's symbols take one cell each. Anything else is slow to measure. */
const oneCellEach =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0482\u048a-\u052f\u1ea0-\u1ef9–—‘’“”•…←↑→↓↻⏎−∙≋─━│┆╭╮╰╯▌▫□▲▸◆◇○●◔⊗✈✓✖✗]*$/;

const isSimple = (text: string): boolean => oneCellEach.test(text);

export const cellWidth = (text: string): number => (isSimple(text) ? text.length : stringWidth(drawable(text)));

export const cut = (text: string, width: number): string => shorten(text, width, 'end');

export const cutMiddle = (text: string, width: number): string => shorten(text, width, 'middle');

function shorten(text: string, width: number, position: 'end' | 'middle'): string {
  if (width < 1) return '';
  if (isSimple(text)) {
    if (text.length <= width) return text;
    const before = position === 'end' ? width - 1 : Math.floor(width / 2);
    return `${text.slice(0, before)}…${text.slice(text.length - (width - 1 - before))}`;
  }
  const rewritten = drawable(text);
  if (stringWidth(rewritten) <= width) return rewritten;
  const shorter = cliTruncate(rewritten, width, { position });
  return stringWidth(shorter) <= width ? shorter : cutClusters(rewritten, width);
}

/** cli-truncate underestimates the width of a symbol that forms a cluster with a wide character. */
function cutClusters(text: string, width: number): string {
  let room = width - 1;
  let truncated = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    truncated += segment;
  }
  return `${truncated}…`;
}

export function fitText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const truncated = cut(text, width);
  const padding = ' '.repeat(Math.max(0, width - cellWidth(truncated)));
  return align === 'left' ? truncated + padding : padding + truncated;
}

export function wrap(text: string, width: number): string[] {
  if (width < 1) return [];
  if (isSimple(text) && text.length <= width) return [text.trim()];
  // A wide character does not fit into a width of 1, so `cut` replaces it.
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
  const segments: Segment[] = [];
  let room = width;
  for (const segment of line) {
    const cells = cellWidth(segment.text);
    if (cells >= room) {
      // The added ellipsis makes the text too long, so `fitText` cuts it and ends it with an ellipsis.
      if (room > 0) segments.push({ ...segment, text: fitText(`${segment.text}…`, room) });
      break;
    }
    segments.push(segment);
    room -= cells;
  }
  return segments;
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

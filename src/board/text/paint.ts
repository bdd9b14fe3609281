import { drawable } from './drawable.ts';
import type { GlyphSet, Line, Segment, Tone } from './line.ts';
import { inGlyphs } from './stand-in.ts';

/** How the board looks in a terminal. */
export interface Look {
  /** Whether tones have colours; without, bold and dim remain. */
  readonly colour: boolean;
  /** Whether a text can lead to an address. */
  readonly hyperlinks: boolean;
}

/** Turns a piece of text with a meaning into what is written. */
export type Painter = (segment: Segment) => string;

/** Codes that begin and end a look of the terminal. */
type Style = readonly [begin: number, end: number];

const bold: Style = [1, 22];
const dim: Style = [2, 22];

/** Colours come from the terminal's own sixteen, so that the user's palette holds. */
const toneStyles: Readonly<Record<Tone, Style | null>> = {
  plain: null,
  attention: [31, 39],
  today: [33, 39],
  moving: [36, 39],
  done: [32, 39],
  quiet: dim,
  accent: [35, 39],
};

/** The looks of a segment, outermost first. */
function stylesOf({ bold: isBold, dim: isDim, tone = 'plain' }: Segment, colour: boolean): readonly Style[] {
  const toneStyle = colour || tone === 'quiet' ? toneStyles[tone] : null;
  const styles = toneStyle === null ? [] : [toneStyle];
  if (isBold === true) styles.push(bold);
  if (isDim === true && tone !== 'quiet') styles.push(dim);
  return styles;
}

const sequence = (code: number): string => `\u001b[${code}m`;
const beginOf = (styles: readonly Style[]): string => styles.map(([begin]) => sequence(begin)).join('');
const endOf = (styles: readonly Style[]): string =>
  styles
    .toReversed()
    .map(([, end]) => sequence(end))
    .join('');

/** A text that leads to an address, in a terminal that draws links. */
const linked = (text: string, address: string): string => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;

/**
 * A line as it is written to the terminal: the one place where colours and links are applied, and where every text gets the
 * form whose width is known, so that no line is wider than it was measured. Segments that look alike are written as one, and
 * blanks as part of what stands before them: Ink takes every sequence apart again.
 */
export function paint(line: Line, { colour, hyperlinks }: Look): string {
  let whole = '';
  let run = '';
  let begin = '';
  let end = '';
  const closeRun = (): void => {
    if (run !== '') whole += begin + run + end;
    run = '';
    begin = '';
    end = '';
  };
  for (const segment of line) {
    const text = drawable(segment.text);
    const link = hyperlinks ? segment.link : undefined;
    if (link === undefined && text.trim() === '') {
      run += text;
      continue;
    }
    const styles = stylesOf(segment, colour);
    const ownBegin = beginOf(styles);
    if (ownBegin !== begin || link !== undefined) {
      closeRun();
      begin = ownBegin;
      end = endOf(styles);
    }
    run += link === undefined ? text : linked(text, link);
    if (link !== undefined) closeRun();
  }
  closeRun();
  return whole;
}

/** Writes the text alone: for files, pipes and terminals without colour. */
export const plainPainter =
  (glyphs: GlyphSet): Painter =>
  ({ text }) =>
    inGlyphs(text, glyphs);

/** Writes the text in its tone's colour. */
export const colourPainter =
  (glyphs: GlyphSet): Painter =>
  ({ link: _link, ...segment }) =>
    inGlyphs(paint([segment], { colour: true, hyperlinks: false }), glyphs);

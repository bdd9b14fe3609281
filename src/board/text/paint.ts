import { drawable } from './drawable.ts';
import type { GlyphSet, Line, Segment, Tone } from './line.ts';
import { inGlyphs } from './stand-in.ts';

/** How the board looks in a terminal. */
export interface Look {
  /** Whether tones have colours; without, bold and dim remain. */
  readonly colour: boolean;
  /** Whether a text can lead to an address. */
  readonly hyperlinks: boolean;
  /** The signs that are drawn. */
  readonly glyphs: GlyphSet;
}

/** Turns a piece of text with a meaning into what is written. */
export type Painter = (segment: Segment) => string;

/** What begins and ends a look of the terminal. */
type Style = readonly [begin: string, end: string];

const styleOf = (begin: number, end: number): Style => [`\u001b[${begin}m`, `\u001b[${end}m`];

const none: Style = ['', ''];
const bold = styleOf(1, 22);
const dim = styleOf(2, 22);

/** Colours come from the terminal's own sixteen, so that the user's palette holds. */
const toneStyles: Readonly<Record<Tone, Style>> = {
  plain: none,
  attention: styleOf(31, 39),
  today: styleOf(33, 39),
  moving: styleOf(36, 39),
  done: styleOf(32, 39),
  quiet: dim,
  accent: styleOf(35, 39),
};

/** The looks of a segment as one, a tone outermost. */
function lookOf({ bold: isBold, dim: isDim, tone = 'plain' }: Segment, colour: boolean): Style {
  const [begin, end] = colour || tone === 'quiet' ? toneStyles[tone] : none;
  const [boldBegin, boldEnd] = isBold === true ? bold : none;
  const [dimBegin, dimEnd] = isDim === true && tone !== 'quiet' ? dim : none;
  return [begin + boldBegin + dimBegin, dimEnd + boldEnd + end];
}

/** A text that leads to an address, in a terminal that draws links. */
const linked = (text: string, address: string): string => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;

/**
 * A line as it is written to the terminal: the one place where colours, links and stand-ins are applied, and where every text
 * gets the form whose width is known, so that no line is wider than it was measured. Segments that look alike are written as one, and
 * blanks as part of what stands before them: Ink takes every sequence apart again.
 */
export function paint(line: Line, { colour, glyphs, hyperlinks }: Look): string {
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
    const text = inGlyphs(drawable(segment.text), glyphs);
    const link = hyperlinks ? segment.link : undefined;
    if (link === undefined && text.trim() === '') {
      run += text;
      continue;
    }
    const [ownBegin, ownEnd] = lookOf(segment, colour);
    if (ownBegin !== begin || link !== undefined) {
      closeRun();
      begin = ownBegin;
      end = ownEnd;
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
    paint([segment], { colour: true, hyperlinks: false, glyphs });

import type { GlyphSet, Line, Segment, Tone } from './line.ts';
import { inGlyphs } from './stand-in.ts';

/** How the board looks in a terminal. */
export interface Look {
  /** Whether tones have colours; without, bold and dim remain. */
  readonly colour: boolean;
  readonly glyphs: GlyphSet;
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

function styled(segment: Segment, text: string, colour: boolean): string {
  const tone = segment.tone ?? 'plain';
  const toneStyle = colour || tone === 'quiet' ? toneStyles[tone] : null;
  let whole = text;
  if (segment.dim === true && tone !== 'quiet') whole = wrapped(whole, dim);
  if (segment.bold === true) whole = wrapped(whole, bold);
  return toneStyle === null ? whole : wrapped(whole, toneStyle);
}

const wrapped = (text: string, [begin, end]: Style): string => `\u001b[${begin}m${text}\u001b[${end}m`;

/** A text that leads to an address, in a terminal that draws links. */
const linked = (text: string, address: string): string => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;

/** A line as it is written to the terminal: the one place where stand-ins, colours and links are applied. */
export function paint(line: Line, { colour, glyphs, hyperlinks }: Look): string {
  let whole = '';
  for (const segment of line) {
    const text = styled(segment, inGlyphs(segment.text, glyphs), colour);
    whole += segment.link === undefined || !hyperlinks ? text : linked(text, segment.link);
  }
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
    paint([segment], { colour: true, glyphs, hyperlinks: false });

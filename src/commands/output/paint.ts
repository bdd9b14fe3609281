import { styleText } from 'node:util';
import type { Segment, Tone } from '../../board/text/line.ts';

/** Turns a piece of text with a meaning into what is written. */
export type Painter = (segment: Segment) => string;

type Colour = Parameters<typeof styleText>[0];

/** From the terminal's own sixteen colours, so that its palette holds. */
const colours: Readonly<Record<Tone, Colour>> = {
  plain: [],
  attention: 'red',
  today: 'yellow',
  moving: 'cyan',
  done: 'green',
  quiet: 'dim',
  accent: 'magenta',
};

/** Writes the text alone: for files, pipes and terminals without colour. */
export const plainPainter: Painter = ({ text }) => text;

/** Writes the text in its tone's colour. */
export const sixteenColourPainter: Painter = ({ text, tone = 'plain', bold = false, dim = false }) => {
  const formats = [colours[tone], bold ? 'bold' : [], dim ? 'dim' : []].flat() as Colour;
  // Whether the output takes colour has been settled before this painter was chosen.
  return formats.length === 0 ? text : styleText(formats, text, { validateStream: false });
};

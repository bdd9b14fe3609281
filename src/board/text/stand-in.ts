import type { GlyphSet, Line } from './line.ts';

/** Signs that stand inside sentences and cells, with stand-ins of the same width. */
const standIns: Readonly<Record<string, string>> = {
  '…': '~',
  '·': '-',
  '±': '~',
  '×': 'x',
  '–': '-',
  '“': '"',
  '”': '"',
  '⏎': '|',
  '→': '>',
};
const signs = /[…·±×–“”⏎→]/g;

/** A line in a glyph set: for `ascii` the signs of the board inside its texts get their stand-ins; widths stay. */
export function inGlyphs(line: Line, glyphs: GlyphSet): Line {
  if (glyphs === 'symbols') return line;
  return line.map((segment) => ({ ...segment, text: segment.text.replace(signs, (sign) => standIns[sign] ?? sign) }));
}

import type { GlyphSet } from './line.ts';

/** Every sign that the board draws, with its stand-in of the same width. */
const standIns: Readonly<Record<string, string>> = {
  '…': '~',
  '·': '-',
  '±': '?',
  '×': 'x',
  '–': '-',
  '“': '"',
  '”': '"',
  '⏎': '|',
  '→': '>',
  '↓': 'v',
  '↑': '^',
  // As trees have it: the sign of what is under way points to the right as well.
  '›': '+',
  '•': '*',
  // Not the side of a frame, beside which it stands.
  '▌': '[',
  '■': '+',
  '▲': '^',
  '◆': '#',
  '▸': '>',
  '○': 'o',
  '●': '*',
  '◇': '%',
  '✓': 'v',
  '∙': '.',
  '▫': '-',
  '□': '/',
  '↻': '*',
  '✗': 'x',
  '◔': '@',
  '≋': '=',
  '━': '=',
  '─': '-',
  '│': '|',
  '╭': '+',
  '╮': '+',
  '╰': '+',
  '╯': '+',
  // Of the table that shows the details.
  '┌': '+',
  '┬': '+',
  '┐': '+',
  '├': '+',
  '┼': '+',
  '┤': '+',
  '└': '+',
  '┴': '+',
  '┘': '+',
};
const signs = new RegExp(`[${Object.keys(standIns).join('')}]`, 'gu');

/** A text in a glyph set: for `ascii` its signs get their stand-ins; widths stay. */
export function inGlyphs(text: string, glyphs: GlyphSet): string {
  return glyphs === 'symbols' ? text : text.replace(signs, (sign) => standIns[sign] ?? sign);
}

import { styleText } from 'node:util';
import type { GlyphSet, Line, Segment, Tone } from '../board/line.ts';
import { inGlyphs } from '../board/stand-in.ts';

/** How the board looks in this terminal. */
export interface Theme {
  readonly colour: boolean;
  readonly glyphs: GlyphSet;
}

type Style = Parameters<typeof styleText>[0];

/** Colours come from the terminal's own sixteen, so that the user's palette holds. */
const toneColours: Readonly<Record<Tone, readonly string[]>> = {
  plain: [],
  attention: ['red'],
  today: ['yellow'],
  moving: ['cyan'],
  done: ['green'],
  quiet: ['dim'],
  accent: ['magenta'],
};

function stylesOf(segment: Segment, theme: Theme): readonly string[] {
  const tone = segment.tone ?? 'plain';
  return [
    ...(theme.colour || tone === 'quiet' ? toneColours[tone] : []),
    ...(segment.bold === true ? ['bold'] : []),
    ...(segment.dim === true && tone !== 'quiet' ? ['dim'] : []),
  ];
}

/** A line as text with the terminal's styles and signs; without colour, bold and dim remain. */
export function paint(line: Line, theme: Theme): string {
  return inGlyphs(line, theme.glyphs)
    .map((segment) => {
      const styles = stylesOf(segment, theme);
      return styles.length === 0 ? segment.text : styleText(styles as Style, segment.text, { validateStream: false });
    })
    .join('');
}

/** Characters of a pane's frame. */
export interface FrameGlyphs {
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  readonly horizontal: string;
  readonly vertical: string;
}

const frames: Readonly<Record<GlyphSet, FrameGlyphs>> = {
  symbols: { topLeft: '╭', topRight: '╮', bottomLeft: '╰', bottomRight: '╯', horizontal: '─', vertical: '│' },
  ascii: { topLeft: '+', topRight: '+', bottomLeft: '+', bottomRight: '+', horizontal: '-', vertical: '|' },
};

/** The frame of a glyph set. */
export const frameGlyphs = (glyphs: GlyphSet): FrameGlyphs => frames[glyphs];

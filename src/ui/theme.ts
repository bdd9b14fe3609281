import { styleText } from 'node:util';
import type { GlyphSet, Line, Segment, Tone } from '../board/text/line.ts';
import { inGlyphs } from '../board/text/stand-in.ts';
import { hyperlink } from './terminal/hyperlinks.ts';

/** How the board looks in this terminal. */
export interface Theme {
  readonly colour: boolean;
  readonly glyphs: GlyphSet;
  /** Whether a text can lead to an address; not so when left out. */
  readonly hyperlinks?: boolean;
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

/** A line as text with the terminal's styles, signs and links; without colour, bold and dim remain. */
export function paint(line: Line, theme: Theme): string {
  return inGlyphs(line, theme.glyphs)
    .map((segment) => {
      const styles = stylesOf(segment, theme);
      const { link, text } = segment;
      const styled = styles.length === 0 ? text : styleText(styles as Style, text, { validateStream: false });
      return link === undefined || theme.hyperlinks !== true ? styled : hyperlink(styled, link);
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

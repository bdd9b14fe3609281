/** The meaning of a piece of text; the theme in `ui/` gives it one of the terminal's sixteen colours. */
export type Tone = 'plain' | 'attention' | 'today' | 'moving' | 'done' | 'quiet' | 'accent';

/** A piece of a line with one look. */
export interface Segment {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly dim?: boolean;
  /** An http or https address that the text leads to, in terminals that know links. */
  readonly link?: string;
}

/** One line of the screen, ready to draw: its segments' widths never exceed what was wanted. */
export type Line = readonly Segment[];

/** Glyph set: plain single-width symbols, or their ASCII stand-ins. */
export type GlyphSet = 'symbols' | 'ascii';

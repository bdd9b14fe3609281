import { Text } from 'ink';
import { createContext, use } from 'react';
import { wrap } from '../../board/text/cells.ts';
import type { Line, Segment } from '../../board/text/line.ts';
import { type Look, paint } from '../../board/text/paint.ts';

/** How the terminal is written to; it stays as it is while the board runs. */
export const LookContext = createContext<Look>({ colour: true, hyperlinks: false });

/** A line in the board's colours, which Ink cuts where it has less room than it needs. */
export function Painted({ line }: { readonly line: Line }) {
  return <Text wrap="truncate">{paint(line, use(LookContext))}</Text>;
}

/** What a paragraph shows: a text of one look, and the cells that it has. */
export interface ParagraphProps extends Segment {
  readonly width: number;
}

/** A text in as many rows as it needs. Ink's own wrapping keeps the blanks at which it breaks, and a row may be one alone. */
export function Paragraph({ text, width, ...style }: ParagraphProps) {
  const look = use(LookContext);
  const rows = wrap(text, width).map((row) => paint([{ ...style, text: row }], look));
  return <Text>{rows.join('\n')}</Text>;
}

import { Text } from 'ink';
import { createContext, memo, use } from 'react';
import type { Line } from '../../board/text/line.ts';
import { type Look, paint } from '../../board/text/paint.ts';

/** How the terminal is written to; it stays as it is while the board runs. */
export const LookContext = createContext<Look>({ colour: true, glyphs: 'symbols', hyperlinks: false });

/** Lines in the board's colours as rows below each other, which Ink cuts where they have less room than they need. */
export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
  return lines.map((line, row) => <Row key={row} line={line} />);
}

/** A line that stays the same is not painted again. */
const Row = memo(function Row({ line }: { readonly line: Line }) {
  // A text without any characters has no height.
  return <Text wrap="truncate">{paint(line, use(LookContext)) || ' '}</Text>;
});

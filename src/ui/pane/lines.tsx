import { Text } from 'ink';
import { createContext, memo, use } from 'react';
import { fitLine, lineWidth } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import { type Look, paint } from '../../board/text/paint.ts';

/** How the terminal is written to; it stays as it is while the board runs. */
export const LookContext = createContext<Look>({ colour: true, glyphs: 'symbols', hyperlinks: false });

/** Lines in the board's colours as rows below each other. */
export function Lines({ lines, width }: { readonly lines: readonly Line[]; readonly width?: number }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
  return lines.map((line, row) => <Row key={row} line={line} width={width} />);
}

/** A line, cut to a width: Ink would put a sign of its own where it cuts. One that stays the same is not painted again. */
const Row = memo(function Row({
  line,
  width = Number.POSITIVE_INFINITY,
}: {
  readonly line: Line;
  readonly width: number | undefined;
}) {
  const fitting = lineWidth(line) > width ? fitLine(line, width) : line;
  // A text without any characters has no height.
  return <Text wrap="truncate">{paint(fitting, use(LookContext)) || ' '}</Text>;
});

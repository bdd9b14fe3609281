import { Text } from 'ink';
import { createContext, use } from 'react';
import type { Line } from '../../board/text/line.ts';
import { type Look, paint } from '../../board/text/paint.ts';

/** How the terminal is written to; it stays as it is while the board runs. */
export const LookContext = createContext<Look>({ colour: true, hyperlinks: false });

/** A line in the board's colours, which Ink cuts where it has less room than it needs. */
export function Painted({ line }: { readonly line: Line }) {
  return <Text wrap="truncate">{paint(line, use(LookContext))}</Text>;
}

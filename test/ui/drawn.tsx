import { Box, renderToString } from 'ink';
import type { ReactNode } from 'react';
import { LookContext } from '../../src/ui/pane/lines.tsx';

/** What a component draws in a window of so many cells, without colours: its rows, without blanks at their ends. */
export function drawn(component: ReactNode, columns = 160): readonly string[] {
  const framed = (
    <LookContext value={{ colour: false, glyphs: 'symbols', hyperlinks: false }}>
      <Box flexDirection="column">{component}</Box>
    </LookContext>
  );
  return renderToString(framed, { columns })
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .map((row) => row.trimEnd());
}

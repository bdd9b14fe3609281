import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { LookContext } from '../../src/tui/pane/pane.tsx';

/**
 * A component's rows in a window of this many cells, without colours and trailing blanks. A pane has at most 100 cells.
 */
export function drawn(component: ReactNode, columns = 160): readonly string[] {
  const { lastFrame, unmount } = render(
    <LookContext value={{ colour: false, glyphs: 'symbols', hyperlinks: false }}>
      <Box flexDirection="column" width={columns}>
        {component}
      </Box>
    </LookContext>,
  );
  try {
    return (lastFrame() ?? '')
      .replace(/\u001b\[[0-9;]*m/g, '')
      .split('\n')
      .map((row) => row.trimEnd());
  } finally {
    unmount();
  }
}

import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { LookContext } from '../../src/tui/pane.tsx';

/**
 * Renders a component in a window of this width, and returns its rows without colours and trailing blanks. A pane can be
 * at most 100 cells wide.
 */
export function renderRows(component: ReactNode, columns = 160): readonly string[] {
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

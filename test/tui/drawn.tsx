import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { LookContext } from '../../src/tui/pane/pane.tsx';

/**
 * What a component draws in a window of so many cells, without colours: its rows, without blanks at their ends. A pane has 100
 * cells at most.
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

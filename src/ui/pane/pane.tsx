import { Box } from 'ink';
import type { ReactNode } from 'react';
import { frameOf, innerSize, type PaneContent } from './frame.ts';
import { Lines } from './lines.tsx';

/** A pane whose content is lines, or components that are rows. */
interface PaneProps extends Omit<PaneContent, 'lines'>, Partial<Pick<PaneContent, 'lines'>> {
  readonly children?: ReactNode;
}

/** A pane with its frame. Ink's own borders hold no texts, and have colours where the user wants none. */
export function Pane({ children, lines = [], ...pane }: PaneProps) {
  const { size } = pane;
  const { bottom, side, top } = frameOf(pane);
  const { height, width } = innerSize(size);
  const sides = [{ ...side, text: Array<string>(height).fill(side.text).join('\n') }];
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Lines lines={[top]} />
      <Box height={height}>
        <Lines lines={[sides]} />
        <Box flexDirection="column" flexShrink={0} width={width}>
          <Lines lines={lines} />
          {children}
        </Box>
        <Lines lines={[sides]} />
      </Box>
      <Lines lines={[bottom]} />
    </Box>
  );
}

import { Box, Text } from 'ink';
import { memo } from 'react';
import type { Line } from '../../board/text/line.ts';
import { paint, type Theme } from '../theme.ts';

/** One screen row. Its text has its final width already, so Ink has nothing to wrap or cut. */
const Row = memo(function Row({ text }: { readonly text: string }) {
  return <Text wrap="truncate">{text}</Text>;
});

/** Lines of a pane, one `<Text>` a row; rows that did not change are not drawn again. */
export function Lines({ lines, theme }: { readonly lines: readonly Line[]; readonly theme: Theme }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
        <Row key={row} text={paint(line, theme)} />
      ))}
    </Box>
  );
}

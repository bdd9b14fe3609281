/**
 * A minimal Ink program: as many rows as a board, one of them selected, moved with j and k. Ink is configured as it is
 * for the board.
 */
import { Box, render, Text, useInput } from 'ink';
import { useState } from 'react';

const rowCount = 48;
const filler = 'Left the country · Shenzhen, CN · 2 d 4 h · '.repeat(4);

function Rows() {
  const [selected, setSelected] = useState(0);
  useInput((input) => {
    if (input === 'j') setSelected((index) => Math.min(index + 1, rowCount - 1));
    if (input === 'k') setSelected((index) => Math.max(index - 1, 0));
  });
  return (
    <Box flexDirection="column">
      {Array.from({ length: rowCount }, (_, index) => (
        // Every row contains the selection, so that every frame draws all rows.
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
        <Text key={index} bold={index === selected} wrap="truncate">
          {`${index === selected ? '▌' : ' '}${index - selected} ${filler}`.slice(0, 158)}
        </Text>
      ))}
      <Text>All of this is drawn.</Text>
    </Box>
  );
}

render(<Rows />, {
  alternateScreen: true,
  interactive: true,
  incrementalRendering: true,
  exitOnCtrlC: false,
  maxFps: 60,
});

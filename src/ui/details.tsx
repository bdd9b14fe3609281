import { Box } from 'ink';
import { Table } from 'ink-table';
import { cellWidth, cut } from '../board/cells.ts';
import type { Line } from '../board/line.ts';
import { framed } from './frame.ts';
import type { PaneSize } from './layout.ts';
import { Lines } from './lines.tsx';
import { innerSize } from './pane-view.ts';
import type { Theme } from './theme.ts';

/** A fact about the program and its service. */
export interface Detail {
  readonly name: string;
  readonly value: string;
}

/** Borders and padding of a table of two columns. */
const tableEdges = 7;

/** Service, clock, calls and files: a table where it fits, plain lines where it does not. */
export function Details({
  details,
  size,
  theme,
}: {
  readonly details: readonly Detail[];
  readonly size: PaneSize;
  readonly theme: Theme;
}) {
  const nameWidth = Math.max(...details.map((detail) => cellWidth(detail.name)));
  const valueWidth = size.width - nameWidth - tableEdges;
  // The table draws a line between every two rows; it sizes by characters, and these texts have no wide ones.
  const fits = theme.glyphs === 'symbols' && details.length * 2 + 3 <= size.height && valueWidth >= 20;
  if (fits) {
    const rows = details.map(({ name, value }) => ({ what: name, now: cut(value, valueWidth) }));
    return (
      <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
        <Table data={rows} columns={['what', 'now']} />
      </Box>
    );
  }
  const { width } = innerSize(size);
  const lines = details.flatMap((detail): Line[] => [
    [{ text: ` ${detail.name}`, bold: true }],
    [{ text: `   ${cut(detail.value, width - 4)}` }],
  ]);
  return <Lines lines={framed(lines, { title: 'Details' }, size, true, theme.glyphs)} theme={theme} />;
}

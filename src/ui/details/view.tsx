import { Box } from 'ink';
import { Table } from 'ink-table';
import type { ReactNode } from 'react';
import type { Fact } from '../../board/setup/board-setup.ts';
import { cellWidth } from '../../board/text/cells.ts';
import type { PaneSize } from '../layout.ts';
import { Lines } from '../pane/lines.tsx';

/** Borders and padding of a table of two columns. */
const tableEdges = 7;

/**
 * Whether the details fit a pane as a table, every value whole. It draws a line between every two rows, and sizes by
 * characters; these texts have no wide ones.
 */
export function fitsTable(details: readonly Fact[], size: PaneSize): boolean {
  const widthOf = (texts: readonly string[]): number => Math.max(...texts.map(cellWidth));
  const width = widthOf(details.map(({ name }) => name)) + widthOf(details.map(({ value }) => value)) + tableEdges;
  return details.length * 2 + 3 <= size.height && width <= size.width;
}

/** Service, clock, calls and files as a table, where it fits. */
export function DetailsTable({ details, size }: { readonly details: readonly Fact[]; readonly size: PaneSize }) {
  const rows = details.map(({ name, value }) => ({ what: name, now: value }));
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Table data={rows} columns={['what', 'now']} cell={Cell} skeleton={Frame} />
    </Box>
  );
}

/** What the table draws, in the signs that the user wants. */
interface CellProps {
  readonly children?: ReactNode;
}

const Cell = ({ children }: CellProps) => <Lines lines={[[{ text: String(children) }]]} />;

const Frame = ({ children }: CellProps) => <Lines lines={[[{ text: String(children), bold: true }]]} />;

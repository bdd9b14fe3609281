import { Box } from 'ink';
import { Table } from 'ink-table';
import { cellWidth, wrap } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import type { PaneSize } from '../layout.ts';
import type { Theme } from '../theme.ts';

/** A fact about the program and its service. */
export interface Detail {
  readonly name: string;
  readonly value: string;
}

/** Borders and padding of a table of two columns. */
const tableEdges = 7;

/**
 * Whether the details fit a pane as a table, every value whole. It draws a line between every two rows, and sizes by
 * characters; these texts have no wide ones.
 */
export function fitsTable(details: readonly Detail[], size: PaneSize, { glyphs }: Theme): boolean {
  const widthOf = (texts: readonly string[]): number => Math.max(...texts.map(cellWidth));
  const width = widthOf(details.map(({ name }) => name)) + widthOf(details.map(({ value }) => value)) + tableEdges;
  return glyphs === 'symbols' && details.length * 2 + 3 <= size.height && width <= size.width;
}

/** Service, clock, calls and files as a table, where it fits. */
export function DetailsTable({ details, size }: { readonly details: readonly Detail[]; readonly size: PaneSize }) {
  const rows = details.map(({ name, value }) => ({ what: name, now: value }));
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Table data={rows} columns={['what', 'now']} />
    </Box>
  );
}

/** The same as lines of at most `width` cells. */
export function detailLines(details: readonly Detail[], width: number): readonly Line[] {
  return details.flatMap(({ name, value }): Line[] => [
    [{ text: ` ${name}`, bold: true }],
    ...wrap(value, Math.max(10, width - 4)).map((text): Line => [{ text: `   ${text}` }]),
  ]);
}

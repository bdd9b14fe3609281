import { Box } from 'ink';
import type { Fact } from '../../board/setup/board-setup.ts';
import { cellWidth } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import { paragraphLines } from '../../board/text/paragraph.ts';
import type { PaneSize } from '../layout.ts';
import type { ShownOverlay } from '../overlay/state.ts';
import { Pane } from '../pane/pane.tsx';
import { scrollStatus } from '../pane/scroll.ts';
import { Table } from '../pane/table.tsx';

/** What the details show. */
export interface DetailsProps extends Pick<ShownOverlay, 'lines' | 'scroll'> {
  /** Shown as a table where that fits; null while the service is not set up, which is said in words. */
  readonly facts: readonly Fact[] | null;
  readonly size: PaneSize;
}

/** Service, clock, calls and files: a table where it fits, else lines that scroll. */
export function Details({ facts, lines, scroll, size }: DetailsProps) {
  if (facts === null || !fitsTable(facts, size)) {
    return <Pane texts={{ title: 'Details', ...scrollStatus(scroll) }} size={size} isFocused lines={lines} />;
  }
  const rows = facts.map(({ name, value }) => [[{ text: name }], [{ text: value }]]);
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Table headings={['what', 'now']} rows={rows} />
    </Box>
  );
}

/** Borders and padding of a table of two columns. */
const tableEdges = 7;

/** Whether the details fit a pane as a table, every value whole. It has a line between every two rows. */
function fitsTable(details: readonly Fact[], size: PaneSize): boolean {
  const widthOf = (texts: readonly string[]): number => Math.max(...texts.map(cellWidth));
  const width = widthOf(details.map(({ name }) => name)) + widthOf(details.map(({ value }) => value)) + tableEdges;
  return details.length * 2 + 3 <= size.height && width <= size.width;
}

/** The details below each other, in a pane of so many cells. */
export function detailsText(details: readonly Fact[], width: number): readonly Line[] {
  const room = Math.max(10, width - 1);
  return details.flatMap(({ name, value }) => [
    ...paragraphLines(name, room, { bold: true }, 1),
    ...paragraphLines(value, room, {}, 3),
  ]);
}

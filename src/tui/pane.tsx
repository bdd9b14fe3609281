import { Box, Text } from 'ink';
import { type CellProps, Table as InkTable } from 'ink-table';
import { createContext, type ReactNode, use } from 'react';
import { fitLine, lineWidth } from '../lib/cells.ts';
import { type Line, type Look, paint } from '../lib/paint.ts';
import { innerSize, type PaneContent, paneFrame } from './layout.ts';

/** The colours and symbols that the terminal supports, and the theme. */
export const LookContext = createContext<Look>({ colour: true, glyphs: 'symbols', hyperlinks: false });

export function Lines({ lines, width }: { readonly lines: readonly Line[]; readonly width?: number }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
  return lines.map((line, row) => <Row key={row} line={line} width={width} />);
}

interface RowProps {
  readonly line: Line;
  readonly width: number | undefined;
}

/** Truncates a line, because Ink would add its own ellipsis. */
function Row({ line, width = Number.POSITIVE_INFINITY }: RowProps) {
  const visibleLine = lineWidth(line) > width ? fitLine(line, width) : line;
  // Ink gives an empty string no height.
  return <Text wrap="truncate">{paint(visibleLine, use(LookContext)) || ' '}</Text>;
}

interface PaneProps extends Omit<PaneContent, 'lines'>, Partial<Pick<PaneContent, 'lines'>> {
  readonly children?: ReactNode;
}

/** A pane with a frame. Ink's own borders cannot have titles. */
export function Pane({ children, lines = [], ...pane }: PaneProps) {
  const { size } = pane;
  const { bottom, side, top } = paneFrame(pane);
  const { height, width } = innerSize(size);
  const sides = [{ ...side, text: Array<string>(height).fill(side.text).join('\n') }];
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Lines lines={[top]} />
      <Box height={height}>
        <Lines lines={[sides]} />
        <Box flexDirection="column" flexShrink={0} width={width}>
          <Lines lines={lines.slice(0, height)} width={width} />
          {children}
        </Box>
        <Lines lines={[sides]} />
      </Box>
      <Lines lines={[bottom]} />
    </Box>
  );
}

interface TableProps {
  /** The cells of each row. */
  readonly rows: readonly (readonly Line[])[];
}

const Cells = createContext<TableProps>({ rows: [] });

/**
 * A table in the colours of the board, without headings and rules. `ink-table` measures plain text by characters and
 * does not pass the row to a cell. So each text is the row number, padded to the width of the column, and the cell
 * draws the content.
 */
export function Table({ rows }: TableProps) {
  const columns = (rows[0] ?? []).map((_, column) => String(column));
  const widths = columns.map((_, column) => Math.max(0, ...rows.map((row) => lineWidth(row[column] ?? []))));
  const data = rows.map((_, row) =>
    Object.fromEntries(columns.map((name, column) => [name, String(row).padEnd(widths[column] ?? 0)])),
  );
  return (
    <Cells value={{ rows }}>
      <InkTable data={data} columns={columns} cell={Cell} header={Nothing} skeleton={Nothing} />
    </Cells>
  );
}

const Nothing = () => <></>;

function Cell({ children, column }: CellProps) {
  const { rows } = use(Cells);
  return (
    // Prevents overlapping text where Ink measures differently.
    <Box flexShrink={0}>
      <Lines lines={[rows[Number(children)]?.[column] ?? []]} />
    </Box>
  );
}

import { Box, Text } from 'ink';
import { type CellProps, Table as InkTable } from 'ink-table';
import { createContext, memo, type ReactNode, use } from 'react';
import { fitLine, lineWidth } from '../../lib/cells.ts';
import { type Line, type Look, paint } from '../../lib/paint.ts';
import { frameOf, innerSize, type PaneContent } from './frame.ts';

/** How the terminal is written to; it stays as it is while the board runs. */
export const LookContext = createContext<Look>({ colour: true, glyphs: 'symbols', hyperlinks: false });

export function Lines({ lines, width }: { readonly lines: readonly Line[]; readonly width?: number }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
  return lines.map((line, row) => <Row key={row} line={line} width={width} />);
}

/** A line, cut to a width: Ink would put a sign of its own where it cuts. One that stays the same is not painted again. */
const Row = memo(function Row({
  line,
  width = Number.POSITIVE_INFINITY,
}: {
  readonly line: Line;
  readonly width: number | undefined;
}) {
  const fitting = lineWidth(line) > width ? fitLine(line, width) : line;
  // A text without any characters has no height.
  return <Text wrap="truncate">{paint(fitting, use(LookContext)) || ' '}</Text>;
});

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
          <Lines lines={lines} width={width} />
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
  /** The names of the columns: with them the table has headings and rules, without them it is rows alone. */
  readonly headings?: readonly string[];
}

const Cells = createContext<TableProps>({ rows: [] });

/**
 * A table in the board's colours. `ink-table` takes plain texts, which it measures by characters, and does not tell a cell
 * its row. So each text is the number of its row, as long as its column is wide, and the cell draws what stands there.
 */
export function Table({ headings, rows }: TableProps) {
  const columns = headings ?? (rows[0] ?? []).map((_, column) => String(column));
  const widths = columns.map((_, column) => Math.max(0, ...rows.map((row) => lineWidth(row[column] ?? []))));
  const data = rows.map((_, row) =>
    Object.fromEntries(columns.map((name, column) => [name, String(row).padEnd(widths[column] ?? 0)])),
  );
  const table = { data, columns: [...columns], cell: Cell };
  return (
    <Cells value={headings === undefined ? { rows } : { rows, headings }}>
      {headings === undefined ? (
        <InkTable {...table} header={Nothing} skeleton={Nothing} />
      ) : (
        <InkTable {...table} skeleton={Rule} />
      )}
    </Cells>
  );
}

const Nothing = () => <></>;

const Rule = ({ children }: { readonly children?: ReactNode }) => <Lines lines={[[{ text: String(children) }]]} />;

/** A cell of a row; between rules it has a blank on both sides. */
function Cell({ children, column }: CellProps) {
  const { headings, rows } = use(Cells);
  const text = String(children);
  const line = rows[Number(text)]?.[column] ?? [];
  return (
    // A text that Ink measures otherwise than we do takes nothing from its neighbours.
    <Box flexShrink={0}>
      <Lines lines={[headings === undefined ? line : fitLine([{ text: ' ' }, ...line], text.length)]} />
    </Box>
  );
}

import { Box } from 'ink';
import { type CellProps, Table as InkTable } from 'ink-table';
import { createContext, type ReactNode, use } from 'react';
import { fitLine, lineWidth } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import { Lines } from './lines.tsx';

/** What a table is drawn from. */
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

/** A piece of the rules, in the signs that the user wants. */
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

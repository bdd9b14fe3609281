import type { Painter } from '../../lib/paint.ts';
import { type Table, tableLines } from '../../lib/table.ts';
import type { CommandContext } from './context.ts';
import type { Style } from './session.ts';

/** The output and its style. */
interface TablePlace {
  readonly context: Pick<CommandContext, 'stdout'>;
  readonly style: Pick<Style, 'paint'>;
}

/** Prints a table on standard output, within its width. */
export function printTable({ context: { stdout }, style }: TablePlace, table: Table): void {
  stdout.write(renderTable(table, stdout.columns, style.paint));
}

/** Returns the lines of {@link tableLines} as text. */
export const renderTable = (table: Table, width: number | null, paint: Painter): string =>
  tableLines(table, width)
    .map((line) => `${line.map(paint).join('')}\n`)
    .join('');

import { cellWidth, fitText } from './cells.ts';
import type { Line, Painter, Segment } from './paint.ts';

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * What happens if space is short: 0 keeps the column, 1 shrinks it, 2 or more omits it. Empty columns are omitted
   * first, then those with the highest number.
   */
  readonly yields: number;
  /** Minimum width in cells of a column that shrinks, while other columns can be omitted. Defaults to 10. */
  readonly minWidth?: number;
  /** Maximum width in cells. Defaults to 80. */
  readonly maxWidth?: number;
}

export type TableCell = Segment;

/** Each row has one cell per column. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
}

const gap = '  ';
const defaultMinWidth = 10;
/** Longer texts would push the next columns off the screen. */
const defaultMaxWidth = 80;

/**
 * Lays out a table with a header line, one line per row and aligned columns. With a `width` in cells, the lines fit
 * into it as far as columns can shrink. Without a width, only texts longer than the maximum of their column are cut.
 */
export function tableLines({ columns, rows }: Table, width: number | null): readonly Line[] {
  const contents = columns.map((_, index) => Math.max(0, ...rows.map((row) => cellWidth(row[index]?.text ?? ''))));
  const natural = columns.map(({ maxWidth = defaultMaxWidth, title }, index) =>
    Math.max(cellWidth(title), Math.min(contents[index] ?? 0, maxWidth)),
  );
  const widths = width === null ? natural : fitWidths(columns, natural, contents, width);
  const head = columns.map(({ title }): TableCell => ({ text: title, dim: true }));
  return [head, ...rows].map((row) => rowLine(columns, row, widths));
}

/** Without trailing spaces. */
function rowLine(columns: readonly TableColumn[], row: readonly TableCell[], widths: readonly number[]): Line {
  const last = row.findLastIndex(({ text }, index) => (widths[index] ?? 0) > 0 && text.trim() !== '');
  const cells = row.slice(0, last + 1).flatMap((cell, index): Line => {
    const width = widths[index] ?? 0;
    if (width === 0) return [];
    const text = fitText(cell.text, width, columns[index]?.align);
    return [{ text: gap }, { ...cell, text: index === last ? text.trimEnd() : text }];
  });
  return cells.slice(1);
}

/**
 * Returns the widths of the columns, within `width` as far as they can shrink; 0 for an omitted column. Omits columns
 * that are empty in every row first, then by `yields`.
 */
function fitWidths(
  columns: readonly TableColumn[],
  natural: readonly number[],
  contents: readonly number[],
  width: number,
): readonly number[] {
  if (totalWidth(natural) <= width) return natural;
  const expendable = columns.flatMap(({ yields }, index) => (yields >= 2 ? [{ yields, index }] : []));
  let wanted = [...natural];
  for (const { index } of expendable) if (contents[index] === 0) wanted = wanted.with(index, 0);
  const own = ({ minWidth = defaultMinWidth }: TableColumn): number => minWidth;
  let widths = shrunk(columns, wanted, width, own);
  for (const { index } of expendable.toSorted((a, b) => b.yields - a.yields)) {
    if (totalWidth(widths) <= width) break;
    wanted = wanted.with(index, 0);
    widths = shrunk(columns, wanted, width, own);
  }
  return shrunk(columns, widths, width, () => defaultMinWidth);
}

function totalWidth(widths: readonly number[]): number {
  const used = widths.filter((cells) => cells > 0);
  return used.reduce((sum, cells) => sum + cells, 0) + gap.length * Math.max(0, used.length - 1);
}

/** Shrinks the widest columns cell by cell until the table fits. */
function shrunk(
  columns: readonly TableColumn[],
  wanted: readonly number[],
  width: number,
  minWidthOf: (column: TableColumn) => number,
): readonly number[] {
  const widths = [...wanted];
  while (totalWidth(widths) > width) {
    const widest = columns.reduce<number | null>((found, column, index) => {
      const cells = widths[index] ?? 0;
      if (column.yields === 0 || cells <= minWidthOf(column)) return found;
      return found === null || cells > (widths[found] ?? 0) ? index : found;
    }, null);
    if (widest === null) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Where a command prints, and in which style. */
interface TablePlace {
  readonly context: { readonly stdout: { readonly columns: number | null; write(text: string): void } };
  readonly style: { readonly paint: Painter };
}

/** Prints a table on standard output, within the terminal's width. */
export function printTable({ context: { stdout }, style }: TablePlace, table: Table): void {
  stdout.write(renderTable(table, stdout.columns, style.paint));
}

/** Returns the table as plain text. */
export const renderTable = (table: Table, width: number | null, paint: Painter): string =>
  tableLines(table, width)
    .map((line) => `${line.map(paint).join('')}\n`)
    .join('');

import { cellWidth, fitText } from './cells.ts';
import type { Line, Painter, Segment } from './paint.ts';

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * What happens when space runs out: 0 keeps the column, 1 shrinks it, 2 or more drops it. Empty columns are dropped
   * first, then those with the highest number.
   */
  readonly yields: number;
  /** Minimum width in cells as long as other columns can still be dropped. Defaults to 10. */
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
/** Longer text would push the columns after it off the screen. */
const defaultMaxWidth = 80;

/**
 * Lays out a table as a header line and one line per row. With a `width` in cells, columns shrink as far as they can to
 * fit into it. Without a width, only text longer than its column's maximum is cut.
 */
export function tableLines({ columns, rows }: Table, width: number | null): readonly Line[] {
  const contentWidths = columns.map((_, index) => Math.max(0, ...rows.map((row) => cellWidth(row[index]?.text ?? ''))));
  const naturalWidths = columns.map(({ maxWidth = defaultMaxWidth, title }, index) =>
    Math.max(cellWidth(title), Math.min(contentWidths[index] ?? 0, maxWidth)),
  );
  const widths = width === null ? naturalWidths : fitWidths(columns, naturalWidths, contentWidths, width);
  const header = columns.map(({ title }): TableCell => ({ text: title, dim: true }));
  return [header, ...rows].map((row) => rowLine(columns, row, widths));
}

/** Returns a row without trailing spaces. */
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
 * Returns the column widths, 0 for a dropped column, shrunk as far as they can to fit into `width`. Drops columns that
 * are empty in every row first, then by `yields`.
 */
function fitWidths(
  columns: readonly TableColumn[],
  naturalWidths: readonly number[],
  contentWidths: readonly number[],
  width: number,
): readonly number[] {
  if (totalWidth(naturalWidths) <= width) return naturalWidths;
  const droppable = columns.flatMap(({ yields }, index) => (yields >= 2 ? [{ yields, index }] : []));
  let preferred = [...naturalWidths];
  for (const { index } of droppable) if (contentWidths[index] === 0) preferred = preferred.with(index, 0);
  const minWidthOf = ({ minWidth = defaultMinWidth }: TableColumn): number => minWidth;
  let widths = shrinkWidths(columns, preferred, width, minWidthOf);
  for (const { index } of droppable.toSorted((a, b) => b.yields - a.yields)) {
    if (totalWidth(widths) <= width) break;
    preferred = preferred.with(index, 0);
    widths = shrinkWidths(columns, preferred, width, minWidthOf);
  }
  return shrinkWidths(columns, widths, width, () => defaultMinWidth);
}

function totalWidth(widths: readonly number[]): number {
  const visible = widths.filter((cells) => cells > 0);
  return visible.reduce((sum, cells) => sum + cells, 0) + gap.length * Math.max(0, visible.length - 1);
}

/** Shrinks the widest columns cell by cell until the table fits. */
function shrinkWidths(
  columns: readonly TableColumn[],
  preferred: readonly number[],
  width: number,
  minWidthOf: (column: TableColumn) => number,
): readonly number[] {
  const widths = [...preferred];
  while (totalWidth(widths) > width) {
    const widest = columns.reduce<number | null>((best, column, index) => {
      const cells = widths[index] ?? 0;
      if (column.yields === 0 || cells <= minWidthOf(column)) return best;
      return best === null || cells > (widths[best] ?? 0) ? index : best;
    }, null);
    if (widest === null) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

interface TableTarget {
  readonly context: { readonly stdout: { readonly columns: number | null; write(text: string): void } };
  readonly style: { readonly paint: Painter };
}

/** Prints a table to standard output, fitted to the terminal's width. */
export function printTable({ context: { stdout }, style }: TableTarget, table: Table): void {
  stdout.write(renderTable(table, stdout.columns, style.paint));
}

/** Returns the table as text, one line per row. Only `paint` adds escape sequences. */
export const renderTable = (table: Table, width: number | null, paint: Painter): string =>
  tableLines(table, width)
    .map((line) => `${line.map(paint).join('')}\n`)
    .join('');

import { cellWidth, fitText } from '../../lib/cells.ts';
import { drawable, type Painter, type Segment } from '../../lib/paint.ts';
import type { CommandContext } from './context.ts';
import type { Style } from './session.ts';

/** A column of a printed table. */
export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * Where there is too little room: 0 stays as it is, columns with 1 shrink, columns with 2 and more are left out, first
   * those that say nothing in any row, then the highest.
   */
  readonly yields: number;
  /** Cells that a column with 1 keeps as long as others can be left out; 10 by default. */
  readonly least?: number;
  /** Cells that it takes at most, however much room there is; 80 by default. */
  readonly most?: number;
}

/** A cell: its text and its look. */
export type TableCell = Segment;

/** What to print. Every row has one cell a column. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** Where a table is printed, and how. */
interface TablePlace {
  readonly context: Pick<CommandContext, 'stdout'>;
  readonly style: Pick<Style, 'paint'>;
}

/** Prints a table on standard output, as wide as that is. */
export function printTable({ context: { stdout }, style }: TablePlace, table: Table): void {
  stdout.write(renderTable(table, stdout.columns, style.paint));
}

const gap = '  ';
const leastWidth = 10;
/** A text beyond this is no name any more, and would move all columns behind it out of sight. */
const usualMost = 80;

/**
 * Lays out a table with a head line, one line a row, columns straight. With a `width` in cells the lines keep within
 * it as far as columns can yield; without one only what is longer than its column takes at most is cut.
 */
export function renderTable({ columns, rows }: Table, width: number | null, paint: Painter): string {
  const known = columns.map(() => new Map<string, MeasuredCell>());
  const contents = columns.map(() => 0);
  const head = columns.map((column): MeasuredCell => measured({ text: column.title, dim: true }));
  const body = rows.map((row) =>
    row.map((cell, index) => {
      const found = measuredOnce(known[index], cell);
      if (found.cells > (contents[index] ?? 0)) contents[index] = found.cells;
      return found;
    }),
  );
  const natural = columns.map(({ most = usualMost }, index) =>
    Math.max(head[index]?.cells ?? 0, Math.min(contents[index] ?? 0, most)),
  );
  const widths = width === null ? natural : fitWidths(columns, natural, contents, width);
  return [head, ...body].map((row) => `${renderRow(columns, row, widths, paint)}\n`).join('');
}

/** A cell and what takes longest to find out about it, and is found out once. */
interface MeasuredCell {
  readonly cell: TableCell;
  /** How many cells of the terminal its text takes. */
  readonly cells: number;
  /** Its text in the form in which it takes so many. */
  readonly drawn: string;
  /** The same as it is printed; null before its column has a width. */
  painted: string | null;
}

/** Most texts by far, whose width and form need no further look. */
const ascii = /^[ -~]*$/;

function measured(cell: TableCell): MeasuredCell {
  const { text } = cell;
  return ascii.test(text)
    ? { cell, cells: text.length, drawn: text, painted: null }
    : { cell, cells: cellWidth(text), drawn: drawable(text), painted: null };
}

/** A cell of a column: couriers, places, statuses and ages are the same in many rows, and need be looked at and painted once. */
function measuredOnce(known: Map<string, MeasuredCell> | undefined, cell: TableCell): MeasuredCell {
  const before = known?.get(cell.text);
  if (before !== undefined && looksLike(before.cell, cell)) return before;
  const found = measured(cell);
  known?.set(cell.text, found);
  return found;
}

const looksLike = (one: TableCell, other: TableCell): boolean =>
  one.tone === other.tone && one.bold === other.bold && one.dim === other.dim && one.link === other.link;

function renderRow(
  columns: readonly TableColumn[],
  row: readonly MeasuredCell[],
  widths: readonly number[],
  paint: Painter,
): string {
  const last = widths.findLastIndex((width) => width > 0);
  let line = '';
  for (let index = 0; index <= last; index += 1) {
    const cell = row[index];
    const width = widths[index] ?? 0;
    if (cell === undefined || width === 0) continue;
    if (line !== '') line += gap;
    cell.painted ??= painted(cell, { width, align: columns[index]?.align ?? 'left', isLast: index === last }, paint);
    line += cell.painted;
  }
  return line.trimEnd();
}

/** Where a cell stands. */
interface CellPlace {
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly isLast: boolean;
}

function painted(cell: MeasuredCell, { align, isLast, width }: CellPlace, paint: Painter): string {
  const text = fitted(cell, width, align);
  return paint({ ...cell.cell, text: isLast ? text.trimEnd() : text });
}

function fitted({ cell, cells, drawn }: MeasuredCell, width: number, align: 'left' | 'right'): string {
  if (cells > width) return fitText(cell.text, width, align);
  if (cells === width) return drawn;
  const padding = ' '.repeat(width - cells);
  return align === 'left' ? `${drawn}${padding}` : `${padding}${drawn}`;
}

/**
 * The widths of columns that keep within `width` as far as they can yield; 0 for a column that is left out: first those
 * that say nothing in any row, then the one that yields first.
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
  const own = ({ least = leastWidth }: TableColumn): number => least;
  let widths = shrunk(columns, wanted, width, own);
  for (const { index } of expendable.toSorted((a, b) => b.yields - a.yields)) {
    if (totalWidth(widths) <= width) break;
    wanted = wanted.with(index, 0);
    widths = shrunk(columns, wanted, width, own);
  }
  return shrunk(columns, widths, width, () => leastWidth);
}

function totalWidth(widths: readonly number[]): number {
  const used = widths.filter((cells) => cells > 0);
  return used.reduce((sum, cells) => sum + cells, 0) + gap.length * Math.max(0, used.length - 1);
}

/** Widths of which the widest that may shrink have given up cells, one by one, until all fit or none can. */
function shrunk(
  columns: readonly TableColumn[],
  wanted: readonly number[],
  width: number,
  leastOf: (column: TableColumn) => number,
): readonly number[] {
  const widths = [...wanted];
  while (totalWidth(widths) > width) {
    const widest = columns.reduce<number | null>((found, column, index) => {
      const cells = widths[index] ?? 0;
      if (column.yields === 0 || cells <= leastOf(column)) return found;
      return found === null || cells > (widths[found] ?? 0) ? index : found;
    }, null);
    if (widest === null) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

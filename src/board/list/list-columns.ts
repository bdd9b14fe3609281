import { cellWidth, fitLine, fitText } from '../../lib/cells.ts';
import type { Line } from '../../lib/paint.ts';
import { columnTable, type ParcelColumn } from '../columns.ts';

/** The columns shown by default. `name` is the label, or the number if there is no label. */
export const standardColumns = ['name', 'courier', 'status', 'event', 'journey', 'expected', 'next', 'last'] as const;
export type StandardColumn = (typeof standardColumns)[number];

export type ColumnName = StandardColumn | ParcelColumn;

export interface Column {
  readonly name: ColumnName;
  /** In cells. */
  readonly width: number;
}

/** The columns of a list from left to right. */
export interface ListColumns {
  /** Width of a row, in cells. */
  readonly width: number;
  readonly columns: readonly Column[];
  /** Cells between columns. */
  readonly gap: number;
}

/** Width of the widest text in each column, in cells. 0 if the column is empty. */
export type ColumnNeeds = Readonly<Record<StandardColumn, number> & Partial<Record<ColumnName, number>>>;

/** Cells before the first column: selection, mark, symbol and space. */
export const leadWidth = 4;
export const trailWidth = 1;

/** Width of a symbol and an age, which takes up to four cells. */
export const ageWidth = 5;
/** The same, with a mark for an uncertain age. */
export const markedAgeWidth = 6;
/** Width of a time, a day, or a word such as `failed`. */
export const shortNextWidth = 6;
/** Width of `Mon 14:20` and of the full heading. */
export const longNextWidth = 10;

/** Widths of columns, in cells. */
type Widths = Readonly<Partial<Record<StandardColumn, number>>>;

/** A column is shown if it fits at its minimum width while the columns before it have these widths. */
interface ColumnRule {
  readonly name: StandardColumn;
  readonly minCells: number;
  readonly others: Widths;
}

/** Width of two country codes and a bar of 12 cells. */
export const journeyWidth = 18;

const comfortableWidths = { name: 28, courier: 16, status: 40, journey: journeyWidth } as const;

/**
 * The most useful columns come first. Those after the first one that does not fit are dropped, so that no column
 * disappears when the list gets wider.
 */
const columnRules: readonly ColumnRule[] = [
  { name: 'last', minCells: markedAgeWidth, others: { name: 8 } },
  { name: 'status', minCells: 10, others: { name: 9 } },
  { name: 'courier', minCells: 8, others: { name: 14, status: 22 } },
  { name: 'expected', minCells: 10, others: { name: 14, status: 22 } },
  { name: 'journey', minCells: 14, others: { name: 18, courier: 10, status: 24 } },
  { name: 'next', minCells: shortNextWidth, others: comfortableWidths },
  { name: 'event', minCells: 20, others: comfortableWidths },
];

/** Spare cells go to these columns in this order, up to a maximum width. */
const growthOrder: readonly (readonly [name: StandardColumn, max: number])[] = [
  ['name', 12],
  ['status', 16],
  ['name', 14],
  ['expected', Number.POSITIVE_INFINITY],
  ['status', 22],
  ['courier', 10],
  ['status', 27],
  ['name', 18],
  ['status', 34],
  ['journey', journeyWidth],
  ['name', 28],
  ['courier', 16],
  ['status', 42],
  ['next', longNextWidth],
  ['event', 48],
  ['name', Number.POSITIVE_INFINITY],
  ['status', Number.POSITIVE_INFINITY],
  ['courier', Number.POSITIVE_INFINITY],
  ['event', Number.POSITIVE_INFINITY],
];

/**
 * Returns the columns of a list that is `width` cells wide. Leaves out empty columns. No column is wider than its
 * widest text while another column is cut.
 * @param chosen the user's columns, or null for the standard ones that fit
 */
export function listColumns(
  width: number,
  needs: ColumnNeeds,
  chosen: readonly ParcelColumn[] | null = null,
): ListColumns {
  if (chosen !== null) return chosenColumns(width, needs, chosen);
  const room = Math.max(0, width - leadWidth - trailWidth);
  const names = columnsThatFit(room, needs);
  const gaps = names.length - 1;
  const total = names.reduce((sum, name) => sum + needs[name], 0);
  const gap = total + 2 * gaps <= room ? 2 : 1;
  return { width, gap, columns: distributeWidth(names, needs, room - gap * gaps) };
}

function columnsThatFit(room: number, needs: ColumnNeeds): StandardColumn[] {
  const names: StandardColumn[] = ['name'];
  for (const { name, minCells, others } of columnRules) {
    if (needs[name] === 0) continue;
    const used = names.reduce(
      (sum, other) => sum + Math.min(needs[other], others[other] ?? minCellsFor(other)) + 1,
      Math.min(needs[name], minCells),
    );
    if (used > room) break;
    names.push(name);
  }
  return standardColumns.filter((name) => names.includes(name));
}

const minCellsFor = (name: StandardColumn): number => columnRules.find((rule) => rule.name === name)?.minCells ?? 0;

function distributeWidth(names: readonly StandardColumn[], needs: ColumnNeeds, room: number): Column[] {
  const widths = new Map(names.map((name) => [name, Math.min(needs[name], minCellsFor(name))]));
  let spare = room - [...widths.values()].reduce((sum, cells) => sum + cells, 0);
  const widen = (name: StandardColumn, to: number): void => {
    const cells = widths.get(name);
    if (cells === undefined) return;
    const extra = Math.min(spare, Math.max(0, to - cells));
    widths.set(name, cells + extra);
    spare -= extra;
  };
  for (const [name, max] of growthOrder) widen(name, Math.min(needs[name], max));
  // Spare cells go to the last text column, which moves the numbers to the right edge.
  widen(names.findLast((name) => name === 'event' || name === 'status') ?? 'name', room);
  return names.map((name) => ({ name, width: Math.max(0, widths.get(name) ?? 0) }));
}

/** Returns the user's columns. If there is no number column, the label column falls back to the tracking number. */
export const columnsFor = (chosen: readonly ParcelColumn[]): readonly ColumnName[] =>
  chosen.map((name) => (name === 'label' && !chosen.includes('number') ? 'name' : name));

/** Minimum width of columns whose text may be cut, in cells. */
const minTextCells = 8;
const untruncatedColumns: ReadonlySet<ColumnName> = new Set(['journey', 'expected', 'days', 'last', 'next', 'country']);

/**
 * Returns the user's columns in their order, with the widths that they need. Drops trailing columns if they do not fit.
 */
function chosenColumns(width: number, needs: ColumnNeeds, chosen: readonly ParcelColumn[]): ListColumns {
  const room = Math.max(0, width - leadWidth - trailWidth);
  const candidates = columnsFor(chosen).map((name) => ({
    name,
    maxCells: Math.max(needs[name] ?? 0, cellWidth(columnTitle(name))),
  }));
  const widths: number[] = [];
  let spare = room;
  for (const { maxCells, name } of candidates) {
    const minCells = untruncatedColumns.has(name) ? maxCells : Math.min(maxCells, minTextCells);
    const gap = widths.length === 0 ? 0 : 1;
    if (widths.length > 0 && minCells + gap > spare) break;
    widths.push(Math.min(minCells, spare));
    spare -= Math.min(minCells, spare) + gap;
  }
  const shownColumns = candidates.slice(0, widths.length);
  // The narrowest cut column grows first.
  while (spare > 0) {
    const cutIndexes = shownColumns.flatMap(({ maxCells }, at) => ((widths[at] ?? 0) < maxCells ? [at] : []));
    const [next] = cutIndexes.toSorted((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0));
    if (next === undefined) break;
    widths[next] = (widths[next] ?? 0) + 1;
    spare -= 1;
  }
  const gap = spare > 0 && spare >= shownColumns.length - 1 ? 2 : 1;
  if (gap === 2) spare -= shownColumns.length - 1;
  const last = Math.max(
    0,
    shownColumns.findLastIndex(({ name }) => !untruncatedColumns.has(name)),
  );
  return {
    width,
    gap,
    columns: shownColumns.map(({ name }, at) => ({ name, width: (widths[at] ?? 0) + (at === last ? spare : 0) })),
  };
}

export const columnTitle = (name: ColumnName): string =>
  name === 'name' ? 'Parcel' : name === 'event' ? 'Event' : columnTable[name].title;

/** Returns the column that contains a cell, counting the gap after it, or null. */
export function columnAt({ columns, gap }: ListColumns, cell: number): ColumnName | null {
  if (cell < leadWidth) return null;
  let end = leadWidth;
  for (const { name, width } of columns) {
    end += width + gap;
    if (cell < end) return name;
  }
  return null;
}

const longHeadings: Readonly<Partial<Record<ColumnName, string>>> = { event: 'Newest event', next: 'Next check' };

/** A list with fewer rows has no column titles. */
const minRowsForHeadings = 8;

/** Returns the number of rows that column titles take up. */
export const headingRows = (rows: number): 0 | 1 => (rows >= minRowsForHeadings ? 1 : 0);

export function columnHeadingLine({ columns, gap, width }: ListColumns): Line {
  const names = columns.map(({ name, width: cells }) => {
    const short = columnTitle(name);
    const full = longHeadings[name] ?? short;
    const isNumeric = name === 'next' || name === 'last' || name === 'days';
    return fitText(cellWidth(full) <= cells ? full : short, cells, isNumeric ? 'right' : 'left');
  });
  return fitLine([{ text: ' '.repeat(leadWidth) + names.join(' '.repeat(gap)), dim: true }], width);
}

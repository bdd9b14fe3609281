import { cellWidth, fitLine, fitText } from '../../lib/cells.ts';
import type { Line } from '../../lib/paint.ts';
import { columnTable, type ParcelColumn } from '../columns.ts';

/** A list's columns until the user chooses other ones. `name` is the label, or the number without a label. */
export const standardColumns = ['name', 'courier', 'status', 'event', 'journey', 'expected', 'next', 'last'] as const;
export type StandardColumn = (typeof standardColumns)[number];

export type ColumnName = StandardColumn | ParcelColumn;

export interface Column {
  readonly name: ColumnName;
  /** Cells. */
  readonly width: number;
}

/** A list's columns, left to right, and the cells between them. */
export interface ListColumns {
  /** Cells of a row. */
  readonly width: number;
  readonly columns: readonly Column[];
  readonly gap: number;
}

/** Cells of the widest text of each column; 0 if empty. */
export type ColumnNeeds = Readonly<Record<StandardColumn, number> & Partial<Record<ColumnName, number>>>;

/** Cells before the first column: selection, mark, glyph, space. */
export const leadWidth = 4;
export const trailWidth = 1;

/** A symbol and up to four cells of age. */
export const ageWidth = 5;
/** The same with a mark for an uncertain age. */
export const markedAgeWidth = 6;
/** A time, a day, or a word such as `failed`. */
export const shortNextWidth = 6;
/** `Mon 14:20` with the full heading. */
export const longNextWidth = 10;

/** Widths of a column. Limited to its widest text by default. */
type Wanted = Readonly<Partial<Record<StandardColumn, number>>>;

/** Whether a column fits at its minimum, given the needs of the other columns. */
interface Admission {
  readonly name: StandardColumn;
  readonly minCells: number;
  readonly others: Wanted;
}

/** Two countries with two letters each, and a bar of 12 cells. */
export const journeyWidth = 18;

const whole = { name: 28, courier: 16, status: 40, journey: journeyWidth } as const;

/**
 * Most valuable first. The first column without room ends the list, so that columns never disappear when the list gets
 * wider.
 */
const admissions: readonly Admission[] = [
  { name: 'last', minCells: markedAgeWidth, others: { name: 8 } },
  { name: 'status', minCells: 10, others: { name: 9 } },
  { name: 'courier', minCells: 8, others: { name: 14, status: 22 } },
  { name: 'expected', minCells: 10, others: { name: 14, status: 22 } },
  { name: 'journey', minCells: 14, others: { name: 18, courier: 10, status: 24 } },
  { name: 'next', minCells: shortNextWidth, others: whole },
  { name: 'event', minCells: 20, others: whole },
];

const rounds: readonly (readonly [name: StandardColumn, max: number])[] = [
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
 * Returns a list's columns with `width` cells, the same for every row. Leaves out empty columns. No column is
 * wider than its widest text while another is cut.
 * @param chosen the user's columns; null for the standard ones that fit
 */
export function listColumns(
  width: number,
  needs: ColumnNeeds,
  chosen: readonly ParcelColumn[] | null = null,
): ListColumns {
  if (chosen !== null) return chosenColumns(width, needs, chosen);
  const room = Math.max(0, width - leadWidth - trailWidth);
  const names = admitted(room, needs);
  const gaps = names.length - 1;
  const wanted = names.reduce((sum, name) => sum + needs[name], 0);
  const gap = wanted + 2 * gaps <= room ? 2 : 1;
  return { width, gap, columns: grown(names, needs, room - gap * gaps) };
}

function admitted(room: number, needs: ColumnNeeds): StandardColumn[] {
  const names: StandardColumn[] = ['name'];
  for (const { name, minCells, others } of admissions) {
    if (needs[name] === 0) continue;
    const used = names.reduce(
      (sum, other) => sum + Math.min(needs[other], others[other] ?? minCellsOf(other)) + 1,
      Math.min(needs[name], minCells),
    );
    if (used > room) break;
    names.push(name);
  }
  return standardColumns.filter((name) => names.includes(name));
}

const minCellsOf = (name: StandardColumn): number => admissions.find((one) => one.name === name)?.minCells ?? 0;

function grown(names: readonly StandardColumn[], needs: ColumnNeeds, room: number): Column[] {
  const widths = new Map(names.map((name) => [name, Math.min(needs[name], minCellsOf(name))]));
  let left = room - [...widths.values()].reduce((sum, cells) => sum + cells, 0);
  const widen = (name: StandardColumn, to: number): void => {
    const cells = widths.get(name);
    if (cells === undefined) return;
    const more = Math.min(left, Math.max(0, to - cells));
    widths.set(name, cells + more);
    left -= more;
  };
  for (const [name, max] of rounds) widen(name, Math.min(needs[name], max));
  // Extra cells go to the last text, so that numbers are at the right edge.
  widen(names.findLast((name) => name === 'event' || name === 'status') ?? 'name', room);
  return names.map((name) => ({ name, width: Math.max(0, widths.get(name) ?? 0) }));
}

/**
 * Returns the columns for those that the user has chosen. Without a number column, the number replaces a missing
 * label.
 */
export const columnsFor = (chosen: readonly ParcelColumn[]): readonly ColumnName[] =>
  chosen.map((name) => (name === 'label' && !chosen.includes('number') ? 'name' : name));

/** Minimum width of texts that can be cut. */
const minTextCells = 8;
const uncut: ReadonlySet<ColumnName> = new Set(['journey', 'expected', 'days', 'last', 'next', 'country']);

/**
 * Returns the user's columns in their order, with the widths that they need. Drops the last ones if there is no room.
 */
function chosenColumns(width: number, needs: ColumnNeeds, chosen: readonly ParcelColumn[]): ListColumns {
  const room = Math.max(0, width - leadWidth - trailWidth);
  const wanted = columnsFor(chosen).map((name) => ({
    name,
    maxCells: Math.max(needs[name] ?? 0, cellWidth(headingOf(name))),
  }));
  const widths: number[] = [];
  let left = room;
  for (const { maxCells, name } of wanted) {
    const minCells = uncut.has(name) ? maxCells : Math.min(maxCells, minTextCells);
    const gap = widths.length === 0 ? 0 : 1;
    if (widths.length > 0 && minCells + gap > left) break;
    widths.push(Math.min(minCells, left));
    left -= Math.min(minCells, left) + gap;
  }
  const shown = wanted.slice(0, widths.length);
  // The narrowest cut column grows first.
  while (left > 0) {
    const cut = shown.flatMap(({ maxCells }, at) => ((widths[at] ?? 0) < maxCells ? [at] : []));
    const [next] = cut.toSorted((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0));
    if (next === undefined) break;
    widths[next] = (widths[next] ?? 0) + 1;
    left -= 1;
  }
  const gap = left > 0 && left >= shown.length - 1 ? 2 : 1;
  if (gap === 2) left -= shown.length - 1;
  const last = Math.max(
    0,
    shown.findLastIndex(({ name }) => !uncut.has(name)),
  );
  return {
    width,
    gap,
    columns: shown.map(({ name }, at) => ({ name, width: (widths[at] ?? 0) + (at === last ? left : 0) })),
  };
}

export const headingOf = (name: ColumnName): string =>
  name === 'name' ? 'Parcel' : name === 'event' ? 'Event' : columnTable[name].title;

/** Returns the column at a cell of a row, including the gap after it, or null outside the columns. */
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

/** A shorter list shows no column titles. */
const namedFromRows = 8;

/** Rows of the column titles: 0 or 1. */
export const headingRows = (rows: number): 0 | 1 => (rows >= namedFromRows ? 1 : 0);

export function columnHeadingLine({ columns, gap, width }: ListColumns): Line {
  const names = columns.map(({ name, width: cells }) => {
    const short = headingOf(name);
    const full = longHeadings[name] ?? short;
    const isNumeric = name === 'next' || name === 'last' || name === 'days';
    return fitText(cellWidth(full) <= cells ? full : short, cells, isNumeric ? 'right' : 'left');
  });
  return fitLine([{ text: ' '.repeat(leadWidth) + names.join(' '.repeat(gap)), dim: true }], width);
}

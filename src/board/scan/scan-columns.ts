import { cellWidth } from '../text/cells.ts';

/** The columns of the list of found numbers, in their order. */
export const scanColumnNames = ['number', 'courier', 'label', 'place', 'state'] as const;

/** One of the columns. */
export type ScanColumn = (typeof scanColumnNames)[number];

/** The texts of a row, by their columns. */
export type ScanCells = Readonly<Record<ScanColumn, string>>;

/** Cells of each column; 0 for one that there is no room for. */
export type ScanWidths = Readonly<Record<ScanColumn, number>>;

/** Headings of the columns. */
export const scanHeadings: ScanCells = {
  number: 'Number',
  courier: 'Courier',
  label: 'Label',
  place: 'Found in',
  state: 'State',
};

/** Cells between two columns. */
export const columnGap = 2;

/** Fewest and most cells of each column; those that may go do so from the last of these to the first. */
const byWorth: readonly (readonly [column: ScanColumn, least: number, most: number])[] = [
  ['state', 8, 16],
  ['number', 18, 26],
  ['courier', 10, 30],
  ['label', 8, 30],
  ['place', 12, 30],
];

/** How many cells each column of these rows could use, headings included; 0 for one that is empty in all. */
export function scanNeeds(rows: readonly ScanCells[]): ScanWidths {
  const need = (column: ScanColumn): number => {
    const widest = rows.reduce((most, cells) => Math.max(most, cellWidth(cells[column])), 0);
    return widest === 0 ? 0 : Math.max(widest, scanHeadings[column].length);
  };
  return widthsBy(need);
}

const widthsBy = (cellsOf: (column: ScanColumn) => number): Record<ScanColumn, number> =>
  Object.fromEntries(scanColumnNames.map((column) => [column, cellsOf(column)])) as Record<ScanColumn, number>;

/**
 * Divides a width among the columns: each gets its least as far as there is room, the worthiest first, then what it could
 * use besides.
 */
export function scanColumns(needs: ScanWidths, width: number): ScanWidths {
  const widths = widthsBy(() => 0);
  let room = width + columnGap;
  for (const [column, least] of byWorth) {
    const cells = Math.min(needs[column], least);
    if (cells === 0 || cells + columnGap > room) continue;
    widths[column] = cells;
    room -= cells + columnGap;
  }
  for (const [column, , most] of byWorth) {
    const more = widths[column] === 0 ? 0 : Math.min(Math.min(needs[column], most) - widths[column], room);
    if (more <= 0) continue;
    widths[column] += more;
    room -= more;
  }
  return widths;
}

import { cellWidth, cutMiddle, fitLine, fitText } from '../../lib/cells.ts';
import type { Line, Segment } from '../../lib/paint.ts';
import { canBeSelected, type JudgedRow } from './judge-rows.ts';
import {
  type CourierNames,
  courierText,
  fitPlace,
  placeText,
  progressLooks,
  type RowProgress,
  stateText,
} from './row-words.ts';

/** Heading, minimum width and maximum width of each column, in cells. */
const columns = {
  number: ['Number', 18, 26],
  courier: ['Courier', 10, 30],
  label: ['Label', 8, 30],
  place: ['Found in', 12, 30],
  state: ['State', 8, 16],
} as const;

type ScanColumn = keyof typeof columns;

export const scanColumnNames = Object.keys(columns) as readonly ScanColumn[];

/** Columns by importance. If space is short, the last ones are dropped first. */
const byImportance = ['state', 'number', 'courier', 'label', 'place'] as const;

export type ScanCells = Readonly<Record<ScanColumn, string>>;

/** Width of each column, in cells. 0 if it is dropped. */
export type ScanWidths = Readonly<Record<ScanColumn, number>>;

export const columnGap = 2;

const widthsBy = (cellsOf: (column: ScanColumn) => number): Record<ScanColumn, number> =>
  Object.fromEntries(scanColumnNames.map((column) => [column, cellsOf(column)])) as Record<ScanColumn, number>;

export const scanNeeds = (rows: readonly ScanCells[]): ScanWidths =>
  widthsBy((column) => {
    const maxCells = rows.reduce((max, cells) => Math.max(max, cellWidth(cells[column])), 0);
    return maxCells === 0 ? 0 : Math.max(maxCells, columns[column][0].length);
  });

/** Divides a width among the columns: first their minimum widths, then the rest, both in order of importance. */
export function scanColumns(needs: ScanWidths, width: number): ScanWidths {
  const widths = widthsBy(() => 0);
  let room = width + columnGap;
  for (const column of byImportance) {
    const cells = Math.min(needs[column], columns[column][1]);
    if (cells === 0 || cells + columnGap > room) continue;
    widths[column] = cells;
    room -= cells + columnGap;
  }
  for (const column of byImportance) {
    const more = Math.min(needs[column], columns[column][2]) - widths[column];
    if (widths[column] === 0 || more <= 0) continue;
    widths[column] += Math.min(more, room);
    room -= Math.min(more, room);
  }
  return widths;
}

/** Cells before the columns: the cursor, the row's symbol, and a gap. */
export const symbolCells = 4;

export function scanCells(row: JudgedRow, progress: RowProgress | null, names: CourierNames): ScanCells {
  const [place] = row.places;
  const more = row.places.length - 1;
  return {
    number: row.trackNo,
    courier: courierText(row, names),
    label: row.label ?? '',
    place: `${place === undefined ? '' : placeText(place)}${more > 0 ? ` +${more}` : ''}`,
    state: progress === null ? stateText(row) : progressLooks[progress.kind].word,
  };
}

interface ScanLineInput {
  readonly row: JudgedRow;
  readonly cells: ScanCells;
  readonly progress: RowProgress | null;
  readonly widths: ScanWidths;
  readonly selected: boolean;
  readonly width: number;
}

/** Returns a row of exactly `width` cells. */
export function scanLine({ row, cells, progress, selected, width, widths }: ScanLineInput): Line {
  const isQuiet = progress === null && !row.isSelected;
  const { symbol, tone } =
    progress === null ? { symbol: selectedSymbol(row), tone: stateTone(row) } : progressLooks[progress.kind];
  const style = (column: ScanColumn): Omit<Segment, 'text'> => {
    if (column === 'state') return { tone, bold: selected };
    return isQuiet ? { tone: 'quiet' } : { bold: selected || column === 'number' };
  };
  const line: Line = [
    { text: selected ? '▌' : ' ', tone: 'accent', bold: true },
    { text: symbol, ...(isQuiet ? { tone: 'quiet' } : { tone: progress === null ? 'accent' : tone, bold: true }) },
    ...shownColumns(widths).flatMap((column): Segment[] => [
      { text: ' '.repeat(columnGap) },
      { text: fitText(shortened(column, cells[column], widths[column]), widths[column]), ...style(column) },
    ]),
  ];
  return fitLine(line, width);
}

function shortened(column: ScanColumn, text: string, width: number): string {
  if (column === 'number') return cutMiddle(text, width);
  return column === 'place' ? fitPlace(text, width) : text;
}

export const scanHeadingLine = (widths: ScanWidths, width: number): Line =>
  fitLine(
    [
      { text: '  ' },
      ...shownColumns(widths).map(
        (column): Segment => ({
          text: `${' '.repeat(columnGap)}${fitText(columns[column][0], widths[column])}`,
          tone: 'quiet',
        }),
      ),
    ],
    width,
  );

const shownColumns = (widths: ScanWidths): readonly ScanColumn[] =>
  scanColumnNames.filter((column) => widths[column] > 0);

const selectedSymbol = ({ isSelected, state }: JudgedRow): string =>
  isSelected ? '●' : canBeSelected(state) ? '○' : ' ';

function stateTone({ isSelected, remark, state }: JudgedRow): NonNullable<Segment['tone']> {
  if (state === 'no-number' || state === 'unknown-courier') return 'attention';
  if (isSelected) return remark === null ? 'done' : 'today';
  return remark === null ? 'quiet' : 'today';
}

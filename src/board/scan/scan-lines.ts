import { cellWidth, cutMiddle, fitLine, fitText } from '../../lib/cells.ts';
import type { Line, Segment } from '../../lib/paint.ts';
import { canBeTaken, type JudgedRow } from './judge-rows.ts';
import {
  type CourierNames,
  courierText,
  fitPlace,
  placeWords,
  progressLooks,
  type RowProgress,
  standingText,
} from './row-words.ts';

export const scanColumnNames = ['number', 'courier', 'label', 'place', 'state'] as const;

type ScanColumn = (typeof scanColumnNames)[number];

export type ScanCells = Readonly<Record<ScanColumn, string>>;

/** Cells of each column; 0 for one that there is no room for. */
export type ScanWidths = Readonly<Record<ScanColumn, number>>;

const scanHeadings: ScanCells = {
  number: 'Number',
  courier: 'Courier',
  label: 'Label',
  place: 'Found in',
  state: 'State',
};

export const columnGap = 2;

/** Fewest and most cells of each column; those that may go do so from the last of these to the first. */
const byWorth: readonly (readonly [column: ScanColumn, least: number, most: number])[] = [
  ['state', 8, 16],
  ['number', 18, 26],
  ['courier', 10, 30],
  ['label', 8, 30],
  ['place', 12, 30],
];

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

const takenSigns = { taken: '●', left: '○', never: ' ' } as const;

/** Cells before the columns: the sign of the selection, that of the row, and a gap. */
export const signCells = 4;

export function scanCells(row: JudgedRow, progress: RowProgress | null, names: CourierNames): ScanCells {
  const [place] = row.places;
  const more = row.places.length - 1;
  return {
    number: row.trackNo,
    courier: courierText(row, names),
    label: row.label ?? '',
    place: `${place === undefined ? '' : placeWords(place)}${more > 0 ? ` +${more}` : ''}`,
    state: progress === null ? standingText(row) : progressLooks[progress.kind].word,
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

/** A row of the list of found numbers, exactly `width` cells. */
export function scanLine({ row, cells, progress, selected, width, widths }: ScanLineInput): Line {
  const isQuiet = progress === null && !row.isTaken;
  const { sign, tone } =
    progress === null ? { sign: takenSign(row), tone: standingTone(row) } : progressLooks[progress.kind];
  const style = (column: ScanColumn): Omit<Segment, 'text'> => {
    if (column === 'state') return { tone, bold: selected };
    return isQuiet ? { tone: 'quiet' } : { bold: selected || column === 'number' };
  };
  const columns = shownColumns(widths).flatMap((column): Segment[] => [
    { text: ' '.repeat(columnGap) },
    {
      text: fitText(shortened(column, cells[column], widths[column]), widths[column]),
      ...style(column),
    },
  ]);
  const line: Line = [
    { text: selected ? '▌' : ' ', tone: 'accent', bold: true },
    { text: sign, ...(isQuiet ? { tone: 'quiet' } : { tone: progress === null ? 'accent' : tone, bold: true }) },
    ...columns,
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
          text: `${' '.repeat(columnGap)}${fitText(scanHeadings[column], widths[column])}`,
          tone: 'quiet',
        }),
      ),
    ],
    width,
  );

const shownColumns = (widths: ScanWidths): readonly ScanColumn[] =>
  scanColumnNames.filter((column) => widths[column] > 0);

function takenSign({ isTaken, standing }: JudgedRow): string {
  if (isTaken) return takenSigns.taken;
  return canBeTaken(standing) ? takenSigns.left : takenSigns.never;
}

function standingTone({ isTaken, remark, standing }: JudgedRow): NonNullable<Segment['tone']> {
  if (standing === 'no-number' || standing === 'unknown-courier') return 'attention';
  if (isTaken) return remark === null ? 'done' : 'today';
  return remark === null ? 'quiet' : 'today';
}

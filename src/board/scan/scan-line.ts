import { cutMiddle, fitLine, fitText } from '../text/cells.ts';
import type { Line, Segment } from '../text/line.ts';
import { canBeTaken, type JudgedRow } from './judge-rows.ts';
import { fitPlace, placeWords } from './place-words.ts';
import { progressLooks, type RowProgress } from './row-progress.ts';
import { type CourierNames, courierText, standingText } from './row-words.ts';
import {
  columnGap,
  type ScanCells,
  type ScanColumn,
  type ScanWidths,
  scanColumnNames,
  scanHeadings,
} from './scan-columns.ts';

/** Signs of a row that is to be added, and of one that is not. */
const takenSigns = { taken: '●', left: '○', never: ' ' } as const;

/** Cells before the columns: the sign of the selection, that of the row, and a gap. */
export const signCells = 4;

/** The texts of a row. */
export function scanCells(row: JudgedRow, progress: RowProgress | null, names: CourierNames): ScanCells {
  const [place] = row.found.places;
  const more = row.found.places.length - 1;
  return {
    number: row.trackNo,
    courier: courierText(row, names),
    label: row.label ?? '',
    place: `${placeWords(place)}${more > 0 ? ` +${more}` : ''}`,
    state: progress === null ? standingText(row) : progressLooks[progress.kind].word,
  };
}

/** What a row is drawn from. */
export interface ScanLineInput {
  readonly row: JudgedRow;
  readonly cells: ScanCells;
  /** What came of adding it; null before. */
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

/** A text as far as there is room, where it is not just cut at its end. */
function shortened(column: ScanColumn, text: string, width: number): string {
  if (column === 'number') return cutMiddle(text, width);
  return column === 'place' ? fitPlace(text, width) : text;
}

/** The headings above the rows. */
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

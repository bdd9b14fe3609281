import { cellWidth, cutMiddle, fitLine, fitText, paragraphLines } from '../../lib/cells.ts';
import type { Line, Segment, Tone } from '../../lib/paint.ts';
import { counted } from '../../lib/text.ts';
import type { CallCost } from '../../polling/gate/call-rules.ts';
import { canBeSelected, type JudgedRow, scanCostText } from './judge-rows.ts';
import {
  type CourierNames,
  courierText,
  evidenceText,
  fitPlace,
  isSettled,
  placesSentence,
  placeText,
  progressLooks,
  type RowProgress,
  stateText,
} from './row-words.ts';
import { isReplaced } from './scan-row.ts';

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
const columnsByImportance = ['state', 'number', 'courier', 'label', 'place'] as const;

export type ScanCells = Readonly<Record<ScanColumn, string>>;

/** Width of each column, in cells. 0 if it is dropped. */
export type ScanWidths = Readonly<Record<ScanColumn, number>>;

export const columnGap = 2;

const mapColumns = (cellsOf: (column: ScanColumn) => number): Record<ScanColumn, number> =>
  Object.fromEntries(scanColumnNames.map((column) => [column, cellsOf(column)])) as Record<ScanColumn, number>;

export const scanNeeds = (rows: readonly ScanCells[]): ScanWidths =>
  mapColumns((column) => {
    const maxCells = rows.reduce((max, cells) => Math.max(max, cellWidth(cells[column])), 0);
    return maxCells === 0 ? 0 : Math.max(maxCells, columns[column][0].length);
  });

/** Divides a width among the columns: first their minimum widths, then the rest, both in order of importance. */
export function scanColumns(needs: ScanWidths, width: number): ScanWidths {
  const widths = mapColumns(() => 0);
  let room = width + columnGap;
  for (const column of columnsByImportance) {
    const cells = Math.min(needs[column], columns[column][1]);
    if (cells === 0 || cells + columnGap > room) continue;
    widths[column] = cells;
    room -= cells + columnGap;
  }
  for (const column of columnsByImportance) {
    const extra = Math.min(needs[column], columns[column][2]) - widths[column];
    if (widths[column] === 0 || extra <= 0) continue;
    widths[column] += Math.min(extra, room);
    room -= Math.min(extra, room);
  }
  return widths;
}

/** Cells before the columns: the cursor, the row's symbol, and a gap. */
export const symbolCells = 4;

export function scanCells(row: JudgedRow, progress: RowProgress | null, names: CourierNames): ScanCells {
  const [place] = row.places;
  const otherPlaces = row.places.length - 1;
  return {
    number: row.trackNo,
    courier: courierText(row, names),
    label: row.label ?? '',
    place: `${place === undefined ? '' : placeText(place)}${otherPlaces > 0 ? ` +${otherPlaces}` : ''}`,
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
    ...visibleColumns(widths).flatMap((column): Segment[] => [
      { text: ' '.repeat(columnGap) },
      { text: fitText(shortenCell(column, cells[column], widths[column]), widths[column]), ...style(column) },
    ]),
  ];
  return fitLine(line, width);
}

function shortenCell(column: ScanColumn, text: string, width: number): string {
  if (column === 'number') return cutMiddle(text, width);
  return column === 'place' ? fitPlace(text, width) : text;
}

export const scanHeadingLine = (widths: ScanWidths, width: number): Line =>
  fitLine(
    [
      { text: '  ' },
      ...visibleColumns(widths).map(
        (column): Segment => ({
          text: `${' '.repeat(columnGap)}${fitText(columns[column][0], widths[column])}`,
          tone: 'quiet',
        }),
      ),
    ],
    width,
  );

const visibleColumns = (widths: ScanWidths): readonly ScanColumn[] =>
  scanColumnNames.filter((column) => widths[column] > 0);

const selectedSymbol = ({ isSelected, state }: JudgedRow): string =>
  isSelected ? '●' : canBeSelected(state) ? '○' : ' ';

function stateTone({ isSelected, remark, state }: JudgedRow): NonNullable<Segment['tone']> {
  if (state === 'no-number' || state === 'unknown-courier') return 'attention';
  if (isSelected) return remark === null ? 'done' : 'today';
  return remark === null ? 'quiet' : 'today';
}

interface ScanDetailInput {
  readonly row: JudgedRow;
  readonly progress: RowProgress | null;
  readonly names: CourierNames;
  readonly width: number;
}

/** Describes a number, most important facts first, in lines of at most `width` cells. */
export function scanDetail({ row, progress, names, width }: ScanDetailInput): readonly Line[] {
  const { courierCode, label, parcel, trackNo } = row;
  const courier = (courierCode ?? parcel?.courierCode ?? null) === null ? [] : [courierText(row, names)];
  const head: Line = [
    { text: ` ${trackNo}`, bold: true },
    ...[...courier, ...(label === null ? [] : [label])].map((text) => ({ text: ` · ${text}` })),
  ];
  const lines = (text: string | null, tone: Tone): readonly Line[] =>
    text === null ? [] : paragraphLines(text, width - 1, { tone }, 1);
  return [
    fitLine(head, width),
    ...lines(warningText(row, progress), progress === null ? 'today' : progressLooks[progress.kind].tone),
    ...[reasonText(row), candidatesText(row, progress), editedText(row)].flatMap((text) => lines(text, 'quiet')),
  ];
}

function warningText({ parcel, remark, state }: JudgedRow, progress: RowProgress | null): string | null {
  if (progress !== null && (progress.kind === 'rejected' || progress.kind === 'failed')) return progress.reason;
  if (progress?.kind === 'pending') {
    return 'It is saved and will be registered when the service can be reached.';
  }
  if (progress !== null && isSettled(progress)) return null;
  if (state !== 'watched' || parcel === null) return remark;
  return `It is already on the list${parcel.label === null ? '' : ` as ${parcel.label}`}.`;
}

function reasonText(row: JudgedRow): string {
  const { evidence } = row;
  if (isReplaced(row) && evidence === 'entered') return 'You entered it.';
  const places = isReplaced(row) ? '' : placesSentence(row.places);
  return places === '' ? `${evidenceText[evidence]}.` : `${evidenceText[evidence]}: ${places}.`;
}

function candidatesText(
  { candidates, courierCode, parcel, state }: JudgedRow,
  progress: RowProgress | null,
): string | null {
  if (courierCode !== null || state === 'watched' || (parcel?.courierCode ?? null) !== null) return null;
  const isRejected = progress?.kind === 'rejected' || state === 'rejected';
  const names = new Set(candidates.map(({ courierCode: code, name }) => (code === null ? name : `${name} (${code})`)));
  const next = isRejected
    ? 'Press c to choose the courier.'
    : 'The service will detect the courier. Press c to choose it yourself.';
  return names.size === 0 ? next : `Probably ${[...names].join(' or ')}. ${next}`;
}

const editedText = (row: JudgedRow): string | null =>
  isReplaced(row) ? `The text says ${row.original.trackNo}.` : null;

interface ScanSummaryInput {
  readonly stage:
    | { readonly kind: 'reading' | 'choosing' | 'ended' }
    | { readonly kind: 'adding'; readonly doing: string; readonly isStopping: boolean };
  readonly rows: readonly unknown[];
  readonly cost: CallCost;
  /** Registrations left in the budget. Null if there is no limit. */
  readonly registrationsLeft: number | null;
  readonly selected: Pick<JudgedRow, 'state'> | null;
  readonly notes: readonly string[];
  readonly width: number;
}

/** Returns the cost of adding the selected numbers, or the progress of adding them, in exactly `width` cells. */
export function scanSummary(input: ScanSummaryInput): Line {
  const { notes, stage, width } = input;
  if (stage.kind === 'adding') {
    const text = stage.isStopping ? `Stopping… ${stage.doing}` : stage.doing;
    return fitLine([{ text: ` ${text}`, bold: true, tone: 'moving' }], width);
  }
  return fitLine([...proposal(input), ...notes.map((text): Segment => ({ text: `  ${text}`, tone: 'today' }))], width);
}

function proposal({ cost, registrationsLeft, rows, selected, stage }: ScanSummaryInput): Line {
  if (stage.kind === 'reading' || rows.length === 0) return [{ text: ' ' }];
  if (cost.numbers === 0) {
    const advice =
      selected !== null && canBeSelected(selected.state) ? ' Press Space to choose the selected number.' : '';
    return stage.kind === 'ended' ? [] : [{ text: ` Nothing to add.${advice}`, tone: 'quiet' }];
  }
  const exceedsBudget = registrationsLeft !== null && cost.registrations > registrationsLeft;
  return [
    { text: ` Add ${counted(cost.numbers, 'number')}`, bold: true },
    {
      text: cost.registrations === 0 ? '' : `: ${scanCostText(cost, registrationsLeft)}`,
      ...(exceedsBudget ? { tone: 'attention' as const } : {}),
    },
  ];
}

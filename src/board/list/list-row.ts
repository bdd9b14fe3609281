import { cellWidth, cutMiddle, fitLine, fitText, lineText } from '../../lib/cells.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Line, Segment, Tone } from '../../lib/paint.ts';
import { deliveredLocal } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { stageTable } from '../../parcels/stages.ts';
import type { ParcelColumn } from '../columns.ts';
import type { PauseReason } from '../header-problem.ts';
import { lastEventTime, parcelLook, parcelTitle, shortCourierName } from '../parcel-facts.ts';
import { type ExpectedDay, expectedDay } from '../status/expected-delivery.ts';
import { loudness, type Viewing } from '../status/status-now.ts';
import { type Freshness, freshness, freshnessLooks, hasJourney, journeyBar, rowSymbols } from '../symbols.ts';
import { clockOnlyRangeMs, clockText, eventAgeText, shortClockText } from '../time.ts';
import {
  ageWidth,
  type Column,
  type ColumnName,
  type ColumnNeeds,
  columnsFor,
  columnTitle,
  journeyWidth,
  type ListColumns,
  longNextWidth,
  markedAgeWidth,
  type StandardColumn,
  shortNextWidth,
  standardColumns,
} from './list-columns.ts';
import {
  columnTexts,
  eventNextToStatus,
  isPlainColumn,
  newestEventText,
  placeText,
  rowStatusWordings,
} from './row-texts.ts';

export interface ListRowInput extends Viewing {
  readonly columns: ListColumns;
  readonly checking: boolean;
  /** Why automatic checks have stopped, or null if they have not. */
  readonly pause?: PauseReason | null;
  /** The problem shown below the header, so that rows do not repeat it. */
  readonly shownProblem?: string | null;
  readonly selected?: boolean;
  readonly marked?: boolean;
  /** Whether the list is grouped by stage. Defaults to true. */
  readonly hasStageHeadings?: boolean;
}

export function listRow(parcel: Parcel, input: ListRowInput): Line {
  const { columns, gap, width } = input.columns;
  const row = rowCells(parcel, input);
  const isSelected = input.selected === true;
  const line: Segment[] = [
    { text: isSelected ? rowSymbols.selected : ' ', tone: 'accent', bold: true },
    { text: markSymbol(parcel, input), tone: 'accent', bold: true },
    { text: stageTable[parcelLook(parcel)].symbol, tone: symbolTone(parcel, input), bold: true },
    { text: ' ' },
    ...joinCells(extendTexts(columns, row, gap), row, gap),
    { text: ' ' },
  ];
  return isSelected ? withBackground(fitLine(line, width)) : fitLine(line, width);
}

/** Highlights a selected row, except for its selection symbol. */
export function withBackground([symbol, ...row]: Line): Line {
  return [...(symbol === undefined ? [] : [symbol]), { text: lineText(row), reverse: true }];
}

/** Formats a cell for a width. The result may be wider, and is cut later. */
type CellWriter = (width: number) => Line;

type Row = (name: ColumnName) => CellWriter;

/** Returns the symbol's tone: the stage's, or a louder one if the parcel is urgent. */
function symbolTone(parcel: Parcel, input: ListRowInput): Tone {
  const loud = loudness(parcel, input);
  if (loud === 'usual') return stageTable[parcelLook(parcel)].tone;
  return loud === 'urgent' ? 'attention' : 'today';
}

function rowCells(parcel: Parcel, input: ListRowInput): Row {
  const state = freshness(parcel, input.now, input.checking);
  const shownColumns = new Set(input.columns.columns.map(({ name }) => name));
  const message = parcel.error?.message ?? null;
  const failureMessage = state === 'failed' && message !== (input.shownProblem ?? null) ? message : null;
  const expected = expectedDay(parcel, input);
  // Computed once, because cells are formatted for several widths.
  const event = shownColumns.has('event') ? (failureMessage ?? eventNextToStatus(parcel, input)) : '';
  const look = parcelLook(parcel);
  const wordings = rowStatusWordings(parcel, input);
  const isRepeated = input.hasStageHeadings !== false && stageTable[look].title === wordings[0];
  const status: StatusParts = {
    wordings,
    expected: shownColumns.has('expected') || expected === null ? [] : expectedText(expected),
    mustShowStatus: stageTable[look].tone === 'attention' || expected?.tone === 'attention',
    remark: shownColumns.has('next') ? '' : freshnessLooks[state].remark,
    place: shownColumns.has('place') ? '' : placeText(parcel),
    isRepeated,
  };
  const isNew = parcel.unread !== undefined;
  const writers: Readonly<Record<StandardColumn, CellWriter>> = {
    name: (width) => [{ text: parcel.label ?? cutMiddle(parcel.trackNo, width), bold: isNew }],
    courier: () => [{ text: shortCourierName(parcel) ?? '', dim: true }],
    status: (width) => [{ text: fitStatus(status, width) }],
    event: () => [{ text: event, dim: true }],
    journey: (width) => journeyBar(parcel, width - countriesWidth),
    expected: () => (expected === null ? [] : [{ text: expected.text, tone: expected.tone, dim: expected.isForecast }]),
    next: (width) => [{ text: fitText(nextText(parcel, state, input, width), width, 'right'), dim: state === 'fresh' }],
    last: (width) => [ageCell(parcel, state, input, width)],
  };
  return (name) => (isPlainColumn(name) ? plainCell(parcel, name, isNew, input) : writers[name]);
}

function plainCell(parcel: Parcel, name: keyof typeof columnTexts, isNew: boolean, viewing: Viewing): CellWriter {
  const text = columnTexts[name](parcel, viewing);
  if (name === 'number') return (width) => [{ text: cutMiddle(text, width), bold: isNew && parcel.label === null }];
  if (name === 'days') return (width) => [{ text: fitText(text, width, 'right') }];
  return () => [{ text, bold: isNew && name === 'label' }];
}

/** Cells for two letters and a space on each side of the bar. */
const countriesWidth = 6;

function markSymbol({ unread }: Parcel, { marked }: ListRowInput): string {
  if (marked === true) return rowSymbols.marked;
  return unread === undefined ? ' ' : rowSymbols.unread;
}

/** Columns whose text can extend into empty cells to the right. */
const extensibleColumns: ReadonlySet<ColumnName> = new Set(['courier', 'status', 'event']);

/** Lets text extend into empty cells to the right without moving other columns. */
function extendTexts(columns: readonly Column[], row: Row, gap: number): readonly Column[] {
  const result: Column[] = [];
  for (const column of columns) {
    const previous = result.at(-1);
    const isEmpty = isBlank(row(column.name)(column.width));
    const mergedWidth = previous === undefined ? 0 : previous.width + gap + column.width;
    if (
      isEmpty &&
      previous !== undefined &&
      extensibleColumns.has(previous.name) &&
      wouldShowMore(previous, mergedWidth, row)
    ) {
      result[result.length - 1] = { ...previous, width: mergedWidth };
    } else {
      result.push(column);
    }
  }
  return result;
}

const isBlank = (line: Line): boolean => lineText(line).trim() === '';

function wouldShowMore({ name, width }: Column, mergedWidth: number, row: Row): boolean {
  const write = row(name);
  const text = lineText(write(width));
  return cellWidth(text) > width || lineText(write(mergedWidth)) !== text;
}

interface StatusParts {
  readonly wordings: readonly [string, ...string[]];
  /** Expected delivery, long and short form. Empty if a column shows it. */
  readonly expected: readonly string[];
  /** Whether the status must not be replaced by the expected day. */
  readonly mustShowStatus: boolean;
  /** What the freshness symbol means. Empty if a column shows it. */
  readonly remark: string;
  /** May be empty. */
  readonly place: string;
  /** Whether the group heading already says the same, so that the place is more useful. */
  readonly isRepeated: boolean;
}

/** Minimum width of a place, in cells. */
const minPlaceCells = 6;

/**
 * Returns the status followed by what fits: the meaning of the symbol, the expected delivery, the place. If space is
 * short, the status is shortened, or replaced by the expected day or by a place that says more than the heading.
 */
function fitStatus(parts: StatusParts, width: number): string {
  const { expected, isRepeated, mustShowStatus, place, remark, wordings } = parts;
  const fits = (text: string): boolean => cellWidth(text) <= width;
  if (isRepeated && place !== '' && !fits(`${wordings[0]} · ${place}`)) {
    return fitStatus({ ...parts, wordings: [place], place: '', isRepeated: false }, width);
  }
  const main = wordings.find(fits) ?? (mustShowStatus ? undefined : expected.find(fits)) ?? wordings[0];
  if (!fits(main)) return main;
  const text = [remark, expected.includes(main) ? '' : (expected[0] ?? '')]
    .filter((addition) => addition !== '')
    .reduce((line, addition) => (fits(`${line} · ${addition}`) ? `${line} · ${addition}` : line), main);
  return place === '' || !fits(`${text} · ${' '.repeat(Math.min(minPlaceCells, cellWidth(place)))}`)
    ? text
    : `${text} · ${place}`;
}

/** Expected delivery for a row without a column for it, in a long and a short form. */
function expectedText({ isForecast, text, tone }: ExpectedDay): readonly [string, ...string[]] {
  if (text === 'today') return ['comes today', text];
  return isForecast || tone !== 'plain' || text.startsWith('by ') ? [text] : [`by ${text}`, text];
}

function nextText(parcel: Parcel, state: Freshness, input: ListRowInput, width: number): string {
  const { word } = freshnessLooks[state];
  if (word !== '') return word;
  const at = parcel.archivedAt === null ? parseInstant(parcel.nextPollAt) : null;
  if (at === null || (input.pause ?? null) !== null) return '';
  const text = clockText(at, input.now, input.zone);
  return cellWidth(text) <= width ? text : shortClockText(at, input.now, input.zone);
}

function ageCell(parcel: Parcel, state: Freshness, input: ListRowInput, width: number): Segment {
  const event = lastEventTime(parcel);
  const { symbol } = freshnessLooks[state];
  const text = event === null ? '' : eventAgeText(event, input.now);
  return { text: `${symbol}${fitText(text, width - 1, 'right')}`, dim: state === 'fresh' };
}

function joinCells(columns: readonly Column[], row: Row, gap: number): Segment[] {
  return columns.flatMap(({ name, width }, index) => {
    const cell = fitLine(row(name)(width), width);
    return index === columns.length - 1 ? cell : [...cell, { text: ' '.repeat(gap) }];
  });
}

/**
 * Returns the widths that these parcels need in full. Measures all of them, so that columns do not move on scrolling.
 */
export function columnNeeds(
  parcels: readonly Parcel[],
  viewing: Viewing,
  chosen: readonly ParcelColumn[] = [],
): ColumnNeeds {
  const plain = columnsFor(chosen).filter(isPlainColumn);
  const needs = Object.fromEntries([...standardColumns, ...plain].map((name) => [name, 0])) as Record<
    ColumnName,
    number
  >;
  for (const parcel of parcels) {
    const measure = (name: ColumnName, text: string, maxCells = Number.POSITIVE_INFINITY): void => {
      // A character has at most two cells.
      if (text.length * 2 > needs[name]) needs[name] = Math.max(needs[name], Math.min(maxCells, cellWidth(text)));
    };
    measure('name', parcelTitle(parcel));
    measure('courier', shortCourierName(parcel) ?? '');
    const place = chosen.includes('place') ? '' : placeText(parcel);
    const [status] = rowStatusWordings(parcel, viewing);
    measure('status', place === '' ? status : `${status} · ${place}`, maxStatusCells(parcel));
    measure('event', newestEventText(parcel));
    measure('expected', expectedDay(parcel, viewing)?.text ?? '');
    if (hasJourney(parcel)) needs.journey = journeyWidth;
    needs.next = Math.max(needs.next, nextWidth(parcel, viewing));
    if (parcel.lastEvent !== null || deliveredLocal(parcel) !== null)
      needs.last = Math.max(needs.last, parcel.lastEvent?.certain === true ? ageWidth : markedAgeWidth);
    for (const name of plain) measure(name, columnTexts[name](parcel, viewing));
  }
  for (const name of standardColumns)
    if (needs[name] > 0) needs[name] = Math.max(needs[name], cellWidth(columnTitle(name)));
  return needs;
}

const defaultStatusCells = 30;

/** Maximum width of a status, which may extend into an empty event column, in cells. */
const maxStatusCells = ({ lastEvent }: Parcel): number =>
  lastEvent === null ? defaultStatusCells : Number.POSITIVE_INFINITY;

/** Width of the "Next" column. Within a day, the time of day is enough. */
function nextWidth({ archivedAt, nextPollAt }: Parcel, { now }: Viewing): number {
  const at = archivedAt === null ? parseInstant(nextPollAt) : null;
  if (at === null) return 0;
  return at - now < clockOnlyRangeMs ? shortNextWidth : longNextWidth;
}

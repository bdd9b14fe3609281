import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import type { PauseReason } from '../header/pause-reason.ts';
import { type ExpectedWording, expectedWording } from '../status/expected-wording.ts';
import { type Freshness, freshness, freshnessSigns } from '../status/freshness.ts';
import { stageLooks } from '../status/stage-look.ts';
import { statusWordings } from '../status/status-now.ts';
import { courierName, instantOf, lastEventTime, parcelLook } from '../status/view-stage.ts';
import { cellWidth, cutMiddle, fitLine, fitText } from '../text/cells.ts';
import type { Line, Segment, Tone } from '../text/line.ts';
import { ageText } from '../time/age.ts';
import { clockText, shortClockText } from '../time/zone-time.ts';
import { type Column, type ColumnName, listColumns } from './list-columns.ts';

/** What a row of the list depends on besides its parcel. */
export interface ListRowInput {
  readonly now: EpochMs;
  /** Cells of the row. */
  readonly width: number;
  /** The viewer's zone. */
  readonly zone: Zone;
  /** Whether a call about this parcel is under way. */
  readonly checking: boolean;
  /** Why nothing is checked by itself; nothing stands in the way when left out. */
  readonly pause?: PauseReason | null;
  readonly selected?: boolean;
  readonly marked?: boolean;
  /** Whether any parcel of the list has an expected delivery; not so when left out. */
  readonly withExpected?: boolean;
}

/** A row of exactly `width` cells: the selection, glyph, mark, and the columns that fit (see `listColumns`). */
export function listRow(parcel: Parcel, input: ListRowInput): Line {
  const look = parcelLook(parcel);
  const { symbol, tone } = stageLooks[look];
  const { columns, gap } = listColumns(input.width, input.withExpected);
  const row = describe(parcel, input, tone, new Set(columns.map(({ name }) => name)));
  const selected = input.selected ?? false;
  const line: Segment[] = [
    { text: selected ? '▌' : ' ', tone: 'accent', bold: true },
    { text: symbol, tone, bold: true },
    input.marked === true ? { text: '■', tone: 'accent', bold: true } : { text: ' ' },
    ...joined(merged(columns, row, gap).map((column) => ({ ...row[column.name](column.width), gapAfter: gap }))),
    { text: ' ' },
  ];
  return fitLine(line, input.width);
}

/** The heading of a group, exactly `width` cells: title on the left, number of parcels on the right. */
export function groupHeading(title: string, count: number, width: number): Line {
  const number = `${count} `;
  const room = Math.max(0, width - cellWidth(number) - 1);
  return fitLine([{ text: ' ' }, { text: fitText(title, room), bold: true }, { text: number, dim: true }], width);
}

interface Cell extends Segment {
  readonly gapAfter: number;
}

/** Draws one cell of the row at a width. */
type DrawCell = (width: number) => Segment;

type Row = Readonly<Record<ColumnName, DrawCell>>;

const freshnessWords: Readonly<Record<Freshness, string>> = {
  fresh: '',
  checking: 'now',
  failed: 'failed',
  late: 'late',
  doubtful: 'old?',
};

const isCalm = (tone: Tone): boolean => tone === 'moving' || tone === 'quiet' || tone === 'done';

function describe(parcel: Parcel, input: ListRowInput, tone: Tone, shown: ReadonlySet<ColumnName>): Row {
  const state = freshness(parcel, input.now, input.checking);
  const place = parcel.lastEvent?.address ?? parcel.lastEvent?.detail ?? '';
  const awaited = awaitedDelivery(parcel);
  const expected = awaited === null ? null : expectedWording(awaited, input);
  // Without a column of its own it stands in the best place that there is.
  const inPlace = shown.has('expected') || expected?.when === 'late' ? null : expected;
  const troubled = state === 'failed' && parcel.error !== null;
  return {
    name: (width) => ({ text: fitText(nameAt(parcel, width), width), bold: input.selected ?? false }),
    courier: (width) => ({ text: fitText(courierName(parcel) ?? '', width), dim: true }),
    status: (width) => ({
      text: fitText(statusAt(parcel, input, shown.has('place') ? null : inPlace, width), width),
      ...(isCalm(tone) ? {} : { tone }),
    }),
    place: (width) => ({ text: fitText(inPlace?.short ?? place, width) }),
    expected: (width) => ({
      text: fitText(expected?.short ?? '', width),
      ...(expected?.when === 'today' ? { tone: 'today' } : {}),
    }),
    event: (width) => ({
      text: fitText((troubled ? parcel.error?.message : parcel.lastEvent?.detail) ?? '', width),
      dim: true,
    }),
    next: (width) => ({ text: fitText(nextText(parcel, state, input, width), width, 'right'), dim: state === 'fresh' }),
    age: (width) => ageCell(parcel, state, input, width),
  };
}

/** Columns that give their room to the status when they are empty. */
const givers: ReadonlySet<ColumnName> = new Set(['place', 'expected', 'event', 'next', 'age']);

/**
 * A row without place and event, such as a rejected one, gives their room to its status: the service's sentence needs
 * it, and the columns after it stay where they are.
 */
function merged(columns: readonly Column[], row: Row, gap: number): readonly Column[] {
  const isSpare = (column: Column): boolean =>
    givers.has(column.name) && row[column.name](column.width).text.trim() === '';
  const spare = columns.filter(isSpare);
  const status = columns.findIndex((column) => column.name === 'status');
  // Only what follows the status without a break can be given to it.
  if (status < 0 || spare.length === 0 || !spare.some((column) => column === columns[status + 1])) return columns;
  const given = spare.filter((column, index) => column === columns[status + 1 + index]);
  return columns
    .filter((column) => !given.includes(column))
    .map((column) =>
      column.name === 'status'
        ? { ...column, width: given.reduce((sum, { width }) => sum + width + gap, column.width) }
        : column,
    );
}

function nameAt(parcel: Parcel, width: number): string {
  return parcel.label === null ? cutMiddle(parcel.trackNo, width) : parcel.label;
}

/** From this width on the beginning of a status says more than the stage's short word. */
const tellingWidth = 16;

/**
 * The status in words, as long as fits; in a narrow column its short word, unless the status needs the reader. Where that
 * word would only repeat the heading, it is when the parcel is expected.
 */
function statusAt(parcel: Parcel, input: ListRowInput, expected: ExpectedWording | null, width: number): string {
  const wordings = statusWordings(parcel, input);
  const [text] = wordings;
  if (stageLooks[parcelLook(parcel)].tone === 'attention') return text;
  const fitting = wordings.slice(0, -1).find((wording) => cellWidth(wording) <= width);
  if (fitting !== undefined) return fitting;
  if (width >= tellingWidth) return text;
  const coming =
    expected === null ? [] : [`by ${expected.short}`, expected.short].slice(expected.when === 'later' ? 0 : 1);
  return (
    coming.find((wording) => cellWidth(wording) <= width && !wording.startsWith('by by ')) ?? wordings.at(-1) ?? text
  );
}

function nextText(parcel: Parcel, state: Freshness, input: ListRowInput, width: number): string {
  const word = freshnessWords[state];
  if (word !== '') return word;
  const at = parcel.archivedAt === null ? instantOf(parcel.nextPollAt) : null;
  if (at === null || (input.pause ?? null) !== null) return '';
  const text = clockText(at, input.now, input.zone);
  return cellWidth(text) <= width ? text : shortClockText(at, input.now, input.zone);
}

function ageCell(parcel: Parcel, state: Freshness, input: ListRowInput, width: number): Segment {
  const event = lastEventTime(parcel);
  const age = event === null ? '' : ageText(event.at, input.now);
  const sign = freshnessSigns[state];
  // The tilde of an uncertain age stands right before it, unless the age itself needs the cell.
  const text = event === null || event.certain || age.length >= width - 1 ? age : `~${age}`;
  return { text: fitText(`${sign}${fitText(text, width - 1, 'right')}`, width), dim: state === 'fresh' };
}

function joined(cells: readonly Cell[]): Segment[] {
  return cells.flatMap(({ gapAfter, ...cell }, index) =>
    index === cells.length - 1 ? [cell] : [cell, { text: ' '.repeat(gapAfter) }],
  );
}

import { cellWidth, cutMiddle, fitLine, fitText } from '../../lib/cells.ts';
import type { Line, Segment, Tone } from '../../lib/paint.ts';
import { deliveredLocal } from '../../parcels/delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { stageTable } from '../../parcels/stages.ts';
import type { PauseReason } from '../header-problem.ts';
import type { ExpectedWording } from '../status/expected-delivery.ts';
import { type Freshness, freshness, freshnessLooks, rowSigns } from '../status/legend.ts';
import { courierName, instantOf, lastEventTime, parcelLook, parcelTitle } from '../status/stage.ts';
import { loudness, type Viewing } from '../status/status-now.ts';
import { eventAgeText } from '../time/age.ts';
import { clockText, shortClockText, timeOfDaySuffices } from '../time/zone-time.ts';
import {
  ageWidth,
  type Column,
  type ColumnName,
  type ColumnNeeds,
  columnHeadings,
  columnOrder,
  type ListColumns,
  longNextWidth,
  markedAgeWidth,
  shortNextWidth,
} from './list-columns.ts';
import {
  eventBesideStatus,
  expectedText,
  newestEventText,
  ownStatusWordings,
  placeText,
  statusOrEventWordings,
} from './row-texts.ts';

export interface ListRowInput extends Viewing {
  readonly columns: ListColumns;
  readonly checking: boolean;
  /** Why automatic checks are stopped, if they are. */
  readonly pause?: PauseReason | null;
  /** The problem shown under the header, which rows do not repeat. */
  readonly shownProblem?: string | null;
  readonly selected?: boolean;
  readonly marked?: boolean;
  /** Whether headings show the stage; true by default. */
  readonly hasStageHeadings?: boolean;
}

export function listRow(parcel: Parcel, input: ListRowInput): Line {
  const { sign: symbol, tone } = stageTable[parcelLook(parcel)];
  const { columns, gap, width } = input.columns;
  const row = describe(parcel, input, tone);
  const line: Segment[] = [
    { text: input.selected === true ? rowSigns.selected : ' ', tone: 'accent', bold: true },
    { text: markSign(parcel, input), tone: 'accent', bold: true },
    { text: symbol, tone, bold: true },
    { text: ' ' },
    ...joined(widened(columns, row, gap), row, gap),
    { text: ' ' },
  ];
  return fitLine(line, width);
}

interface Cell extends Segment {
  readonly align?: 'right';
}

/** Formats the cell for a width; longer texts are cut later. */
type WriteCell = (width: number) => Cell;

type Row = Readonly<Record<ColumnName, WriteCell>>;

const isCalm = (tone: Tone): boolean => tone === 'moving' || tone === 'quiet' || tone === 'done';

function statusLook(parcel: Parcel, input: ListRowInput, tone: Tone): Pick<Cell, 'tone' | 'bold'> {
  const loud = loudness(parcel, input);
  if (loud !== 'usual') return { tone: loud === 'urgent' ? 'attention' : 'today', bold: true };
  return isCalm(tone) ? {} : { tone };
}

function describe(parcel: Parcel, input: ListRowInput, tone: Tone): Row {
  const state = freshness(parcel, input.now, input.checking);
  const shown = new Set(input.columns.columns.map(({ name }) => name));
  const message = parcel.error?.message ?? null;
  const trouble = state === 'failed' && message !== (input.shownProblem ?? null) ? message : null;
  const expected = expectedText(parcel, input);
  const place = placeText(parcel);
  // Computed once for several widths.
  const event = shown.has('event') ? (trouble ?? eventBesideStatus(parcel, input)) : '';
  const status = statusParts(parcel, { ...input, expected, place, shown, state });
  const look = statusLook(parcel, input, tone);
  return {
    name: (width) => ({ text: nameAt(parcel, width), bold: isProminent(parcel, input) }),
    courier: () => ({ text: courierName(parcel) ?? '', dim: true }),
    status: (width) => ({ text: statusAt(status, width), ...look }),
    place: () => ({ text: place }),
    expected: () => ({ text: expected?.short ?? '', ...(expected?.when === 'today' ? { tone: 'today' } : {}) }),
    event: () => ({ text: event, dim: true }),
    next: (width) => ({ text: nextText(parcel, state, input, width), dim: state === 'fresh', align: 'right' }),
    age: (width) => ageCell(parcel, state, input, width),
  };
}

function markSign({ unread }: Parcel, { marked }: ListRowInput): string {
  if (marked === true) return rowSigns.marked;
  return unread === undefined ? ' ' : rowSigns.unread;
}

const isProminent = (parcel: Parcel, { selected }: ListRowInput): boolean =>
  selected === true || parcel.unread !== undefined;

/** Text columns, which take over the width of empty columns after them. */
const takers: ReadonlySet<ColumnName> = new Set(['courier', 'status', 'place', 'event']);

/** A cell takes the room of empty cells after it; later columns do not move. */
function widened(columns: readonly Column[], row: Row, gap: number): readonly Column[] {
  const result: Column[] = [];
  for (const column of columns) {
    const before = result.at(-1);
    const isEmpty = row[column.name](column.width).text.trim() === '';
    const more = before === undefined ? 0 : before.width + gap + column.width;
    if (isEmpty && before !== undefined && takers.has(before.name) && gains(before, more, row)) {
      result[result.length - 1] = { ...before, width: more };
    } else {
      result.push(column);
    }
  }
  return result;
}

function gains({ name, width }: Column, more: number, row: Row): boolean {
  const { text } = row[name](width);
  return cellWidth(text) > width || row[name](more).text !== text;
}

function nameAt(parcel: Parcel, width: number): string {
  return parcel.label === null ? cutMiddle(parcel.trackNo, width) : parcel.label;
}

interface StatusParts {
  readonly wordings: readonly [string, ...string[]];
  /** Expected delivery, long and short; empty if a column shows it. */
  readonly coming: readonly string[];
  /** Whether the status has priority over it. */
  readonly needsReader: boolean;
  /** Meaning of the sign if no column shows it; can be empty. */
  readonly remark: string;
  /** Place if no column shows it; can be empty. */
  readonly place: string;
}

interface RowFacts extends ListRowInput {
  readonly expected: ExpectedWording | null;
  readonly place: string;
  readonly shown: ReadonlySet<ColumnName>;
  readonly state: Freshness;
}

function statusParts(parcel: Parcel, facts: RowFacts): StatusParts {
  const { expected, place, shown, state } = facts;
  const saysNoDay = shown.has('expected') || expected === null || expected.when === 'late';
  return {
    wordings: (shown.has('event') ? ownStatusWordings : statusOrEventWordings)(parcel, facts),
    coming: saysNoDay ? [] : comingWords(expected),
    needsReader: stageTable[parcelLook(parcel)].tone === 'attention',
    remark: shown.has('next') ? '' : freshnessLooks[state].remark,
    place: shown.has('place') ? '' : place,
  };
}

/**
 * The status, or the event in its place, then what has no column of its own and fits: meaning of the sign, expected
 * delivery, place. Without room, the status is shortened or replaced by the expected day unless it needs attention.
 */
function statusAt({ coming, needsReader, place, remark, wordings }: StatusParts, width: number): string {
  const fits = (text: string): boolean => cellWidth(text) <= width;
  const main = wordings.find(fits) ?? (needsReader ? undefined : coming.find(fits)) ?? wordings[0];
  if (!fits(main)) return main;
  return [remark, coming.includes(main) ? '' : (coming[0] ?? ''), place]
    .filter((text) => text !== '')
    .reduce((text, addition) => (fits(`${text} · ${addition}`) ? `${text} · ${addition}` : text), main);
}

/** Expected delivery for rows without a column title, long and short. */
function comingWords({ short, when }: ExpectedWording): readonly [string, ...string[]] {
  if (short === 'today') return ['comes today', short];
  return when === 'today' || short.startsWith('by ') ? [short] : [`by ${short}`, short];
}

function nextText(parcel: Parcel, state: Freshness, input: ListRowInput, width: number): string {
  const { word } = freshnessLooks[state];
  if (word !== '') return word;
  const at = parcel.archivedAt === null ? instantOf(parcel.nextPollAt) : null;
  if (at === null || (input.pause ?? null) !== null) return '';
  const text = clockText(at, input.now, input.zone);
  return cellWidth(text) <= width ? text : shortClockText(at, input.now, input.zone);
}

function ageCell(parcel: Parcel, state: Freshness, input: ListRowInput, width: number): Cell {
  const event = lastEventTime(parcel);
  const { sign } = freshnessLooks[state];
  const text = event === null ? '' : eventAgeText(event, input.now);
  return { text: `${sign}${fitText(text, width - 1, 'right')}`, dim: state === 'fresh' };
}

function joined(columns: readonly Column[], row: Row, gap: number): Segment[] {
  return columns.flatMap(({ name, width }, index) => {
    const { align = 'left', text, ...look } = row[name](width);
    const cell: Segment = { ...look, text: fitText(text, width, align) };
    return index === columns.length - 1 ? [cell] : [cell, { text: ' '.repeat(gap) }];
  });
}

/**
 * Widths to show these parcels in full. Based on all parcels, not only visible ones, so that columns do not move
 * while scrolling.
 */
export function columnNeeds(
  parcels: readonly Parcel[],
  viewing: Viewing & Pick<ListRowInput, 'hasStageHeadings'>,
): ColumnNeeds {
  const names = [...columnOrder, 'statusOrEvent'] as const;
  const needs = Object.fromEntries(names.map((name) => [name, 0])) as Record<keyof ColumnNeeds, number>;
  for (const parcel of parcels) {
    const see = (name: keyof ColumnNeeds, text: string, most = Number.POSITIVE_INFINITY): void => {
      // A character has at most two cells.
      if (text.length * 2 > needs[name]) needs[name] = Math.max(needs[name], Math.min(most, cellWidth(text)));
    };
    see('name', parcelTitle(parcel));
    see('courier', courierName(parcel) ?? '');
    const wordings = ownStatusWordings(parcel, viewing);
    see('status', wordings[0], mostOfStatus(parcel));
    const event = newestEventText(parcel);
    // Skips the exact width if both texts fit anyway.
    if (parcel.lastEvent !== null && Math.max(wordings[0].length, event.length) * 2 > needs.statusOrEvent)
      see('statusOrEvent', statusOrEventWordings(parcel, viewing, wordings)[0]);
    see('place', placeText(parcel));
    see('event', event);
    see('expected', expectedText(parcel, viewing)?.short ?? '');
    needs.next = Math.max(needs.next, nextWidth(parcel, viewing));
    if (parcel.lastEvent !== null || deliveredLocal(parcel) !== null)
      needs.age = Math.max(needs.age, parcel.lastEvent?.certain === true ? ageWidth : markedAgeWidth);
  }
  return underHeadings(needs);
}

function underHeadings(texts: ColumnNeeds): ColumnNeeds {
  const needs = { ...texts };
  for (const name of columnOrder) {
    if (needs[name] > 0) needs[name] = Math.max(needs[name], cellWidth(columnHeadings[name]));
  }
  return { ...needs, statusOrEvent: Math.max(needs.status, needs.statusOrEvent) };
}

const usualStatus = 30;

/** Most cells of a status next to empty event cells. */
const mostOfStatus = ({ lastEvent }: Parcel): number => (lastEvent === null ? usualStatus : Number.POSITIVE_INFINITY);

/** Cells of the next check; a time of day is enough for checks within a day. */
function nextWidth({ archivedAt, nextPollAt }: Parcel, { now }: Viewing): number {
  const at = archivedAt === null ? instantOf(nextPollAt) : null;
  if (at === null) return 0;
  return at - now < timeOfDaySuffices ? shortNextWidth : longNextWidth;
}

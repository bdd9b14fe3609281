import { cellWidth, fitLine, fitText } from '../lib/cells.ts';
import { dayMs, type EpochMs } from '../lib/clock.ts';
import type { Zone } from '../lib/date-time.ts';
import type { Line, Segment, Tone } from '../lib/paint.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { stageTable } from '../parcels/stages.ts';
import { scrollIntoView } from './list/list-rows.ts';
import { repeatsStatus } from './list/row-texts.ts';
import { parcelTitle } from './parcel-facts.ts';
import type { PhraseBook } from './phrase-book.ts';
import { rowSymbols } from './symbols.ts';
import { dateText, dayText, pastDayName, type TimeMode, timeText, weekdayText } from './time.ts';

interface NewsClock {
  readonly mode: TimeMode;
  /** The viewer's zone. */
  readonly zone: Zone;
}

/** Returns the time at which a change was noticed as `14:02`, in the viewer's zone or UTC. */
export function newsTime({ noticedAt }: Pick<Change, 'noticedAt'>, clock: NewsClock): string {
  return timeText(wallTime(noticedAt, clock));
}

function wallTime(instant: string, { mode, zone }: NewsClock): number {
  const at = Date.parse(instant);
  return mode === 'utc' ? at : zone.wallTime(at);
}

interface NewsRowInput extends NewsClock {
  /** Null below the heading of its parcel, where the row shows the day instead. */
  readonly title: string | null;
  readonly selected: boolean;
  /** Translates courier texts into English. Null shows them as received. */
  readonly phraseBook?: PhraseBook | null;
  /** Whether the change is newer than the last visit. */
  readonly isNew: boolean;
  /** Width of the row, in cells. */
  readonly width: number;
}

/** Returns the heading of a day, with exactly `width` cells. */
export function newsDay(
  date: string,
  { now, width, zone }: Pick<NewsRowInput, 'width' | 'zone'> & { now: EpochMs },
): Line {
  return fitLine([{ text: ` ${pastDayName(date, now, zone)}`, bold: true }], width);
}

/** Returns a parcel's heading and its number of changes, with exactly `width` cells. */
export function newsParcel(title: string, count: number, width: number): Line {
  const right = `${count} `;
  const name: Segment = { text: fitText(` ${title}`, Math.max(0, width - cellWidth(right))), bold: true };
  return fitLine([name, { text: right, dim: true }], width);
}

/** Returns the line between the changes since the last visit and earlier ones, with exactly `width` cells. */
export function seenBeforeRule(width: number): Line {
  const label = ' ── earlier ';
  return fitLine([{ text: label + '─'.repeat(Math.max(0, width - cellWidth(label) - 1)), tone: 'quiet' }], width);
}

/**
 * Returns a change as a row of exactly `width` cells: selection, new stage, time, name and message. If the change is
 * new, the name is bold, or the message if there is no name. The user's own changes are dim.
 */
export function newsRow(change: Change, input: NewsRowInput): Line {
  const { isNew, phraseBook = null, selected, title, width } = input;
  const { original, text } = messageParts(change, phraseBook);
  const { symbol, tone } = changeLook(change);
  const isDim = isByUser(change) && !selected;
  const nameWidth = width < 60 ? 12 : width < 90 ? 18 : 26;
  const gap = width < 60 ? ' ' : '  ';
  const dimIfByUser = (segment: Segment): Segment => (isDim ? { text: segment.text, dim: true } : segment);
  return fitLine(
    [
      { text: selected ? rowSymbols.selected : ' ', tone: 'accent', bold: true },
      dimIfByUser({ text: `${symbol} `, tone, bold: true }),
      ...(title === null
        ? [{ text: `${fitText(dayText(wallTime(change.noticedAt, input)), dayWidth)} `, dim: true }]
        : []),
      { text: newsTime(change, input), dim: true },
      title === null
        ? { text: gap }
        : dimIfByUser({ text: `${gap}${fitText(title, nameWidth)}${gap}`, bold: isNew || selected }),
      ...(width < 60 ? [] : [{ text: eventTime(change, input), dim: true }]),
      dimIfByUser({ text, bold: selected || (title === null && isNew) }),
      { text: original === null ? '' : ` · ${original}`, dim: true },
    ],
    width,
  );
}

/** Width of a day such as `20 Nov`, in cells. */
const dayWidth = 6;

/** In milliseconds. An event that was noticed within this time is shown without its own time. */
const maxPromptMs = 3_600_000;

/**
 * Returns when the event of a change happened, such as `Fri 13:06 · `, on the same clock. Empty if it was noticed
 * promptly.
 */
function eventTime({ at, noticedAt, to }: Change, clock: NewsClock): string {
  const isLate = to?.lastEvent != null && Date.parse(noticedAt) - Date.parse(at) > maxPromptMs;
  if (!isLate) return '';
  const [wall, noticed] = [wallTime(at, clock), wallTime(noticedAt, clock)];
  const days = Math.floor(noticed / dayMs) - Math.floor(wall / dayMs);
  const day = days === 0 ? '' : `${days < 7 ? weekdayText(wall) : dayText(wall)} `;
  return `${day}${timeText(wall)} · `;
}

interface NewsText {
  /** The message, without the status if the courier's text repeats it. */
  readonly text: string;
  /** The courier's own words if they were translated, or null. */
  readonly original: string | null;
}

function messageParts({ message, to }: Change, phraseBook: PhraseBook | null): NewsText {
  const detail = to?.lastEvent?.detail ?? null;
  const start = detail === null ? -1 : message.indexOf(detail);
  if (detail === null || start === -1) return { text: message, original: null };
  const english = phraseBook?.(detail) ?? null;
  const [before, event] = [message.slice(0, start), `${english ?? detail}${message.slice(start + detail.length)}`];
  const status = before.endsWith(' - ') ? before.slice(0, -3) : '';
  const isRepeated = status !== '' && repeatsStatus(english ?? detail, status);
  return { text: isRepeated ? event : `${before}${event}`, original: english === null ? null : detail };
}

function changeLook({ change, to }: Change): { readonly symbol: string; readonly tone: Tone } {
  switch (change) {
    case 'status':
      return stageTable[to?.stage ?? 'unknown'];
    case 'rejected':
    case 'archived':
      return stageTable[change];
    case 'event':
      return { symbol: '●', tone: 'moving' };
    case 'trouble':
      return { symbol: '✗', tone: 'attention' };
    default:
      return { symbol: ' ', tone: 'quiet' };
  }
}

/** Whether the user made the change or it follows from adding a number, so that it is not news. */
const isByUser = ({ change }: Change): boolean =>
  ['added', 'removed', 'archived', 'restored', 'registered', 'courier'].includes(change);

/** Returns the title of the news with filter and number of new changes, shortened to fit `room` cells if possible. */
export function newsHeading(newCount: number, room: number, filter = ''): string {
  const news = filter === '' ? 'News' : `News · “${filter}”`;
  if (newCount === 0) return news;
  const short = `${news} · ${newCount}`;
  const titles = [`${short} since your last visit`, `${short} new`];
  return titles.find((title) => cellWidth(title) <= room) ?? short;
}

/** Returns the parcel's current name, or its name at the time if it is no longer on the list. */
export function newsTitle({ label, parcelId, trackNo }: Change, parcels: readonly Parcel[]): string {
  const parcel = parcels.find(({ id }) => id === parcelId);
  return parcel === undefined ? (label ?? trackNo) : parcelTitle(parcel);
}

export type NewsGrouping = 'day' | 'parcel';

type NewsRow =
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'parcel'; readonly newest: Change; readonly count: number }
  | { readonly kind: 'seen-before' }
  | { readonly kind: 'change'; readonly change: Change };

/** The news in display order. */
export interface NewsList {
  /** Newest first. */
  readonly changes: readonly Change[];
  /** Number of changes since the last visit, not counting the user's own. */
  readonly newCount: number;
  /** The same rows with headings. */
  readonly rows: readonly NewsRow[];
}

/** Whether a change came after `seenSeq` and is not the user's own. */
export const isNewSince = (change: Change, seenSeq: number): boolean => change.seq > seenSeq && !isByUser(change);

/**
 * Sorts the change log for display: the change noticed last comes first, and of changes noticed together, the one that
 * happened last. If grouped by parcel, the parcel with the newest change comes first.
 * @param log oldest first
 * @param seenSeq number of the newest line that the user has seen
 */
export function newsList(
  log: readonly Change[],
  clock: NewsClock,
  seenSeq: number,
  grouping: NewsGrouping = 'day',
): NewsList {
  const changes = newestFirst(log);
  const newCount = changes.filter((change) => isNewSince(change, seenSeq)).length;
  if (grouping === 'parcel') {
    const groups = [...Map.groupBy(changes, ({ parcelId }) => parcelId).values()];
    return { changes: groups.flat(), newCount, rows: groups.flatMap(parcelRows) };
  }
  return { changes, newCount, rows: dayRows(changes, clock, newCount === 0 ? null : seenSeq) };
}

const newestFirst = (log: readonly Change[]): readonly Change[] =>
  [...Map.groupBy(log.toReversed(), ({ noticedAt }) => noticedAt).values()].flatMap((simultaneous) =>
    simultaneous.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)),
  );

const changeRow = (change: Change): NewsRow => ({ kind: 'change', change });

function parcelRows(changes: readonly Change[]): readonly NewsRow[] {
  const [newest] = changes;
  return newest === undefined ? [] : [{ kind: 'parcel', newest, count: changes.length }, ...changes.map(changeRow)];
}

/** @param seenSeq null if nothing is new */
function dayRows(changes: readonly Change[], clock: NewsClock, seenSeq: number | null): readonly NewsRow[] {
  const seenFrom = seenSeq === null ? -1 : changes.findLastIndex(({ seq }) => seq > seenSeq) + 1;
  const rows: NewsRow[] = [];
  let day = '';
  for (const [index, change] of changes.entries()) {
    if (index === seenFrom) rows.push({ kind: 'seen-before' });
    const date = dateText(wallTime(change.noticedAt, clock));
    if (date !== day) rows.push({ kind: 'day', date });
    rows.push(changeRow(change));
    day = date;
  }
  return rows;
}

export interface NewsWindow {
  /** The first row is a heading. */
  readonly rows: readonly NewsRow[];
  readonly offset: number;
  /** Positions of the first and the last visible change, counted from 1. Both are 0 if none is visible. */
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the visible rows, scrolled only as far as needed to show the selection.
 * @param selectedSeq number of the selected line of the change log
 * @param offset the previous offset, 0 at first
 */
export function newsWindow({ rows }: NewsList, selectedSeq: number | null, offset: number, height: number): NewsWindow {
  const room = Math.max(0, Math.floor(height));
  const selectedAt = rows.findIndex((row) => row.kind === 'change' && row.change.seq === selectedSeq);
  // Leaves room for the heading.
  const from = scrollIntoView(offset, selectedAt, { height: room, covered: room < 2 ? 0 : 1, total: rows.length });
  const visible = withHeading(rows, from, rows.slice(from, from + room));
  const isChange = ({ kind }: NewsRow): boolean => kind === 'change';
  const firstChange = visible.find(isChange);
  if (firstChange === undefined) return { rows: visible, offset: from, first: 0, last: 0 };
  const changesAbove = rows.slice(0, rows.indexOf(firstChange)).filter(isChange).length;
  return { rows: visible, offset: from, first: changesAbove + 1, last: changesAbove + visible.filter(isChange).length };
}

/** Replaces the first row with the heading that it belongs to. */
function withHeading(rows: readonly NewsRow[], from: number, visible: readonly NewsRow[]): readonly NewsRow[] {
  const heading = rows.slice(0, from + 1).findLast(({ kind }) => kind === 'day' || kind === 'parcel');
  return heading === undefined || visible.length < 2 ? visible : [heading, ...visible.slice(1)];
}

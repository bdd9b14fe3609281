import { cellWidth, fitLine, fitText, lineText, lineWidth, wrap } from '../lib/cells.ts';
import type { EpochMs } from '../lib/clock.ts';
import { parseInstant, type Zone } from '../lib/date-time.ts';
import type { Line, Segment } from '../lib/paint.ts';
import { isSameEvent } from '../parcels/changes-between.ts';
import type { Viewer } from '../parcels/delivery.ts';
import type { RecordSummary } from '../parcels/parcel.ts';
import { nameFromCode } from '../service/couriers.ts';
import type { Checkpoint } from '../service/record.ts';
import { plausibleEvents } from '../service/timeline-order.ts';
import { extraWording, isClearlyEnglish } from './list/row-texts.ts';
import { type NextStep, nextStepLine } from './next-step.ts';
import type { PhraseBook } from './phrase-book.ts';
import { eventLook, rowSymbols } from './symbols.ts';
import { type CheckpointTime, checkpointTime, pastDayName, shortDayName, spanText, type TimeMode } from './time.ts';

/**
 * Returns how many events at the start of the list, which is sorted newest first, are new.
 * @param lastRead the newest event that was read; null if none was, undefined if nothing is new
 */
export function newEventCount(checkpoints: readonly Checkpoint[], lastRead: Checkpoint | null | undefined): number {
  if (lastRead === undefined) return 0;
  if (lastRead === null) return checkpoints.length;
  const readAt = checkpoints.findIndex((checkpoint) => isSameEvent(lastRead, checkpoint));
  if (readAt !== -1) return readAt;
  // The courier may have changed or withdrawn that event, so compare times instead.
  const olderAt = checkpoints.findIndex((checkpoint) => !isNewer(checkpoint, lastRead));
  return olderAt === -1 ? checkpoints.length : olderAt;
}

/** Whether the first event is later than the second. False if unknown. */
function isNewer(checkpoint: Checkpoint, other: Checkpoint): boolean {
  const [at, otherAt] = [parseInstant(checkpoint.at), parseInstant(other.at)];
  if (at !== null && otherAt !== null) return at > otherAt;
  return checkpoint.local !== null && other.local !== null && checkpoint.local > other.local;
}

export interface TimelineInput {
  /** Newest first. */
  readonly checkpoints: readonly Checkpoint[];
  readonly mode: TimeMode;
  /** The viewer's zone. */
  readonly viewerZone: Zone;
  /** Width of a line, in cells. */
  readonly width: number;
  readonly now: EpochMs;
  /** The newest event that was read, or null if none was. Absent if nothing is new. */
  readonly lastRead?: Checkpoint | null | undefined;
  /** What to do now, shown below the newest event, or null. */
  readonly step?: NextStep | null;
  /** The courier that delivers the parcel, and its tracking number there. */
  readonly lastMile?: LastMile | undefined;
  /** Translates courier texts into English. If null, only the status is in English. */
  readonly phraseBook?: PhraseBook | null;
  /** Whether each event gets only one line, because the pane has few rows. */
  readonly isCompact?: boolean;
}

type LastMile = NonNullable<RecordSummary['lastMile']>;

/** Gaps shorter than this, such as a night, are not shown. In milliseconds. */
const minGapMs = 18 * 3_600_000;

const minPlaceColumnWidth = 56;
const maxPlaceCells = 24;

const timelineRail: Segment = { text: '│', dim: true };

/**
 * Lays out the timeline, newest event first. Each day and zone has a heading, and each event has a symbol on the rail,
 * a time, wrapped text and a place. In between are gaps, changes of the reporting courier, and what to do now. Every
 * line has exactly `width` cells.
 */
export function timelineLines(input: TimelineInput): Line[] {
  const {
    checkpoints,
    isCompact = false,
    lastRead,
    mode,
    now,
    phraseBook = null,
    step = null,
    viewerZone,
    width,
  } = input;
  if (width < 1) return [];
  const pastEvents = plausibleEvents(checkpoints);
  const unread = new Set(pastEvents.slice(0, newEventCount(pastEvents, lastRead)));
  const events = checkpoints.map((checkpoint, index): TimelineEvent => {
    const isNewest = checkpoint === pastEvents[0];
    return {
      checkpoint,
      words: textParts(checkpoint, phraseBook),
      time: checkpointTime(checkpoint, mode, viewerZone),
      isNewest,
      isOldest: index === checkpoints.length - 1,
      isUnread: unread.has(checkpoint),
      step: isNewest ? step : null,
    };
  });
  const lines = isCompact
    ? compactLines(events, width, { now, phraseBook, zone: viewerZone })
    : railLines(events, input);
  return lines.map((line) => fitLine(line, width));
}

interface TimelineEvent {
  readonly checkpoint: Checkpoint;
  readonly words: EventText;
  readonly time: CheckpointTime;
  readonly isNewest: boolean;
  readonly isOldest: boolean;
  readonly isUnread: boolean;
  /** What to do now, for the newest event. */
  readonly step: NextStep | null;
}

function railLines(events: readonly TimelineEvent[], input: TimelineInput): readonly Line[] {
  const { checkpoints, lastMile, now, viewerZone, width } = input;
  const layout = createLayout(width, checkpoints);
  const changes = courierChanges(checkpoints, lastMile);
  const lines: Line[] = [];
  let previous: CheckpointTime | null = null;
  let shownZone = '';
  for (const event of events) {
    const { checkpoint, time } = event;
    // `~` and `±` are marks, not zones.
    const zone = time.zoneMark.length > 1 ? time.zoneMark : shownZone;
    lines.push(...gapLines(previous, time));
    const courier = changes.get(checkpoint);
    if (courier !== undefined) lines.push([{ text: `├ ${courier}`, dim: true }]);
    if (previous === null || time.date !== previous.date || zone !== shownZone) {
      const day = time.date === null ? 'Day unknown' : pastDayName(time.date, now, viewerZone);
      lines.push([{ text: day, bold: true }, ...(zone === shownZone ? [] : [{ text: ` · ${zone}`, dim: true }])]);
    }
    lines.push(...eventLines(event, layout), ...stepLines(event, width));
    previous = time;
    shownZone = zone;
  }
  return lines;
}

/** Names each courier at the newest event that it reported in a row. Empty if there is only one courier. */
function courierChanges(
  checkpoints: readonly Checkpoint[],
  lastMile: LastMile | undefined,
): ReadonlyMap<Checkpoint, string> {
  const changes = new Map<Checkpoint, string>();
  let lastReporter: string | null = null;
  for (const checkpoint of checkpoints) {
    const { courierCode, courierName } = checkpoint;
    const reporter = courierCode ?? courierName ?? null;
    if (reporter === null || reporter === lastReporter) continue;
    const number = lastMile !== undefined && courierCode === lastMile.courierCode ? lastMile.trackNo : null;
    const name = courierName ?? nameFromCode(reporter);
    changes.set(checkpoint, number === null ? name : `${name} ${number}`);
    lastReporter = reporter;
  }
  return changes.size > 1 ? changes : new Map();
}

function gapLines(newer: CheckpointTime | null, older: CheckpointTime): Line[] {
  if (newer === null || newer.certainAt === null || older.certainAt === null) return [];
  const gap = newer.certainAt - older.certainAt;
  return gap < minGapMs ? [] : [[{ text: `┆ ${spanText(gap)}`, dim: true }]];
}

/** Widths of an event's parts in cells. `place` is 0 if there is no place column; places then follow the text. */
interface EventLayout {
  readonly lead: number;
  readonly text: number;
  readonly place: number;
}

/** Width of the symbol, the unread mark, the time, the mark for a doubtful zone, and a space. */
const leadWidth = 9;

/** Sizes the place column for the longest place, within limits, and gives the rest to the text. */
function createLayout(width: number, checkpoints: readonly Checkpoint[], leadCells = leadWidth): EventLayout {
  const lead = Math.min(leadCells, Math.max(0, width - 1));
  const maxCells = Math.max(0, ...checkpoints.map(({ address }) => cellWidth(address ?? '')));
  const place = width >= minPlaceColumnWidth ? Math.min(maxCells, maxPlaceCells, Math.floor((width - lead) / 3)) : 0;
  return { lead, place, text: width - lead - (place > 0 ? place + 2 : 0) };
}

function eventSymbols({ checkpoint, isNewest, isUnread }: TimelineEvent): Line {
  const { symbol, tone } = eventLook(checkpoint.subStatus);
  const unread: Segment = isUnread ? { text: rowSymbols.unread, tone: 'accent', bold: true } : { text: ' ' };
  return [{ text: symbol, tone, bold: isNewest }, unread];
}

const eventClock = ({ isNewest, time }: TimelineEvent): Segment => ({
  text: `${fitText(time.clock ?? '', 5)}${time.zoneMark.length === 1 ? time.zoneMark : ' '}`,
  dim: !isNewest,
});

function eventLines(event: TimelineEvent, layout: EventLayout): Line[] {
  const { address } = event.checkpoint;
  const text = textRows(event, layout);
  const place = layout.place > 0 && address !== null ? wrap(address, layout.place) : [];
  return Array.from({ length: Math.max(text.length, place.length) }, (_, row) => {
    const lead = row === 0 ? [...eventSymbols(event), eventClock(event)] : event.isOldest ? [] : [timelineRail];
    const body = [...fitLine(lead, layout.lead), ...(text[row] ?? [])];
    const side = place[row] ?? '';
    if (side === '') return body;
    return [
      ...fitLine(body, layout.lead + layout.text),
      { text: '  ' },
      { text: fitText(side, layout.place, 'right'), dim: true },
    ];
  });
}

/**
 * Returns the text in English, followed by the original (dim), the status, the remark about the time, and the place if
 * there is no place column.
 */
function textRows({ checkpoint, isNewest, time, words }: TimelineEvent, layout: EventLayout): Line[] {
  const { addition, main, original } = words;
  const additions = [
    addition,
    time.remark,
    layout.place === 0 ? checkpoint.address : null,
    checkpoint.repeats === undefined ? null : `×${checkpoint.repeats}`,
  ];
  const rows: Segment[][] = wrap(main, layout.text).map((row) => [{ text: row, bold: isNewest }]);
  // The original starts on a new line.
  if (original !== null) rows.push(...wrap(original, layout.text).map((row): Segment[] => [{ text: row, dim: true }]));
  for (const text of additions) if (text !== null) appendText(rows, text, layout.text);
  return rows;
}

interface EventText {
  readonly main: string;
  /** The courier's own words if `main` is not in their language, or null. */
  readonly original: string | null;
  /** The status if it adds something, or null. */
  readonly addition: string | null;
}

function textParts(checkpoint: Checkpoint, phraseBook: PhraseBook | null): EventText {
  const { detail } = checkpoint;
  const translation = checkpoint.translation ?? (detail === null ? null : (phraseBook?.(detail) ?? null));
  const text = translation ?? detail;
  const wording = extraWording({ ...checkpoint, detail: text });
  if (text === null) return { main: wording ?? 'No description', original: null, addition: null };
  if (translation !== null) return { main: text, original: detail, addition: wording };
  if (wording === null || isClearlyEnglish(text)) return { main: text, original: null, addition: wording };
  return { main: wording, original: text, addition: null };
}

/** Appends to the last row if there is room, and to new rows otherwise. */
function appendText(rows: Segment[][], addition: string, width: number): void {
  const last = rows.at(-1);
  if (last !== undefined && lineWidth(last) + 3 + cellWidth(addition) <= width) {
    last.push({ text: ' · ', dim: true }, { text: addition, dim: true });
    return;
  }
  rows.push(...wrap(addition, width).map((text): Segment[] => [{ text, dim: true }]));
}

/** `→ send the invoice: ups.com/…` on the rail. */
function stepLines({ isOldest, step }: TimelineEvent, width: number): readonly Line[] {
  if (step === null) return [];
  const lead = fitLine(isOldest ? [] : [timelineRail], Math.min(leadWidth, Math.max(0, width - 1)));
  const line = nextStepLine(step);
  const room = width - lineWidth(lead);
  if (lineWidth(line) <= room) return [[...lead, ...line]];
  return wrap(lineText(line), room).map((text) => [...lead, { text }]);
}

/** Shows day, time, text and place of each event on one line. */
function compactLines(
  events: readonly TimelineEvent[],
  width: number,
  { phraseBook, ...viewer }: Viewer & { readonly phraseBook: PhraseBook | null },
): readonly Line[] {
  const eventDay = ({ time }: TimelineEvent): string => (time.date === null ? '' : shortDayName(time.date, viewer));
  const dayWidth = Math.max(0, ...events.map((event) => cellWidth(eventDay(event))));
  const checkpoints = events.map(({ checkpoint }) => checkpoint);
  const layout = createLayout(width, checkpoints, leadWidth + dayWidth + 1);
  return events.flatMap((event, index): readonly Line[] => {
    const newer = events[index - 1];
    const day = newer?.time.date === event.time.date ? '' : eventDay(event);
    const lead = [...eventSymbols(event), { text: `${fitText(day, dayWidth)} ` }, eventClock(event)];
    const { main, original } = event.words;
    const text: Line = [
      { text: main, bold: event.isNewest },
      ...(phraseBook === null || original === null ? [] : [{ text: ` · ${original}`, dim: true }]),
    ];
    const { address } = event.checkpoint;
    const place: Line =
      layout.place === 0 || address === null
        ? []
        : [{ text: '  ' }, { text: fitText(address, layout.place, 'right'), dim: true }];
    const body = place.length === 0 ? text : fitLine(text, layout.text);
    return [[...fitLine(lead, layout.lead), ...body, ...place], ...stepLines(event, width)];
  });
}

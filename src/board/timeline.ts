import { cellWidth, fitLine, fitText, wrap } from '../lib/cells.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Line, Segment } from '../lib/paint.ts';
import type { Zone } from '../lib/zone.ts';
import { isSameEvent } from '../parcels/changes-between.ts';
import { courierWords } from '../service/couriers.ts';
import type { Checkpoint } from '../service/record.ts';
import { believed } from '../service/timeline-order.ts';
import { addedWording } from './list/row-texts.ts';
import { rowSigns } from './status/legend.ts';
import { instantOf } from './status/stage.ts';
import { spanText } from './time/age.ts';
import { type CheckpointTime, checkpointTime, type TimeMode } from './time/checkpoint-time.ts';
import { pastDayName } from './time/zone-time.ts';

/**
 * Number of events, newest first, that are new.
 * @param lastRead the newest event before them; null for none, undefined if nothing is new
 */
export function newEventCount(checkpoints: readonly Checkpoint[], lastRead: Checkpoint | null | undefined): number {
  if (lastRead === undefined) return 0;
  if (lastRead === null) return checkpoints.length;
  const readAt = checkpoints.findIndex((checkpoint) => isSameEvent(lastRead, checkpoint));
  if (readAt !== -1) return readAt;
  // The courier may have changed or withdrawn the event; then its time decides.
  const olderAt = checkpoints.findIndex((checkpoint) => !isNewer(checkpoint, lastRead));
  return olderAt === -1 ? checkpoints.length : olderAt;
}

/** Whether an event is later than another; false if unknown. */
function isNewer(checkpoint: Checkpoint, than: Checkpoint): boolean {
  const [at, thanAt] = [instantOf(checkpoint.at), instantOf(than.at)];
  if (at !== null && thanAt !== null) return at > thanAt;
  return checkpoint.local !== null && than.local !== null && checkpoint.local > than.local;
}

export interface TimelineInput {
  /** Newest first. */
  readonly checkpoints: readonly Checkpoint[];
  readonly mode: TimeMode;
  /** The viewer's zone. */
  readonly viewerZone: Zone;
  /** Cells of a line. */
  readonly width: number;
  readonly now: EpochMs;
  /** The newest event that was read; null for none, absent if nothing is new. */
  readonly lastRead?: Checkpoint | null | undefined;
}

/** Smallest gap that is shown, in milliseconds. */
const shortestGap = 24 * 3_600_000;

const placeColumnFrom = 56;
const offsetColumnFrom = 30;

/**
 * The timeline, newest event first: a heading per day, time and offset, wrapped text, place, gaps, and the reporting
 * courier where it changes. Every line is exactly `width` cells.
 */
export function timelineLines(input: TimelineInput): Line[] {
  const { checkpoints, mode, now, viewerZone, width } = input;
  if (width < 1) return [];
  const lines: Line[] = [];
  const happened = believed(checkpoints);
  const unread = new Set(happened.slice(0, newEventCount(happened, input.lastRead)));
  const layout = layoutOf(width, checkpoints);
  let previous: CheckpointTime | null = null;
  const changes = courierChanges(checkpoints);
  for (const checkpoint of checkpoints) {
    const time = checkpointTime(checkpoint, mode, viewerZone);
    lines.push(...gapLines(previous, time));
    const courier = changes.get(checkpoint);
    if (courier !== undefined) lines.push([{ text: `Reported by ${courier}:`, dim: true }]);
    if (previous === null || time.date !== previous.date)
      lines.push([{ text: time.date === null ? 'Day unknown' : pastDayName(time.date, now, viewerZone), bold: true }]);
    lines.push(
      ...eventLines(
        checkpoint,
        time,
        { isNewest: checkpoint === happened[0], isUnread: unread.has(checkpoint) },
        layout,
      ),
    );
    previous = time;
  }
  return lines.map((line) => fitLine(line, width));
}

/** Couriers at the newest event of each of their runs; empty if there is only one courier. */
function courierChanges(checkpoints: readonly Checkpoint[]): ReadonlyMap<Checkpoint, string> {
  const changes = new Map<Checkpoint, string>();
  let last: string | null = null;
  for (const checkpoint of checkpoints) {
    const { courierCode, courierName } = checkpoint;
    const owner = courierCode ?? courierName ?? null;
    if (owner === null || owner === last) continue;
    changes.set(checkpoint, courierName ?? courierWords(owner));
    last = owner;
  }
  return changes.size > 1 ? changes : new Map();
}

function gapLines(newer: CheckpointTime | null, older: CheckpointTime): Line[] {
  if (newer === null || newer.sureAt === null || older.sureAt === null) return [];
  const gap = newer.sureAt - older.sureAt;
  return gap < shortestGap ? [] : [[{ text: `      ${spanText(gap)}`, dim: true }]];
}

/** Widths of an event's parts; `place` is 0 if places are below the texts or absent. */
interface EventLayout {
  readonly lead: number;
  readonly offset: boolean;
  readonly text: number;
  readonly place: number;
}

/** The place column fits the longest place; texts get the rest. */
function layoutOf(width: number, checkpoints: readonly Checkpoint[]): EventLayout {
  const offset = width >= offsetColumnFrom;
  const lead = Math.min(offset ? 16 : 8, Math.max(0, width - 1));
  const widest = Math.max(0, ...checkpoints.map(({ address }) => cellWidth(address ?? '')));
  const place = width >= placeColumnFrom ? Math.min(widest, 24, Math.floor((width - lead) / 3)) : 0;
  return { lead, offset, place, text: width - lead - (place > 0 ? place + 2 : 0) };
}

interface EventMarks {
  readonly isNewest: boolean;
  readonly isUnread: boolean;
}

function eventLines(checkpoint: Checkpoint, time: CheckpointTime, marks: EventMarks, layout: EventLayout): Line[] {
  const { isNewest: newest, isUnread } = marks;
  const lead: Segment[] = [
    { text: newest ? '●' : '○', ...(newest ? { tone: 'accent', bold: true } : { dim: true }) },
    isUnread ? { text: rowSigns.unread, tone: 'accent', bold: true } : { text: ' ' },
    { text: fitText(time.clock ?? '', 5), ...(newest ? {} : { dim: true }) },
    ...(layout.offset ? [{ text: ' ' }, { text: fitText(time.zoneMark, 6), dim: true }] : []),
  ];
  const text = textRows(checkpoint, time, layout, newest);
  const place = layout.place > 0 ? wrap(checkpoint.address ?? '', layout.place) : [];
  const rows = Math.max(text.length, checkpoint.address === null ? 0 : place.length);
  return Array.from({ length: rows }, (_, row) => {
    const head = row === 0 ? fitLine(lead, layout.lead) : [{ text: ' '.repeat(layout.lead) }];
    const body = text[row] ?? [];
    const side = place[row];
    if (side === undefined || side === '') return [...head, ...body];
    return [
      ...head,
      ...fitLine(body, layout.text),
      { text: '  ' },
      { text: fitText(side, layout.place, 'right'), dim: true },
    ];
  });
}

/**
 * The text (a translation above its original), then dimmed the status, the remark about the time, and the place if
 * it has no column.
 */
function textRows(checkpoint: Checkpoint, time: CheckpointTime, layout: EventLayout, newest: boolean): Line[] {
  const text = checkpoint.translation ?? checkpoint.detail;
  const wording = addedWording({ ...checkpoint, detail: text });
  const main = text ?? wording ?? 'No text given';
  const mark = !layout.offset && time.zoneMark !== '' && time.remark !== null ? time.zoneMark : null;
  const additions = [
    text === null ? null : wording,
    [mark, time.remark].filter((part) => part !== null).join(' ') || null,
    layout.place === 0 ? checkpoint.address : null,
    checkpoint.repeats === undefined ? null : `×${checkpoint.repeats}`,
  ];
  const rows: Segment[][] = wrap(main, layout.text).map((text) => [{ text, ...(newest ? { bold: true } : {}) }]);
  if (checkpoint.translation !== undefined && checkpoint.detail !== null) {
    // The courier's own words are on separate lines.
    rows.push(...wrap(checkpoint.detail, layout.text).map((text): Segment[] => [{ text, dim: true }]));
  }
  for (const addition of additions) if (addition !== null) append(rows, addition, layout.text);
  return rows;
}

/** Appends to the last row if it fits, else adds rows. */
function append(rows: Segment[][], addition: string, width: number): void {
  const last = rows.at(-1);
  const used = last === undefined ? width : last.reduce((sum, { text }) => sum + cellWidth(text), 0);
  if (last !== undefined && used + 3 + cellWidth(addition) <= width) {
    last.push({ text: ' · ', dim: true }, { text: addition, dim: true });
    return;
  }
  rows.push(...wrap(addition, width).map((text): Segment[] => [{ text, dim: true }]));
}

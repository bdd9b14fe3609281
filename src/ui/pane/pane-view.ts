import type { AskingRest } from '../../board/header/pause-reason.ts';
import type { Arrangement } from '../../board/list/arrange.ts';
import { type ListView, listLines } from '../../board/list/list-scroll.ts';
import type { Line } from '../../board/text/line.ts';
import type { TimeMode } from '../../board/time/checkpoint-time.ts';
import { timelineLines } from '../../board/timeline/timeline.ts';
import { timelineHead } from '../../board/timeline/timeline-head.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { PaneSize } from '../layout.ts';
import type { Theme } from '../theme.ts';
import type { LoadedHistory } from '../timeline/history-cache.ts';

/** What every pane needs to write its texts. */
export interface ViewContext {
  readonly now: EpochMs;
  /** The viewer's IANA zone. */
  readonly zone: string;
  readonly theme: Theme;
  readonly asking: ReadonlySet<string>;
  /** Why nothing is asked by itself; null while it is. */
  readonly rest: AskingRest | null;
  /** The problem that the lines under the header tell; null when they tell none. */
  readonly told: string | null;
}

/** The visible part of a scrolled text. */
export interface ScrolledLines {
  readonly lines: readonly Line[];
  /** The offset in force, within what there is to scroll. */
  readonly offset: number;
  readonly total: number;
}

/** The inside of a pane. */
export const innerSize = (size: PaneSize): PaneSize => ({
  width: Math.max(0, size.width - 2),
  height: Math.max(0, size.height - 2),
});

/** Cuts a text to `height` lines from `offset` on. */
export function scrollLines(lines: readonly Line[], offset: number, height: number): ScrolledLines {
  const from = Math.min(Math.max(0, offset), Math.max(0, lines.length - height));
  return { lines: lines.slice(from, from + height), offset: from, total: lines.length };
}

/** The visible lines of the parcel list. */
export function listPaneView(
  arrangement: Arrangement,
  selectedId: string | null,
  offset: number,
  size: PaneSize,
  context: ViewContext,
): ListView {
  const { width, height } = innerSize(size);
  return listLines({
    groups: arrangement.groups,
    selectedId,
    offset,
    width,
    height,
    now: context.now,
    zone: context.zone,
    glyphs: context.theme.glyphs,
    asking: context.asking,
    rest: context.rest,
  });
}

/** A sentence of a pane that has nothing else to show. */
const sentence = (text: string): Line => [{ text: ` ${text}`, tone: 'quiet' }];

/** The whole timeline of a parcel, head included; it is scrolled as one text. One cell stays free on each side. */
export function timelineText(
  parcel: Parcel | null,
  loaded: LoadedHistory | null,
  mode: TimeMode,
  size: PaneSize,
  context: ViewContext,
): readonly Line[] {
  if (parcel === null) return [sentence('Select a parcel to see its timeline.')];
  const width = Math.max(1, innerSize(size).width - 2);
  const { now, rest, told, zone } = context;
  const { glyphs } = context.theme;
  const head = timelineHead({ parcel, now, zone, width, glyphs, asking: context.asking.has(parcel.id), rest, told });
  const checkpoints = loaded?.history?.checkpoints ?? (parcel.lastEvent === null ? [] : [parcel.lastEvent]);
  const body =
    loaded?.problem != null
      ? [sentence(loaded.problem)]
      : timelineLines({ checkpoints, mode, viewerZone: zone, width, glyphs, now });
  const lines =
    body.length === 0 ? [...head, [], [{ text: 'No events yet.', tone: 'quiet' as const }]] : [...head, [], ...body];
  return lines.map((line): Line => [{ text: ' ' }, ...line, { text: ' ' }]);
}

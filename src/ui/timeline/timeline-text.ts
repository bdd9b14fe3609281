import type { PauseReason } from '../../board/header/pause-reason.ts';
import type { HeadingRow } from '../../board/list/list-rows.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import { counted } from '../../board/text/counted.ts';
import type { Line } from '../../board/text/line.ts';
import type { TimeMode } from '../../board/time/checkpoint-time.ts';
import { recordLines } from '../../board/timeline/record-facts.ts';
import { timelineLines } from '../../board/timeline/timeline.ts';
import { timelineHead } from '../../board/timeline/timeline-head.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type Scroll, scrollWithin } from '../pane/scroll.ts';
import type { LoadedHistory } from './history-cache.ts';
import { lastReadOf, type OpenedUnread } from './opened-unread.ts';

/** What a timeline depends on besides its parcel. */
export interface TimelineView extends Required<Viewing> {
  /** Why nothing is checked by itself; null while it is. */
  readonly pause: PauseReason | null;
  readonly timeMode: TimeMode;
  /** Cells of a line. */
  readonly width: number;
  /** Ids of the parcels that are being checked. */
  readonly checking: ReadonlySet<string>;
  /** The problem that the lines under the header show; null when they show none. */
  readonly shownProblem: string | null;
  /** What was unread of the open parcel; null when nothing was. */
  readonly openedUnread: OpenedUnread | null;
}

/** A sentence of a pane that has nothing else to show. */
const sentence = (text: string): Line => [{ text: ` ${text}`, tone: 'quiet' }];

const noEvents: Line = [{ text: 'No events yet.', tone: 'quiet' }];

/** What stands in the pane while no parcel is selected. */
export const noTimeline: readonly Line[] = [sentence('Select a parcel to see its timeline.')];

/** The whole timeline of a parcel, head included; it is scrolled as one text. One cell stays free on each side. */
export function timelineText(parcel: Parcel, loaded: LoadedHistory | null, view: TimelineView): readonly Line[] {
  const { now, openedUnread, pause, shownProblem, timeMode, usual, zone } = view;
  const lastRead = lastReadOf(parcel, openedUnread);
  const width = Math.max(1, view.width - 2);
  const checking = view.checking.has(parcel.id);
  const head = timelineHead({ parcel, now, zone, mode: timeMode, width, checking, pause, usual, shownProblem });
  const checkpoints = loaded?.history?.checkpoints ?? (parcel.lastEvent === null ? [] : [parcel.lastEvent]);
  const body =
    loaded?.problem != null
      ? [sentence(loaded.problem)]
      : timelineLines({ checkpoints, mode: timeMode, viewerZone: zone, width, now, lastRead });
  const lines =
    body.length > 0
      ? [...head, [], ...body]
      : // Not known until the history is read.
        [...head, [], ...(loaded === null && parcel.checkpointCount > 0 ? [] : [noEvents])];
  const record = recordLines(parcel, loaded?.history?.received ?? null, width);
  const below = record.length === 0 ? [] : [[], ...record];
  return [...lines, ...below].map((line): Line => [{ text: ' ' }, ...line, { text: ' ' }]);
}

/** What stands in place of a timeline while the heading of a group is selected. */
function headingLines(heading: HeadingRow): readonly Line[] {
  const { attention, isCollapsed, unread } = heading;
  const facts = [
    counted(heading.count, 'parcel'),
    ...(attention === 0 ? [] : [`${attention} of them ${attention === 1 ? 'needs' : 'need'} attention`]),
    ...(unread === 0 ? [] : [`${unread} unread`]),
  ];
  return [
    [{ text: ` ${facts.join(', ')}` }],
    [],
    [{ text: ` Enter ${isCollapsed ? 'opens' : 'collapses'} the group, Z all of them;`, tone: 'quiet' }],
    [{ text: ' { and } go from group to group.', tone: 'quiet' }],
  ];
}

/** The lines of a timeline that are in sight. */
export interface TimelineInSight {
  readonly lines: readonly Line[];
  readonly scroll: Scroll;
}

/**
 * What is in sight of a timeline, or of what stands in its place while the heading of a group is selected.
 * @param heading the selected one; null for none
 * @param rows of the pane, without its frame
 */
export function timelineInSight(
  timeline: readonly Line[],
  heading: HeadingRow | null,
  wanted: number,
  rows: number,
): TimelineInSight {
  const lines = heading === null ? timeline : headingLines(heading);
  const scroll = scrollWithin(lines.length, wanted, rows);
  return { lines: lines.slice(scroll.offset, scroll.offset + scroll.rows), scroll };
}

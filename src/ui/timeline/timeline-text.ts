import type { Line } from '../../board/text/line.ts';
import type { TimeMode } from '../../board/time/checkpoint-time.ts';
import { recordLines } from '../../board/timeline/record-facts.ts';
import { timelineLines } from '../../board/timeline/timeline.ts';
import { timelineHead } from '../../board/timeline/timeline-head.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import { LatestMap } from '../../watchlist/model/latest-map.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../app/board.ts';
import { sizesOf } from '../layout.ts';
import { lastReadOf, type OpenedUnread } from '../news/opened-unread.ts';
import { innerSize } from '../pane/frame.ts';
import { sameFields } from '../same-fields.ts';
import type { LoadedHistory } from './history-cache.ts';

/** What a timeline depends on besides its parcel. */
export interface TimelineView extends Pick<Board, 'now' | 'pause' | 'usual' | 'zone'> {
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

/** The same of a board. */
export const timelineView = (
  {
    layout,
    now,
    pause,
    state,
    ui,
    usual,
    zone,
  }: Pick<Board, (keyof TimelineView & keyof Board) | 'layout' | 'state' | 'ui'>,
  openedUnread: OpenedUnread | null,
): TimelineView => ({
  now,
  pause,
  usual,
  zone,
  timeMode: ui.timeMode,
  width: innerSize(sizesOf(layout).timeline).width,
  checking: state.checking,
  shownProblem: state.polling.problem?.message ?? null,
  openedUnread,
});

/** A sentence of a pane that has nothing else to show. */
const sentence = (text: string): Line => [{ text: ` ${text}`, tone: 'quiet' }];

/** What stands in the pane while no parcel is selected. */
export const noTimeline: readonly Line[] = [sentence('Select a parcel to see its timeline.')];

/** The whole timeline of a parcel, head included; it is scrolled as one text. One cell stays free on each side. */
function timelineText(
  parcel: Parcel,
  loaded: LoadedHistory | null,
  view: TimelineView,
  lastRead: Checkpoint | null | undefined,
): readonly Line[] {
  const { now, pause, shownProblem, timeMode, usual, zone } = view;
  const width = Math.max(1, view.width - 2);
  const checking = view.checking.has(parcel.id);
  const head = timelineHead({ parcel, now, zone, mode: timeMode, width, checking, pause, usual, shownProblem });
  const checkpoints = loaded?.history?.checkpoints ?? (parcel.lastEvent === null ? [] : [parcel.lastEvent]);
  const body =
    loaded?.problem != null
      ? [sentence(loaded.problem)]
      : timelineLines({ checkpoints, mode: timeMode, viewerZone: zone, width, now, lastRead });
  const lines =
    body.length === 0 ? [...head, [], [{ text: 'No events yet.', tone: 'quiet' as const }]] : [...head, [], ...body];
  const record = recordLines(parcel, loaded?.history?.received ?? null, width);
  const below = record.length === 0 ? [] : [[], ...record];
  return [...lines, ...below].map((line): Line => [{ text: ' ' }, ...line, { text: ' ' }]);
}

interface KeptText {
  readonly parcel: Parcel;
  readonly loaded: LoadedHistory | null;
  readonly view: TimelineView;
  readonly lastRead: Checkpoint | null | undefined;
  readonly lines: readonly Line[];
}

/** Timelines kept: the selected parcel, those around it, and where the selection came from. */
const mostKept = 8;

/** Keeps the timelines written last, so that a key that leads back or to a neighbour finds its lines there. */
export class TimelineTexts {
  readonly #kept = new LatestMap<string, KeptText>(mostKept);

  /** The lines of a timeline, written now unless they are kept. */
  of(parcel: Parcel, loaded: LoadedHistory | null, view: TimelineView): readonly Line[] {
    const lastRead = lastReadOf(parcel, view.openedUnread);
    const kept = this.#kept.get(parcel.id);
    const isSameParcel = kept?.parcel === parcel && kept.loaded === loaded && kept.lastRead === lastRead;
    if (isSameParcel && isSameView(kept.view, view)) return kept.lines;
    const lines = timelineText(parcel, loaded, view, lastRead);
    this.#kept.set(parcel.id, { parcel, loaded, view, lastRead, lines });
    return lines;
  }
}

/** What was unread counts by what of it is new, see {@link lastReadOf}. */
const isSameView = ({ openedUnread: _, ...one }: TimelineView, { openedUnread: __, ...other }: TimelineView): boolean =>
  sameFields(one, other);

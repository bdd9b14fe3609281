import { memo, useEffect, useMemo, useState } from 'react';
import { courierPage } from '../../board/courier-name.ts';
import type { PauseReason } from '../../board/header-problem.ts';
import { journeyMap, mapSize } from '../../board/journey-map.ts';
import type { HeadingRow } from '../../board/list/list-rows.ts';
import { nextStep } from '../../board/next-step.ts';
import { recordLines } from '../../board/parcel-facts.ts';
import { parcelTitle } from '../../board/status/stage.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import { type TimeMode, timeModeTitle } from '../../board/time/checkpoint-time.ts';
import { timelineLines } from '../../board/timeline.ts';
import { courierAndService, timelineHead } from '../../board/timeline-head.ts';
import { cellWidth } from '../../lib/cells.ts';
import { LatestMap } from '../../lib/collections.ts';
import { messageOf } from '../../lib/error-text.ts';
import type { Line } from '../../lib/paint.ts';
import { counted } from '../../lib/text.ts';
import type { Zone } from '../../lib/zone.ts';
import type { Parcel, ParcelHistory } from '../../parcels/parcel.ts';
import type { Monitor } from '../../polling/monitor.ts';
import type { TimelineInSight } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { type FrameTexts, scrollStatus, scrollWithin } from '../pane/frame.ts';
import { Pane } from '../pane/pane.tsx';
import { lastReadOf, type OpenedUnread } from './reading.ts';

interface LoadedHistory {
  /** Null if it cannot be read. See `problem`. */
  readonly history: ParcelHistory | null;
  readonly problem: string | null;
}

interface Kept {
  readonly edition: string;
  readonly loaded: LoadedHistory;
}

const maxCached = 64;

const editionOf = (parcel: Parcel): string => `${parcel.checkpointCount} ${parcel.checkedAt}`;

/** Reads histories through the core and caches the last ones. */
export class HistoryCache {
  readonly #monitor: Monitor;
  readonly #kept = new LatestMap<string, Kept>(maxCached);

  constructor(monitor: Monitor) {
    this.#monitor = monitor;
  }

  /** The cached history, possibly outdated, or null. */
  peek(parcel: Parcel): LoadedHistory | null {
    return this.#kept.get(parcel.id)?.loaded ?? null;
  }

  /** Whether the cached history belongs to the newest record. */
  isFresh(parcel: Parcel): boolean {
    return this.#kept.get(parcel.id)?.edition === editionOf(parcel);
  }

  /** Reads a parcel's history. A failure is part of the result. */
  async load(parcel: Parcel): Promise<LoadedHistory> {
    const edition = editionOf(parcel);
    const loaded = await this.#read(parcel.id);
    this.#kept.set(parcel.id, { edition, loaded });
    return loaded;
  }

  async #read(parcelId: string): Promise<LoadedHistory> {
    try {
      return { history: await this.#monitor.history(parcelId), problem: null };
    } catch (error) {
      return { history: null, problem: messageOf(error) };
    }
  }
}

export interface TimelineView extends Required<Viewing> {
  /** Why automatic checks are stopped, or null. */
  readonly pause: PauseReason | null;
  readonly timeMode: TimeMode;
  /** Null if only the status is shown in English. */
  readonly showsFacts: boolean;
  /** Whether a map of the journey fills the rows below the events. */
  readonly showsMap: boolean;
  /** The pane without its frame. */
  readonly size: PaneSize;
  readonly checking: ReadonlySet<string>;
  /** The problem shown under the header, or null. */
  readonly shownProblem: string | null;
  /** The open parcel's marks, or null. */
  readonly openedUnread: OpenedUnread | null;
}

const sentence = (text: string): Line => [{ text: ` ${text}`, tone: 'quiet' }];

const noEvents: Line = [{ text: 'No events yet.', tone: 'quiet' }];

export const noTimeline: readonly Line[] = [sentence('Select a parcel to see its timeline.')];

/** Minimum rows, without the frame, for more than one line above the events. */
const lowBelow = 12;

/** Returns a parcel's timeline with its head, scrolled as one text. One cell stays free on each side. */
export function timelineText(parcel: Parcel, loaded: LoadedHistory | null, view: TimelineView): readonly Line[] {
  const {
    checking,
    now,
    openedUnread,
    pause,
    phraseBook,
    showsFacts,
    showsMap,
    shownProblem,
    size,
    timeMode: mode,
    usual,
    zone,
  } = view;
  const width = Math.max(1, size.width - 2);
  const isLow = size.height < lowBelow;
  const viewing = { now, usual, zone };
  const head = timelineHead({
    ...viewing,
    parcel,
    mode,
    width,
    checking: checking.has(parcel.id),
    pause,
    shownProblem,
    showsFacts,
    isLow,
  });
  const checkpoints = loaded?.history?.checkpoints ?? (parcel.lastEvent === null ? [] : [parcel.lastEvent]);
  const events =
    loaded?.problem != null
      ? [sentence(loaded.problem)]
      : timelineLines({
          checkpoints,
          mode,
          viewerZone: zone,
          width,
          now,
          lastRead: lastReadOf(parcel, openedUnread),
          step: nextStep(parcel, viewing),
          lastMile: parcel.record?.lastMile,
          phraseBook,
          isLow,
        });
  // Unknown until the history is read.
  const isUnread = loaded === null && parcel.checkpointCount > 0;
  const body = events.length > 0 ? events : isUnread ? [] : [noEvents];
  const record = showsFacts ? recordLines(parcel, loaded?.history?.received ?? null, width) : [];
  const gap: readonly Line[] = isLow && !showsFacts ? [] : [[]];
  const lines = [...head, ...gap, ...body, ...(record.length === 0 ? [] : [[], ...record])];
  const space = showsMap ? mapSize(width, size.height - lines.length - 1) : null;
  const map = space === null ? [] : journeyMap(parcel, checkpoints, space);
  return [...lines, ...(map.length === 0 ? [] : [[], ...map])].map(
    (line): Line => [{ text: ' ' }, ...line, { text: ' ' }],
  );
}

/** Shown while a heading is selected. */
function headingLines(heading: HeadingRow): readonly Line[] {
  const { attention, isCollapsed, unread } = heading;
  const facts = [
    counted(heading.count, 'parcel'),
    ...(attention === 0 ? [] : [`${attention} ${attention === 1 ? 'needs' : 'need'} attention`]),
    ...(unread === 0 ? [] : [`${unread} new`]),
  ];
  return [
    [{ text: ` ${facts.join(', ')}` }],
    [],
    [{ text: ` Enter ${isCollapsed ? 'expands' : 'collapses'} the group, Z all groups;`, tone: 'quiet' }],
    [{ text: ' { and } jump between groups.', tone: 'quiet' }],
  ];
}

/**
 * Returns the visible part of a timeline, or of a group's summary.
 * @param heading the selected heading, or null
 * @param rows rows of the pane without its frame
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

/**
 * The lines of the selected parcel. Contains only its last event until the history is read.
 * @param view the same object while unchanged
 */
export function useTimeline(monitor: Monitor, parcel: Parcel | null, view: TimelineView): readonly Line[] {
  const histories = useMemo(() => new HistoryCache(monitor), [monitor]);
  const [, setRead] = useState<LoadedHistory | null>(null);
  useEffect(() => {
    if (parcel === null || histories.isFresh(parcel)) return undefined;
    let isWanted = true;
    void histories.load(parcel).then((loaded) => {
      if (isWanted) setRead(loaded);
    });
    return () => {
      isWanted = false;
    };
  }, [histories, parcel]);
  const loaded = parcel === null ? null : histories.peek(parcel);
  return useMemo(() => (parcel === null ? noTimeline : timelineText(parcel, loaded, view)), [parcel, loaded, view]);
}

export interface TimelineProps {
  /** Null for none. */
  readonly parcel: Parcel | null;
  /** Null for none. */
  readonly heading: HeadingRow | null;
  readonly inSight: TimelineInSight;
  readonly timeMode: TimeMode;
  readonly isInEnglish: boolean;
  readonly zone: Zone;
  readonly size: PaneSize;
  readonly isFocused: boolean;
}

export const Timeline = memo(function Timeline(props: TimelineProps) {
  const { heading, inSight, isFocused, parcel, size } = props;
  const texts =
    heading === null
      ? { title: parcel === null ? 'Timeline' : parcelTitle(parcel), ...parcelTexts(props, parcel) }
      : { title: heading.title, ...scrollStatus(inSight.scroll) };
  return <Pane texts={texts} size={size} isFocused={isFocused} lines={inSight.lines} />;
});

/** Number and courier in the upper edge. Visible rows, clock and the key for facts in the lower edge, if they fit. */
function parcelTexts(
  { inSight, isInEnglish, size, timeMode, zone }: TimelineProps,
  parcel: Parcel | null,
): Partial<FrameTexts> {
  if (parcel === null) return {};
  const number = parcel.label === null ? null : parcel.trackNo;
  const whole = [number, courierAndService(parcel)].filter((part) => part !== null).join(' · ');
  const beside = size.width - 2 * frameCells - cellWidth(parcelTitle(parcel));
  const { status = counted(parcel.checkpointCount, 'event') } = scrollStatus(inSight.scroll);
  const times = timeModeTitle(timeMode, zone);
  const language = isInEnglish ? ['in English'] : [];
  const statuses = [[times, ...language, 'i facts'], [times, ...language], language, []].map((more) =>
    [status, ...more].join(' · '),
  );
  const room = size.width - frameCells;
  return {
    titleLink: courierPage(parcel),
    titleRight: [whole, number ?? ''].find((text) => cellWidth(text) <= beside) ?? '',
    status: statuses.find((text) => cellWidth(text) <= room) ?? status,
  };
}

/** Cells that a frame needs around a text. */
const frameCells = 6;

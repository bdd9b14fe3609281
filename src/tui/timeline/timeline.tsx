import { useEffect, useMemo, useState } from 'react';
import type { PauseReason } from '../../board/header-problem.ts';
import { journeyMap, mapSize } from '../../board/journey-map.ts';
import type { HeadingRow } from '../../board/list/list-rows.ts';
import { nextStep } from '../../board/next-step.ts';
import { courierPage, parcelTitle } from '../../board/parcel-facts.ts';
import { recordLines } from '../../board/record-facts.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import { type TimeMode, timeModeTitle } from '../../board/time.ts';
import { timelineLines } from '../../board/timeline.ts';
import { courierAndService, timelineHead } from '../../board/timeline-head.ts';
import { cellWidth } from '../../lib/cells.ts';
import { messageOf } from '../../lib/error-text.ts';
import type { Line } from '../../lib/paint.ts';
import { counted } from '../../lib/text.ts';
import type { Parcel, ParcelHistory } from '../../parcels/parcel.ts';
import type { Monitor } from '../../polling/monitor.ts';
import type { Board } from '../board.ts';
import { type FrameTexts, type PaneSize, scrollStatus } from '../layout.ts';
import { Pane } from '../pane.tsx';
import type { UiState } from '../ui-state.ts';
import { lastReadEvent, type OpenedUnread } from './reading.ts';

export interface TimelineProps extends Pick<Board, 'heading' | 'selected' | 'timeline' | 'zone'> {
  readonly ui: Pick<UiState, 'isInEnglish' | 'timeMode'>;
  readonly size: PaneSize;
  readonly isFocused: boolean;
}

export function Timeline(props: TimelineProps) {
  const { heading, timeline, isFocused, selected, size } = props;
  const texts =
    heading === null
      ? { title: selected === null ? 'Timeline' : parcelTitle(selected), ...parcelFrameTexts(props, selected) }
      : { title: heading.title, ...scrollStatus(timeline.scroll) };
  return <Pane texts={texts} size={size} isFocused={isFocused} lines={timeline.lines} />;
}

/** The top edge shows the number and the courier. The bottom edge shows the visible rows, the clock and a key hint. */
function parcelFrameTexts({ timeline, size, ui, zone }: TimelineProps, parcel: Parcel | null): Partial<FrameTexts> {
  if (parcel === null) return {};
  const number = parcel.label === null ? null : parcel.trackNo;
  const numberAndCourier = [number, courierAndService(parcel)].filter((part) => part !== null).join(' · ');
  const roomForRight = size.width - 2 * frameCells - cellWidth(parcelTitle(parcel));
  const { status = counted(parcel.checkpointCount, 'event') } = scrollStatus(timeline.scroll);
  const times = timeModeTitle(ui.timeMode, zone);
  const language = ui.isInEnglish ? ['in English'] : [];
  const statusVariants = [[times, ...language, 'i facts'], [times, ...language], language, []].map((more) =>
    [status, ...more].join(' · '),
  );
  const room = size.width - frameCells;
  return {
    titleLink: courierPage(parcel),
    titleRight: [numberAndCourier, number ?? ''].find((text) => cellWidth(text) <= roomForRight) ?? '',
    status: statusVariants.find((text) => cellWidth(text) <= room) ?? status,
  };
}

/** Cells that the frame needs around the text in its edge. */
const frameCells = 6;

interface LoadedHistory {
  /** Null if it could not be read; see `problem`. */
  readonly history: ParcelHistory | null;
  readonly problem: string | null;
  /** Identifies the parcel's state when the history was read. */
  readonly version: string;
}

const maxCached = 64;

const historyVersion = (parcel: Parcel): string => `${parcel.checkpointCount} ${parcel.checkedAt}`;

/** Reads histories from the monitor and caches the latest. */
export class HistoryCache {
  readonly #monitor: Monitor;
  readonly #kept = new LatestMap<string, LoadedHistory>(maxCached);

  constructor(monitor: Monitor) {
    this.#monitor = monitor;
  }

  /** Returns the cached history, which may be outdated, or null. */
  peek(parcel: Parcel): LoadedHistory | null {
    return this.#kept.get(parcel.id) ?? null;
  }

  /** Whether the cached history belongs to the latest record. */
  isFresh(parcel: Parcel): boolean {
    return this.peek(parcel)?.version === historyVersion(parcel);
  }

  /** Reads a parcel's history. Never rejects; a failure is part of the result. */
  async load(parcel: Parcel): Promise<LoadedHistory> {
    const version = historyVersion(parcel);
    const loaded = await this.#monitor.history(parcel.id).then(
      (history) => ({ history, problem: null, version }),
      (error: unknown) => ({ history: null, problem: messageOf(error), version }),
    );
    this.#kept.set(parcel.id, loaded);
    return loaded;
  }
}

export interface TimelineView extends Required<Viewing> {
  /** Why automatic checks are not running, or null. */
  readonly pause: PauseReason | null;
  readonly timeMode: TimeMode;
  readonly showsFacts: boolean;
  /** Whether to draw a map of the journey below the events, if there is room. */
  readonly showsMap: boolean;
  /** Size of the pane without its frame. */
  readonly size: PaneSize;
  readonly checking: ReadonlySet<string>;
  /** The problem shown below the header, or null. */
  readonly shownProblem: string | null;
  /** The marks of the open parcel, or null. */
  readonly openedUnread: OpenedUnread | null;
}

const sentence = (text: string): Line => [{ text: ` ${text}`, tone: 'quiet' }];

/** A pane with fewer rows, without its frame, shows the timeline in its short form. */
const minFullRows = 12;

/** Returns the summary of the selected group, or the timeline of the selected parcel, as one scrollable text. */
export function selectedText(
  { heading, selected }: Pick<Board, 'heading' | 'selected'>,
  loaded: LoadedHistory | null,
  view: TimelineView,
): readonly Line[] {
  if (heading !== null) return headingLines(heading);
  return selected === null ? [sentence('Select a parcel to see its timeline.')] : timelineText(selected, loaded, view);
}

/** Returns a parcel's timeline below its head. One cell stays free on each side. */
export function timelineText(
  parcel: Parcel,
  loaded: Omit<LoadedHistory, 'version'> | null,
  view: TimelineView,
): readonly Line[] {
  const { now, pause, phraseBook, showsFacts, shownProblem, size, timeMode: mode, usual, zone } = view;
  const width = Math.max(1, size.width - 2);
  const isCompact = size.height < minFullRows;
  const viewing = { now, usual, zone };
  const shared = { ...viewing, mode, width, isCompact };
  const checking = view.checking.has(parcel.id);
  const head = timelineHead({ ...shared, parcel, checking, pause, shownProblem, showsFacts });
  const checkpoints = loaded?.history?.checkpoints ?? (parcel.lastEvent === null ? [] : [parcel.lastEvent]);
  const events =
    loaded?.problem != null
      ? [sentence(loaded.problem)]
      : timelineLines({
          ...shared,
          checkpoints,
          viewerZone: zone,
          lastRead: lastReadEvent(parcel, view.openedUnread),
          step: nextStep(parcel, viewing),
          lastMile: parcel.record?.lastMile,
          phraseBook,
        });
  // Until the history is read, it is unknown whether there are events.
  const isLoading = loaded === null && parcel.checkpointCount > 0;
  const noEvents: Line = [{ text: 'No events yet.', tone: 'quiet' }];
  const body = events.length > 0 || isLoading ? events : [noEvents];
  const record = showsFacts ? recordLines(parcel, loaded?.history?.received ?? null, width) : [];
  const gap: readonly Line[] = isCompact && !showsFacts ? [] : [[]];
  const lines = [...head, ...gap, ...body, ...(record.length === 0 ? [] : [[], ...record])];
  const space = view.showsMap ? mapSize(width, size.height - lines.length - 1) : null;
  const map = space === null ? [] : journeyMap(parcel, checkpoints, space);
  return [...lines, ...(map.length === 0 ? [] : [[], ...map])].map(
    (line): Line => [{ text: ' ' }, ...line, { text: ' ' }],
  );
}

/** Returns the summary of a group, shown while its heading is selected. */
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
    [{ text: ` Enter ${isCollapsed ? 'expands' : 'collapses'} the group, Z all groups,`, tone: 'quiet' }],
    [{ text: ' { and } jump between groups.', tone: 'quiet' }],
  ];
}

/** Returns the history of a parcel, or null until it is read. */
export function useHistory(monitor: Monitor, parcel: Parcel | null): LoadedHistory | null {
  const histories = useMemo(() => new HistoryCache(monitor), [monitor]);
  const [, setRead] = useState<LoadedHistory | null>(null);
  useEffect(() => {
    if (parcel === null || histories.isFresh(parcel)) return undefined;
    let isCancelled = false;
    void histories.load(parcel).then((loaded) => {
      if (!isCancelled) setRead(loaded);
    });
    return () => {
      isCancelled = true;
    };
  }, [histories, parcel]);
  return parcel === null ? null : histories.peek(parcel);
}

class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: Key, value: Value): this {
    super.delete(key);
    super.set(key, value);
    const [oldest] = super.keys();
    if (this.size > this.#maxSize && oldest !== undefined) super.delete(oldest);
    return this;
  }
}

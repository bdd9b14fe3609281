import { useEffect, useMemo, useRef, useState } from 'react';
import { createNewsFilters } from '../../board/filter.ts';
import {
  isNewSince,
  type NewsList,
  newsDay,
  newsHeading,
  newsList,
  newsParcel,
  newsRow,
  newsTitle,
  newsWindow,
  seenBeforeRule,
} from '../../board/news-list.ts';
import { timeModeTitle } from '../../board/time.ts';
import { cellWidth } from '../../lib/cells.ts';
import { messageOf } from '../../lib/error-text.ts';
import type { Line } from '../../lib/paint.ts';
import type { Change } from '../../parcels/change.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { Monitor } from '../../polling/monitor.ts';
import type { Board, News, OverlayContent } from '../board.ts';
import { overlayBelowHelp } from '../help/keys.ts';
import { innerSize, type PaneSize, scrollWithin } from '../layout.ts';
import type { UiState } from '../ui-state.ts';

const firstBatch = 500;

interface LoadedLog {
  /** Oldest first. */
  readonly log: readonly Change[];
  readonly isLoading: boolean;
  readonly problem: string | null;
}

const emptyLog: LoadedLog = { log: [], isLoading: false, problem: null };
const noNews: NewsList = { changes: [], newCount: 0, rows: [] };

interface NewsInput extends Pick<Board, 'change' | 'monitor' | 'ui' | 'viewing'> {
  readonly parcels: readonly Parcel[];
  readonly height: number;
}

/** Reads the change log while the news is open, starting with the newest changes, and follows it. */
export function useNews({ change, height, monitor, parcels, ui, viewing }: NewsInput): News {
  const isOpen = overlayBelowHelp(ui) === 'news';
  const isVisible = ui.overlay === 'news';
  const { isLoading, log, problem } = useLog(monitor, isOpen);
  const newest = log.at(-1)?.seq ?? null;
  useEffect(() => {
    if (isVisible && newest !== null) change({ newsSeq: newest });
  }, [change, isVisible, newest]);
  const { marked, newsAfter, newsGrouping, timeMode } = ui;
  const { phraseBook, zone } = viewing;
  const filter = ui.newsFilter.text;
  const isFiltered = isOpen && filter !== '';
  const createFilter = useMemo(
    () => (isFiltered ? createNewsFilters(parcels, phraseBook) : null),
    [isFiltered, parcels, phraseBook],
  );
  const list = useMemo(() => {
    if (!isOpen) return noNews;
    const matching = createFilter === null ? log : log.filter(createFilter(filter, { ...viewing, marked }));
    return newsList(matching, { mode: timeMode, zone }, newsAfter, newsGrouping);
  }, [filter, createFilter, isOpen, log, marked, newsAfter, newsGrouping, timeMode, viewing, zone]);
  const selectedSeq = ui.newsSelected ?? list.changes[0]?.seq ?? null;
  const offset = useRef(0);
  const window = newsWindow(list, selectedSeq, offset.current, height);
  useEffect(() => {
    offset.current = window.offset;
  }, [window.offset]);
  return { ...list, total: log.length, isLoading, problem, selectedSeq, window };
}

function useLog(monitor: Monitor, isOpen: boolean): LoadedLog {
  const [loaded, setLoaded] = useState(emptyLog);
  useEffect(() => {
    if (!isOpen) return;
    let isCancelled = false;
    const addChanges = (changes: readonly Change[], more: Partial<LoadedLog> = {}): void => {
      if (!isCancelled) setLoaded((before) => ({ ...before, ...more, log: mergeChanges(before.log, changes) }));
    };
    const load = async (): Promise<void> => {
      const from = Math.max(0, monitor.changeSeq() - firstBatch);
      addChanges(await monitor.changesAfter(from), { isLoading: from > 0 });
      if (from > 0) addChanges(await monitor.changesAfter(0), { isLoading: false });
    };
    // The log may have been replaced since it was last read.
    setLoaded({ ...emptyLog, isLoading: true });
    const stop = monitor.onChanges((changes) => addChanges(changes));
    load().catch((error: unknown) => addChanges([], { isLoading: false, problem: messageOf(error) }));
    return () => {
      isCancelled = true;
      stop();
    };
  }, [monitor, isOpen]);
  return loaded;
}

/** Merges changes that were read at different times. */
function mergeChanges(before: readonly Change[], more: readonly Change[]): readonly Change[] {
  if (before.length === 0) return more;
  const bySeq = new Map([...before, ...more].map((change) => [change.seq, change]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** Cells of the top edge without the title. */
const edgeCells = 7;

interface NewsSource extends Pick<Board, 'news' | 'viewing'> {
  readonly state: Pick<Board['state'], 'parcels'>;
  readonly ui: Pick<UiState, 'newsAfter' | 'newsFilter' | 'newsGrouping' | 'timeMode'>;
}

export function newsOverlay(source: NewsSource, size: PaneSize): OverlayContent {
  const { news, ui, viewing } = source;
  const { first, last } = news.window;
  const titleRight = timeModeTitle(ui.timeMode === 'utc' ? 'utc' : 'local', viewing.zone);
  const totalText = news.total === news.changes.length ? '' : ` · ${news.total} in all`;
  const texts = {
    title: newsHeading(news.newCount, size.width - edgeCells - cellWidth(titleRight), ui.newsFilter.text),
    titleRight,
    ...(news.changes.length === 0
      ? {}
      : { status: `${first}–${last} of ${news.changes.length}${totalText}${news.isLoading ? ', loading…' : ''}` }),
  };
  const { height, width } = innerSize(size);
  return { texts, lines: newsLines(source, width), scroll: scrollWithin(0, 0, height - 1) };
}

function newsLines({ news, state, ui, viewing }: NewsSource, width: number): readonly Line[] {
  const { parcels } = state;
  const { now, phraseBook, zone } = viewing;
  if (news.problem !== null) return [[{ text: ` ${news.problem}`, tone: 'attention' }]];
  if (news.changes.length === 0) {
    const emptyText =
      news.total === 0 ? 'Nothing has happened yet.' : 'No change matches. Press Esc to clear the filter.';
    return [[{ text: news.isLoading ? ' Loading the changes…' : ` ${emptyText}`, tone: 'quiet' }]];
  }
  return news.window.rows.map((row) => {
    if (row.kind === 'day') return newsDay(row.date, { now, width, zone });
    if (row.kind === 'parcel') return newsParcel(newsTitle(row.newest, parcels), row.count, width);
    if (row.kind === 'seen-before') return seenBeforeRule(width);
    return newsRow(row.change, {
      mode: ui.timeMode,
      phraseBook,
      zone,
      width,
      title: ui.newsGrouping === 'parcel' ? null : newsTitle(row.change, parcels),
      selected: row.change.seq === news.selectedSeq,
      isNew: isNewSince(row.change, ui.newsAfter),
    });
  });
}

import { useEffect, useMemo, useRef, useState } from 'react';
import { type NewsList, newsList } from '../../board/news/news-list.ts';
import type { NewsClock } from '../../board/news/news-time.ts';
import { type NewsWindow, newsWindow } from '../../board/news/news-window.ts';
import type { Monitor } from '../../polling/core/state.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import type { Change as ChangeState } from '../change.ts';
import { type HelpState, openedBesideHelp } from '../help/state.ts';
import type { OverlayState } from '../overlay/state.ts';
import type { BoardServices } from '../services.ts';
import type { TimelineState } from '../timeline/state.ts';
import type { NewsState } from './state.ts';

/** The news as they are shown, as far as they are read. */
export interface News extends NewsList {
  readonly isLoading: boolean;
  /** Why they cannot be read, as a sentence; null when they can. */
  readonly problem: string | null;
  /** Number of the selected line; null when there is none. */
  readonly selectedSeq: number | null;
  readonly window: NewsWindow;
}

/** Lines of the log that are shown before the others are read. */
const firstLines = 500;

interface LoadedLog {
  /** Oldest first. */
  readonly log: readonly Change[];
  readonly isLoading: boolean;
  readonly problem: string | null;
}

const notLoaded: LoadedLog = { log: [], isLoading: false, problem: null };
const noNews: NewsList = { changes: [], since: 0, rows: [] };

/** What the news depend on. */
export interface NewsInput extends Pick<BoardServices, 'monitor' | 'zone'> {
  readonly change: ChangeState<NewsState>;
  readonly ui: HelpState & NewsState & OverlayState & Pick<TimelineState, 'timeMode'>;
  /** Rows of their pane. */
  readonly height: number;
}

/** Reads the change log while the news are open, the newest lines first, and follows it. */
export function useNews({ change, height, monitor, ui, zone }: NewsInput): News {
  const isOpen = openedBesideHelp(ui) === 'news';
  const isInSight = ui.overlay === 'news';
  const { isLoading, log, problem } = useLog(monitor, isOpen);
  const newest = log.at(-1)?.seq ?? null;
  useEffect(() => {
    if (isInSight && newest !== null) change({ newsSeq: newest });
  }, [change, isInSight, newest]);
  const clock = useMemo((): NewsClock => ({ mode: ui.timeMode, zone }), [ui.timeMode, zone]);
  const list = useMemo(
    () => (isOpen ? newsList(log, clock, ui.newsAfter) : noNews),
    [isOpen, log, clock, ui.newsAfter],
  );
  const selectedSeq = ui.newsSelected ?? list.changes[0]?.seq ?? null;
  const offset = useRef(0);
  const window = newsWindow(list, selectedSeq, offset.current, height);
  useEffect(() => {
    offset.current = window.offset;
  }, [window.offset]);
  return { ...list, isLoading, problem, selectedSeq, window };
}

function useLog(monitor: Monitor, isOpen: boolean): LoadedLog {
  const [loaded, setLoaded] = useState(notLoaded);
  useEffect(() => {
    if (!isOpen) return;
    let isWanted = true;
    const take = (changes: readonly Change[], more: Partial<LoadedLog> = {}): void => {
      if (isWanted) setLoaded((before) => ({ ...before, ...more, log: joined(before.log, changes) }));
    };
    const load = async (): Promise<void> => {
      const from = Math.max(0, monitor.changeSeq() - firstLines);
      take(await monitor.changesAfter(from), { isLoading: from > 0 });
      if (from > 0) take(await monitor.changesAfter(0), { isLoading: false });
    };
    // What was read before may have been of a log that is gone.
    setLoaded({ ...notLoaded, isLoading: true });
    const stop = monitor.onChanges((changes) => take(changes));
    load().catch((error: unknown) => take([], { isLoading: false, problem: messageOf(error) }));
    return () => {
      isWanted = false;
      stop();
    };
  }, [monitor, isOpen]);
  return loaded;
}

/** Lines of the log that were read at different times, each once and in order. */
function joined(before: readonly Change[], more: readonly Change[]): readonly Change[] {
  if (before.length === 0) return more;
  const bySeq = new Map([...before, ...more].map((change) => [change.seq, change]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

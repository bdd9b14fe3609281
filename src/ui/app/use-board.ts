import { useCallback, useEffect, useMemo, useReducer, useRef, useSyncExternalStore } from 'react';
import { stageCounts } from '../../board/header/header-counts.ts';
import { pauseReason } from '../../board/header/pause-reason.ts';
import { listWindow, scrolledTo } from '../../board/list/list-window.ts';
import type { Observable } from '../../polling/core/observable.ts';
import type { MonitorState } from '../../polling/core/state.ts';
import { usualStillness } from '../../watchlist/rules/usual-stillness.ts';
import { applyChange } from '../change.ts';
import { mainPaneOf } from '../focus/state.ts';
import { useMessageExpiry, useTakenOver } from '../footer/use-messages.ts';
import { bannerLines, shownPolling } from '../header/banner.ts';
import { openedBesideHelp } from '../help/state.ts';
import { layoutOf, showsTimeline, sizesOf } from '../layout.ts';
import { useMarks } from '../list/marks.ts';
import { listHeight } from '../list/parcel-list.tsx';
import { useList } from '../list/use-list.ts';
import { useAway } from '../news/use-away.ts';
import { useNews } from '../news/use-news.ts';
import { useSilence } from '../notify/use-silence.ts';
import { innerSize } from '../pane/frame.ts';
import { useCouriers, useCouriersInUse } from '../picker/couriers.ts';
import { useApplyAdditions } from '../scan/add-found.ts';
import { useScan } from '../scan/state.ts';
import type { BoardServices } from '../services.ts';
import { useSetup } from '../setup/use-setup.ts';
import type { WindowSize } from '../terminal/window-size.ts';
import { type TimelineView, timelineInSight } from '../timeline/timeline-text.ts';
import { useOpenedUnread, useReading } from '../timeline/use-reading.ts';
import { useTimeline } from '../timeline/use-timeline.ts';
import type { Board } from './board.ts';
import { openedState, useKeptView } from './kept-view.ts';
import { lineEditing } from './keymap.ts';
import { useNextChange } from './use-next-change.ts';
import { useNow, useTickAt } from './use-now.ts';
import { withOverlay } from './with-overlay.ts';

/** Most couriers that the picker lists; nobody scrolls further. */
const mostMatches = 200;

/** What a board is made of, beside what the screen remembers. */
export interface BoardSource extends Pick<Board, 'quit' | 'redraw' | 'copyText'> {
  readonly services: BoardServices;
  readonly size: WindowSize;
  /** Whether the terminal has the focus. */
  readonly terminalFocus: Pick<Observable<boolean>, 'get' | 'subscribe'>;
}

/** Brings together what the core knows and what the screen remembers. */
export function useBoard(source: BoardSource): Board {
  const { services, quit, redraw, copyText, terminalFocus } = source;
  const { clock, monitor, zone } = services;
  const state = useSyncExternalStore(monitor.subscribe, monitor.getState, monitor.getState);
  const [ui, change] = useReducer(applyChange, services, openedState);
  useKeptView(ui, services.keepView);
  useMessageExpiry(clock, ui.message, change);
  useTakenOver(services.news, change);
  const onFocus = useCallback((listener: () => void) => terminalFocus.subscribe(listener), [terminalFocus]);
  const isFocused = useSyncExternalStore(onFocus, () => terminalFocus.get());
  const [now, tick] = useNow(clock, state);
  const { courierList, matches } = usePicker(services, state, ui);
  const scan = useScan(openedBesideHelp(ui) === 'scan' ? ui.scan : null, state, courierList);

  const { parcels } = state;
  const usual = useMemo(() => usualStillness(parcels), [parcels]);
  const viewing = useMemo(() => ({ now, usual, zone }), [now, usual, zone]);
  const ofList = useList(parcels, ui, change, viewing);
  const { around, heading, listed, selected, selection } = ofList;
  const counted = useMemo(() => stageCounts({ parcels, now, zone }), [parcels, now, zone]);
  const marks = useMarks(ui, { parcels, listed, selection });

  const window = useWindow(services, state, ui, source.size);
  const { layout, polling } = window;
  const sizes = sizesOf(layout);

  const listOffset = useRef(0);
  const height = listHeight(sizes.list);
  const offset = scrolledTo(listed.rows, selection.row, listOffset.current, height);
  const list = useMemo(() => listWindow(listed.rows, offset, height), [listed, offset, height]);
  useEffect(() => {
    listOffset.current = list.offset;
  }, [list.offset]);

  const openedUnread = useOpenedUnread(selected);
  const { checking } = state;
  const { timeMode } = ui;
  const shownProblem = state.polling.problem?.message ?? null;
  const inTimeline = innerSize(sizes.timeline);
  const view = useMemo(
    (): TimelineView => ({
      ...viewing,
      checking,
      openedUnread,
      pause: window.pause,
      shownProblem,
      timeMode,
      width: inTimeline.width,
    }),
    [viewing, checking, openedUnread, window.pause, shownProblem, timeMode, inTimeline.width],
  );
  const parcelLines = useTimeline(monitor, selected, around, view);
  const timeline = useMemo(
    () => timelineInSight(parcelLines, heading, ui.timelineOffset, inTimeline.height),
    [parcelLines, heading, ui.timelineOffset, inTimeline.height],
  );

  // What the user opened, else the conversation that sets up.
  const overlayName = ui.overlay ?? (ui.settingUp !== null && ui.picker === null ? 'setup' : null);
  useSetup(services.setupEffects, ui.settingUp, change);
  const isInItsPlace = ui.picker !== null || ui.sortingBefore !== null;
  const isTimelineInSight = overlayName === null && !isInItsPlace && showsTimeline(layout);
  useReading({ change, clock, isTimelineInSight, monitor, selected, isFocused, ui });
  useAway({ ...services, ...window, change, polling: state.polling, isFocused });

  const isFiltered = ui.filter.text !== '' || ui.focus === 'filter';
  const nextChange = useNextChange({
    parcels,
    rows: list.rows,
    isFiltered,
    opened: selected,
    polling,
    now,
    zone,
  });
  useTickAt(clock, nextChange, tick);

  const applyAdditions = useApplyAdditions(services);
  const isSilent = useSilence(services.notificationSwitch);
  const board = {
    ...services,
    quit,
    redraw,
    copyText,
    ...window,
    ...ofList,
    state,
    counted,
    ui,
    change,
    editLine: lineEditing(change),
    isSilent,
    now,
    viewing,
    marks,
    list,
    timeline,
    news: useNews({ change, height: innerSize(sizes.body).height, monitor, ui, zone }),
    courierList,
    matches,
    scan,
    applyAdditions,
  };
  return withOverlay(board, overlayName);
}

/** What of a board follows from its state and its window; the same objects as long as nothing of it changes. */
function useWindow(
  { clockSkew, setup }: Pick<BoardServices, 'clockSkew' | 'setup'>,
  state: MonitorState,
  ui: Board['ui'],
  { columns, rows }: WindowSize,
): Pick<Board, 'banner' | 'columns' | 'layout' | 'pause' | 'polling' | 'rows'> {
  const skewMs = clockSkew();
  const banner = useMemo(
    () => bannerLines({ skewMs, setup, state, columns, rows }),
    [skewMs, setup, state, columns, rows],
  );
  const polling = useMemo(() => shownPolling({ setup }, state), [setup, state]);
  const pane = mainPaneOf(ui.focus);
  const layout = useMemo(
    () => layoutOf(columns, rows, pane, banner.length, ui.zoom),
    [columns, rows, pane, banner.length, ui.zoom],
  );
  return { columns, rows, banner, layout, polling, pause: pauseReason(polling) };
}

/** The couriers, from when one is named on. */
function usePicker(
  { couriers }: BoardServices,
  { parcels }: MonitorState,
  ui: Board['ui'],
): Pick<Board, 'courierList' | 'matches'> {
  const { draft, picker } = ui;
  const namesCourier = picker !== null || openedBesideHelp(ui) === 'scan' || /[@\uFF20]/.test(draft.text);
  const inUse = useCouriersInUse(parcels, namesCourier);
  const courierList = useCouriers(couriers, namesCourier, [...(picker?.likely ?? []), ...inUse]);
  const query = picker?.query.text ?? null;
  const matches = useMemo(
    () => (query === null ? [] : courierList.search(query, mostMatches)),
    [courierList.search, query],
  );
  return { courierList, matches };
}

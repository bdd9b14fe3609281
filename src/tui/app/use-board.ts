import { useCallback, useEffect, useMemo, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { createSearchText } from '../../board/filter.ts';
import { listWindow, scrollToSelection } from '../../board/list/list-rows.ts';
import { sortOrders } from '../../board/list/sort-orders.ts';
import { createPhraseBook } from '../../board/phrase-book.ts';
import { createForecasts, type Forecasts } from '../../board/status/forecast.ts';
import { stageCounts } from '../../board/status/status-now.ts';
import { timeModes } from '../../board/time.ts';
import type { View } from '../../board/views.ts';
import type { Observable } from '../../lib/async.ts';
import { type Clock, type EpochMs, minuteMs, secondMs } from '../../lib/clock.ts';
import { parseInstant, type Zone } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { usualStillness } from '../../parcels/usual-times.ts';
import type { MonitorState } from '../../polling/state.ts';
import type { SavedView, ViewChanges } from '../../store/saved-view.ts';
import { useReports } from '../answers.ts';
import type { Board, BoardServices } from '../board.ts';
import { useCouriers } from '../courier-picker.ts';
import { useMessageExpiry, useSettingMessages } from '../footer.ts';
import { useHeader } from '../header.tsx';
import { overlayBelowHelp } from '../help/keys.ts';
import { computeLayout, innerSize, mainPaneFor, mainPanes, showsTimeline, visibleText } from '../layout.ts';
import { useMarks } from '../list/keys.ts';
import { listHeight, useList } from '../list/parcel-list.tsx';
import { useNews } from '../news/news.ts';
import { useAway, useIsSilent } from '../notify.ts';
import { showFound, useScan } from '../scan/found-numbers.ts';
import { useSetup } from '../setup/setup.ts';
import { initialSetup } from '../setup/state.ts';
import type { WindowSize } from '../terminal/frame-writer.ts';
import { createEdit } from '../text-edit.ts';
import { useOpenedUnread, useReading } from '../timeline/reading.ts';
import { selectedText, useHistory } from '../timeline/timeline.tsx';
import { applyChange, initialUiState, type UiState } from '../ui-state.ts';
import { configuredViews, initialView, useTabs, visibleColumns } from '../views.ts';
import { createEditLine, type KeyedBoard } from './keymap.ts';
import { withOverlay } from './overlay.ts';

/** Returns the time that displayed text refers to. It advances when `news` changes, and with each `tick`. */
function useNow(clock: Clock, news: unknown): readonly [now: EpochMs, tick: () => void] {
  const [ticks, tick] = useReducer((count: number) => count + 1, 0);
  // Not React state, because setting state during rendering would compute everything twice.
  const [current] = useState(() => ({ news, ticks, now: clock.now() }));
  if (current.news !== news || current.ticks !== ticks) Object.assign(current, { news, ticks, now: clock.now() });
  return [current.now, tick];
}

/** Calls `tick` every minute, and every ten seconds in the last minute before the open parcel's next check. */
function useTicks(clock: Clock, now: EpochMs, opened: Parcel | null, tick: () => void): void {
  const remainingMs = (parseInstant(opened?.nextPollAt) ?? now) - now;
  const intervalMs = remainingMs > 0 && remainingMs <= minuteMs ? 10 * secondMs : minuteMs;
  const untilLastMinute = remainingMs > minuteMs ? remainingMs - minuteMs : Number.POSITIVE_INFINITY;
  const next = now + Math.min(intervalMs - (now % intervalMs), untilLastMinute);
  useEffect(() => clock.setTimer(next - now, tick), [clock, now, next, tick]);
}

/**
 * Recomputes forecasts every quarter of an hour and when the number of parcels changes: 10,000 parcels take 30 ms, and
 * one more delivery changes little. Midnight in any zone falls on a quarter of an hour.
 */
function useForecasts(parcels: readonly Parcel[], now: EpochMs, zone: Zone): Forecasts {
  const quarter = Math.floor(now / (15 * minuteMs));
  const [cached] = useState({ count: -1, quarter: -1, zone, forecast: (() => null) as Forecasts });
  if (cached.count !== parcels.length || cached.quarter !== quarter || cached.zone !== zone)
    Object.assign(cached, { count: parcels.length, quarter, zone, forecast: createForecasts(parcels, { now, zone }) });
  return cached.forecast;
}

const maxMatches = 200;

export interface BoardSource extends Pick<KeyedBoard, 'keymap' | 'quit' | 'redraw'> {
  readonly services: BoardServices;
  readonly size: WindowSize;
  readonly terminalFocus: Pick<Observable<boolean>, 'get' | 'subscribe'>;
}

/** The smallest window that shows a map of the journey. */
const minMapWindow = { columns: 140, rows: 40 };

export function useBoard(source: BoardSource): KeyedBoard {
  const { services, keymap, quit, redraw, terminalFocus } = source;
  const { clock, monitor, zone } = services;
  const state = useSyncExternalStore(monitor.subscribe, monitor.getState, monitor.getState);
  const [ui, change] = useReducer(applyChange, services, initialState);
  useSavedView(ui, services.keepView);
  useMessageExpiry(clock, ui.message, change);
  useSettingMessages(services.news, change);
  const onFocus = useCallback((listener: () => void) => terminalFocus.subscribe(listener), [terminalFocus]);
  const isFocused = useSyncExternalStore(onFocus, () => terminalFocus.get());
  const [now, tick] = useNow(clock, state);
  const { courierList, matches } = usePicker(services, state, ui);
  const scan = useScan(overlayBelowHelp(ui) === 'scan' ? ui.scan : null, state, courierList);

  const { parcels } = state;
  const usual = useMemo(() => usualStillness(parcels), [parcels]);
  const forecast = useForecasts(parcels, now, zone);
  const { phrases } = services;
  const phraseBook = useMemo(() => (ui.isInEnglish ? createPhraseBook(phrases) : null), [ui.isInEnglish, phrases]);
  const viewing = useMemo(() => ({ forecast, now, phraseBook, usual, zone }), [forecast, now, phraseBook, usual, zone]);
  const views = configuredViews(services);
  const chosenColumns = useMemo(() => visibleColumns(views, ui), [views, ui]);
  const searchText = useMemo(() => createSearchText(viewing), [viewing]);
  const listParts = useList(parcels, ui, change, viewing, { chosenColumns, searchText });
  const tabs = useTabs(views, parcels, ui, viewing, searchText);
  const { listed, selected, selection } = listParts;
  const counted = useMemo(() => stageCounts({ parcels, now, zone }), [parcels, now, zone]);
  const marks = useMarks(ui, parcels, listParts);

  const { columns, rows } = source.size;
  const header = useHeader(services, state, source.size);
  const bannerRows = header.banner.length;
  const pane = mainPaneFor(ui.focus);
  const layout = useMemo(
    () => computeLayout(columns, rows, pane, bannerRows, ui.zoom),
    [columns, rows, pane, bannerRows, ui.zoom],
  );

  const listOffset = useRef(0);
  const lastWheelScroll = useRef(ui.wheelScroll);
  const height = listHeight(layout.list);
  const previousOffset =
    ui.wheelScroll === lastWheelScroll.current ? listOffset.current : (ui.wheelScroll?.offset ?? 0);
  const offset = scrollToSelection(listed.rows, selection.row, previousOffset, height);
  const list = useMemo(() => listWindow(listed.rows, offset, height), [listed, offset, height]);
  useEffect(() => {
    listOffset.current = list.offset;
    lastWheelScroll.current = ui.wheelScroll;
  }, [list.offset, ui.wheelScroll]);

  const lines = selectedText(listParts, useHistory(monitor, selected), {
    ...viewing,
    checking: state.checking,
    openedUnread: useOpenedUnread(selected),
    pause: header.pause,
    shownProblem: state.polling.problem?.message ?? null,
    showsFacts: ui.showsFacts,
    showsMap: services.glyphs !== 'ascii' && columns >= minMapWindow.columns && rows >= minMapWindow.rows,
    size: innerSize(layout.timeline),
    timeMode: ui.timeMode,
  });
  const timeline = visibleText(lines, ui.timelineOffset, innerSize(layout.timeline).height);

  // An overlay that the user opened hides setup.
  const overlayName = ui.overlay ?? (ui.setupState !== null && ui.picker === null ? 'setup' : null);
  useSetup(services.setupEffects, ui.setupState, change);
  const isTimelineCovered = ui.picker !== null || ui.previousSorting !== null || ui.columnMenu !== null;
  const isTimelineVisible = overlayName === null && !isTimelineCovered && showsTimeline(layout);
  useReading({ change, clock, isTimelineVisible, monitor, selected, isFocused, ui });
  useAway({ ...services, columns, change, polling: state.polling, isFocused });

  useTicks(clock, now, selected, tick);

  const isSilent = useIsSilent(services.notificationSwitch);
  const board = {
    ...services,
    keymap,
    quit,
    redraw,
    columns,
    rows,
    layout,
    ...header,
    ...listParts,
    chosenColumns,
    tabs,
    state,
    counted,
    ui,
    change,
    editLine: createEditLine(change),
    isSilent,
    now,
    viewing,
    marks,
    list,
    timeline,
    news: useNews({ change, height: innerSize(layout.body).height, monitor, parcels, ui, viewing }),
    courierList,
    matches,
    scan,
    ...useReports(ui, parcels, viewing),
  };
  return withOverlay(board, overlayName);
}

function usePicker(
  { couriers }: BoardServices,
  { parcels }: MonitorState,
  ui: Board['ui'],
): Pick<Board, 'courierList' | 'matches'> {
  const { draft, picker } = ui;
  const namesCourier =
    picker !== null ||
    ui.helpQuery.text.startsWith(':courier') ||
    overlayBelowHelp(ui) === 'scan' ||
    /[@\uFF20]/.test(draft.text);
  const usedCodes = useMemo(() => new Set(parcels.flatMap(({ courierCode }) => courierCode ?? [])), [parcels]);
  const courierList = useCouriers(couriers, namesCourier, [...(picker?.likely ?? []), ...usedCodes]);
  const query = picker?.query.text ?? null;
  const matches = useMemo(
    () => (query === null ? [] : courierList.search(query, maxMatches)),
    [courierList.search, query],
  );
  return { courierList, matches };
}

/** Returns the initial state from the saved view. Unknown values are ignored. */
function restoreUi(view: SavedView, views: readonly View[]): UiState {
  const zoomed = mainPanes.find((pane) => pane === view.zoomedPane);
  const order = sortOrders.find((name) => name === view.order);
  const restored: UiState = {
    ...initialUiState,
    ...(zoomed === undefined ? {} : { zoom: true, focus: zoomed }),
    ...(order === undefined ? {} : { sorting: { order, isReversed: view.isReversed } }),
    ...(view.collapsed === null ? {} : { collapsed: view.collapsed }),
    filter: createEdit(view.filter),
    selectedId: view.selectedId,
    listed: view.listed,
    newsSeq: view.newsSeq,
    entered: view.entered,
    isInEnglish: view.isInEnglish,
    timeMode: timeModes.find((mode) => mode === view.timeMode) ?? initialUiState.timeMode,
  };
  return { ...restored, ...initialView(views, view, restored) };
}

const initialState = (services: BoardServices): UiState => ({
  ...restoreUi(services.view, configuredViews(services)),
  setupState: initialSetup(services),
  ...(services.initialScan === undefined ? {} : showFound(services.initialScan)),
});

function savedViewFrom(ui: UiState): ViewChanges {
  const { collapsed, entered, forgotten, isInEnglish, listed, newsSeq, selectedId, timeMode } = ui;
  return {
    order: ui.sorting.order,
    isReversed: ui.sorting.isReversed,
    filter: ui.filter.text,
    view: ui.viewName,
    columns: ui.columnsByView,
    zoomedPane: ui.zoom === true ? mainPaneFor(ui.focus) : null,
    collapsed,
    entered,
    forgotten,
    isInEnglish,
    listed,
    newsSeq,
    selectedId,
    timeMode,
  };
}

/** Saves the changed parts of the view. */
function useSavedView(ui: UiState, keepView: (changes: ViewChanges) => void): void {
  const saved = useRef<ViewChanges | null>(null);
  useEffect(() => {
    const view = savedViewFrom(ui);
    const previousView = saved.current ?? view;
    saved.current = view;
    const fields = Object.keys(view) as (keyof ViewChanges)[];
    const changed = fields.filter((field) => !Object.is(view[field], previousView[field]));
    if (changed.length > 0) keepView(Object.fromEntries(changed.map((field) => [field, view[field]])));
  }, [ui, keepView]);
}

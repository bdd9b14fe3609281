import { createFilter } from '../../board/filter/create-filter.ts';
import { pauseReason } from '../../board/header/pause-reason.ts';
import { type Arrangement, filtered } from '../../board/list/arrange.ts';
import { ListRows } from '../../board/list/list-rows.ts';
import { listWindow, scrolledTo } from '../../board/list/list-window.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { BoardServices, SeenBoard } from '../board.ts';
import { bannerLines, shownPolling } from '../header/header-lines.ts';
import { openedUi } from '../kept-view.ts';
import { layoutOf, sizesOf } from '../layout.ts';
import { collapsedGroups } from '../list/collapse.ts';
import type { KeptList } from '../list/kept-list.ts';
import type { KeptRows } from '../list/kept-rows.ts';
import { listHeight } from '../list/list-height.ts';
import { effectiveSelection, type SelectedInList, selectedIn } from '../list/state.ts';
import { effectiveMarks } from '../marks/state.ts';
import { openedUnread } from '../news/opened-unread.ts';
import { showFound } from '../scan/state.ts';
import { setupAtFirst } from '../setup/setup-at-first.ts';
import { mainPaneOf, type UiState } from '../state.ts';
import type { WindowSize } from '../terminal/window-size.ts';
import type { HistoryCache } from '../timeline/history-cache.ts';
import { timelineInSight } from '../timeline/timeline-pane.ts';
import { noTimeline, TimelineTexts, timelineView } from '../timeline/timeline-text.ts';
import type { SeenNews } from '../use-now.ts';

/** A frame that was drawn before Ink was there, as far as Ink's first one has to begin with the same. */
export interface OpenedFrame {
  readonly seen: SeenNews;
  readonly histories: HistoryCache;
  readonly list: OpenedList;
  /** What that was computed with. */
  readonly kept: KeptList;
  /** The rows of the list that have been written. */
  readonly keptRows: KeptRows;
}

/** What decides how the screen opens. */
type OpeningServices = Pick<
  BoardServices,
  'foundAlready' | 'monitor' | 'opensSetup' | 'seenAhead' | 'setup' | 'setupEffects' | 'view'
>;

/**
 * The screen as it opens: as it was seen already, else as it was left, behind the conversation that sets it up where nothing is
 * set up or somebody wants to.
 */
export const openedState = (services: OpeningServices): UiState =>
  services.seenAhead?.ui ?? {
    ...openedUi(services.view),
    settingUp: setupAtFirst(services),
    ...(services.foundAlready === undefined ? {} : showFound(services.foundAlready)),
  };

/** What the board opens with: its list, and what is selected in it. */
export interface OpenedList
  extends SelectedInList,
    Pick<
      SeenBoard,
      'arrangement' | 'counted' | 'listed' | 'needs' | 'now' | 'selection' | 'state' | 'ui' | 'usual' | 'zone'
    > {
  /** Rows above the window, as far as the selection lets them be. */
  readonly offset: number;
}

/** The list as the board opens, behind the help where that is open; null where another text stands in its place. */
export function openedList(
  services: OpeningServices & Pick<BoardServices, 'zone'>,
  now: EpochMs,
  kept: KeptList,
): OpenedList | null {
  const { monitor, zone } = services;
  const ui = openedState(services);
  if (ui.settingUp !== null || !(ui.overlay === null || ui.overlay === 'help')) return null;
  const state = monitor.getState();
  const { parcels } = state;
  const filter = ui.filter.text;
  const viewing = { now, usual: kept.usual(parcels), zone };
  const all = kept.arrangement.arrange({ parcels, now, zone, sorting: ui.sorting, listed: ui.listed });
  const arrangement = filter === '' ? all : filtered(all, createFilter(filter, viewing));
  const list = listOf(arrangement, ui);
  return {
    ...viewing,
    offset: Math.max(0, list.selection.row - (services.seenAhead?.rowsAbove ?? Number.POSITIVE_INFINITY)),
    counted: kept.counts.count({ parcels, now, zone }),
    needs: kept.needs(parcels, all, ui.listed, viewing),
    state,
    ui,
    ...list,
  };
}

/** The rows of an arrangement, and what is selected of them. */
export function listOf(
  arrangement: Arrangement,
  ui: UiState,
): Pick<OpenedList, 'arrangement' | 'listed' | 'selection'> & SelectedInList {
  const listed = { arrangement, rows: new ListRows(arrangement, collapsedGroups(ui, ui.filter.text)) };
  const selection = effectiveSelection(listed, ui);
  return { arrangement, listed, selection, ...selectedIn(listed, selection) };
}

/** The board as it opens in a window. */
export function openedBoard(
  services: BoardServices,
  list: OpenedList,
  histories: HistoryCache,
  size: WindowSize,
): SeenBoard {
  const { heading, listed, selected, selection, state, ui } = list;
  const window = windowOf(services, state, ui, size);
  const { layout } = window;
  const height = listHeight(sizesOf(layout).list);
  const view = timelineView({ ...list, ...window }, openedUnread(null, selected));
  const lines = selected === null ? noTimeline : new TimelineTexts().of(selected, histories.peek(selected), view);
  return {
    ...services,
    ...list,
    ...window,
    list: listWindow(listed.rows, scrolledTo(listed.rows, selection.row, list.offset, height), height),
    marks: effectiveMarks(ui, { known: [], listed: 0, range: [] }),
    timeline: timelineInSight({ heading, layout, ui }, lines),
    overlay: null,
    scan: null,
    isSilent: services.notificationSwitch?.isSilent() ?? false,
  };
}

/** What of a board follows from its state and its window. */
export function windowOf(
  { clockSkew, setup }: Pick<BoardServices, 'clockSkew' | 'setup'>,
  state: SeenBoard['state'],
  ui: UiState,
  { columns, rows }: WindowSize,
): Pick<SeenBoard, 'banner' | 'columns' | 'layout' | 'pause' | 'polling' | 'rows'> {
  const banner = bannerLines({ clockSkew, setup, state, columns, rows });
  const polling = shownPolling({ setup }, state);
  const layout = layoutOf(columns, rows, mainPaneOf(ui.focus), banner.length, ui.zoom);
  return { columns, rows, banner, layout, polling, pause: pauseReason(polling) };
}

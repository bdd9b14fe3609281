import { useEffect, useMemo, useReducer, useRef } from 'react';
import { askingRest } from '../board/header/pause-reason.ts';
import { type Arrangement, arrange } from '../board/list/arrange.ts';
import type { ListView } from '../board/list/list-scroll.ts';
import type { Line } from '../board/text/line.ts';
import { nextBoardChange } from '../board/time/next-change.ts';
import type { MonitorState } from '../polling/core/state.ts';
import type { Courier } from '../service/record/record.ts';
import type { Parcel } from '../watchlist/model/parcel.ts';
import type { ActionScope } from './action-scope.ts';
import type { BoardContext } from './board-options.ts';
import { detailLines } from './details/details.tsx';
import { setupLines } from './details/setup-text.ts';
import { useMessageExpiry } from './footer/use-message-expiry.ts';
import { bannerLines, boardDetails, shownPolling } from './header/header.ts';
import { helpLines } from './help/help-text.ts';
import { type Layout, layoutOf } from './layout.ts';
import { effectiveSelection, type Selection } from './list/selection.ts';
import {
  innerSize,
  listPaneView,
  type ScrolledLines,
  scrollLines,
  timelineText,
  type ViewContext,
} from './pane/pane-view.ts';
import { type LoadedCouriers, useCouriers } from './picker/use-couriers.ts';
import { initialUiState, keyContextOf, reduceUi, type UiState } from './state.ts';
import type { Theme } from './theme.ts';
import { useHistory } from './timeline/use-history.ts';
import { useMonitor } from './use-monitor.ts';
import { useNow, useTickAt } from './use-now.ts';

/** Most couriers that the picker lists; nobody scrolls further. */
const mostMatches = 200;

/** The board as it is to be drawn. */
export interface BoardView extends ActionScope {
  readonly state: MonitorState;
  readonly ui: UiState;
  readonly layout: Layout;
  readonly context: ViewContext;
  readonly banner: readonly Line[];
  readonly arrangement: Arrangement;
  readonly selection: Selection;
  readonly selected: Parcel | null;
  readonly list: ListView;
  readonly timeline: ScrolledLines;
  /** Text of the open overlay or of the set-up; null when there is none. */
  readonly overlay: ScrolledLines | null;
  readonly couriers: LoadedCouriers;
  readonly matches: readonly Courier[];
}

const noSize = { width: 0, height: 0 };

/** Brings together what the core knows and what the screen remembers. */
export function useBoard(board: BoardContext, theme: Theme, columns: number, rows: number): BoardView {
  const { clock, monitor, zone } = board;
  const state = useMonitor(monitor);
  const [ui, dispatch] = useReducer(reduceUi, { ...initialUiState, timeMode: board.timeMode });
  useMessageExpiry(clock, ui.message, dispatch);
  const [now, tick] = useNow(clock, state);
  const couriersInUse = useMemo(
    () => [...new Set(state.parcels.map((parcel) => parcel.courierCode).filter((code) => code !== null))],
    [state.parcels],
  );
  const namesCourier = ui.picker !== null || /[@\uFF20]/.test(ui.draft.text);
  const couriers = useCouriers(board.couriers, namesCourier, couriersInUse);
  const matches = useMemo(
    () => (ui.picker === null ? [] : couriers.search(ui.picker.query, mostMatches)),
    [couriers.search, ui.picker],
  );

  const filter = ui.filter.text;
  const arrangement = useMemo(
    () => arrange({ parcels: state.parcels, filter, now, zone }),
    [state.parcels, filter, now, zone],
  );
  const order = useMemo(() => arrangement.order.map((parcel) => parcel.id), [arrangement]);
  const selection = effectiveSelection(order, ui.selectedId, ui.selectedIndex);
  const selected = arrangement.order[selection.index] ?? null;
  const neighbours = [arrangement.order[selection.index + 1], arrangement.order[selection.index - 1]].filter(
    (parcel) => parcel !== undefined,
  );
  const history = useHistory(monitor, selected, neighbours);

  const banner = bannerLines(board, state, { columns, rows }, theme);
  const layout = layoutOf(columns, rows, ui.focus === 'timeline' ? 'timeline' : 'list', banner.length);
  const sizes = layout.kind === 'too-small' ? { list: noSize, timeline: noSize, body: noSize } : layout;
  const context: ViewContext = {
    now,
    zone,
    theme,
    asking: state.asking,
    rest: askingRest(shownPolling(board, state)),
    told: state.polling.problem?.message ?? null,
  };

  const listOffset = useRef(0);
  const list = listPaneView(arrangement, selection.parcelId, listOffset.current, sizes.list, context);
  useEffect(() => {
    listOffset.current = list.offset;
  }, [list.offset]);

  const timelineSource = timelineText(selected, history, ui.timeMode, sizes.timeline, context);
  const timeline = scrollLines(timelineSource, ui.timelineOffset, innerSize(sizes.timeline).height);

  const inner = innerSize(sizes.body);
  const overlayText = overlayLines(board, state, ui, inner.width, theme);
  const overlay = overlayText === null ? null : scrollLines(overlayText, ui.overlayOffset, inner.height);

  const visible = new Set(list.lines.map((line) => line.parcelId));
  const nextChange = nextBoardChange({
    parcels: arrangement.order.filter((parcel) => visible.has(parcel.id)),
    counted: state.parcels,
    opened: selected,
    polling: state.polling,
    now,
    zone,
  });
  useTickAt(clock, nextChange, tick);

  return {
    board,
    state,
    ui,
    dispatch,
    monitor,
    layout,
    context,
    banner,
    arrangement,
    selection,
    selected,
    list,
    timeline,
    overlay,
    couriers,
    matches,
  };
}

/** The text of the open overlay, or that of the set-up in its place while there is nothing to list; null when there is none. */
function overlayLines(
  board: BoardContext,
  state: MonitorState,
  ui: UiState,
  width: number,
  theme: Theme,
): readonly Line[] | null {
  const { setup } = board;
  if (ui.overlay === 'help') return helpLines(width, ui.focus, theme.glyphs);
  const steps = setup.kind === 'not-set-up' ? setupLines(setup, width) : null;
  if (ui.overlay === null) return state.parcels.length === 0 && ui.picker === null ? steps : null;
  const details = detailLines(boardDetails(board, state), width);
  return steps === null ? details : [...steps, [], ...details];
}

/** Offset in force, last offset and rows of what the movement keys move. */
export function scrollOf(view: BoardView): { readonly offset: number; readonly last: number; readonly rows: number } {
  const { layout, list, overlay, timeline, ui } = view;
  if (layout.kind === 'too-small') return { offset: 0, last: 0, rows: 1 };
  const context = keyContextOf(ui);
  const isOverBody = context === 'help' || context === 'details' || context === 'list' || context === 'timeline';
  const overBody = isOverBody ? overlay : null;
  const scrolled = overBody ?? (context === 'timeline' ? timeline : null);
  if (scrolled !== null) {
    const rows = innerSize(overBody === null ? layout.timeline : layout.body).height;
    return { offset: scrolled.offset, last: Math.max(0, scrolled.total - rows), rows };
  }
  return { offset: list.offset, last: 0, rows: innerSize(context === 'picker' ? layout.timeline : layout.list).height };
}

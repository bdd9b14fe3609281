import { useEffect, useRef } from 'react';
import { sortOrders } from '../../board/list/sort-orders.ts';
import { timeModes } from '../../board/time/checkpoint-time.ts';
import type { View } from '../../board/views.ts';
import type { SavedView, ViewChanges } from '../../store/saved-view.ts';
import type { BoardServices } from '../board.ts';
import { editOf } from '../field/text-edit.ts';
import { mainPaneOf, mainPanes } from '../layout.ts';
import { showFound } from '../scan/state.ts';
import { setupAtFirst } from '../setup/state.ts';
import { initialUiState, type UiState } from '../ui-state.ts';
import { viewAtFirst, viewsOf } from '../views/state.ts';

/** Returns the initial state from the saved view. Unknown values are ignored. */
function restoredUi(view: SavedView, views: readonly View[]): UiState {
  const zoomed = mainPanes.find((pane) => pane === view.zoomedPane);
  const order = sortOrders.find((name) => name === view.order);
  const shown: UiState = {
    ...initialUiState,
    ...(zoomed === undefined ? {} : { zoom: true, focus: zoomed }),
    ...(order === undefined ? {} : { sorting: { order, isReversed: view.isReversed } }),
    ...(view.collapsed === null ? {} : { collapsed: view.collapsed }),
    filter: editOf(view.filter),
    selectedId: view.selectedId,
    listed: view.listed,
    newsSeq: view.newsSeq,
    entered: view.entered,
    isInEnglish: view.isInEnglish,
    timeMode: timeModes.find((mode) => mode === view.timeMode) ?? initialUiState.timeMode,
  };
  return { ...shown, ...viewAtFirst(views, view, shown) };
}

type OpeningServices = Pick<
  BoardServices,
  'alreadyFound' | 'monitor' | 'opensSetup' | 'setup' | 'setupEffects' | 'view' | 'views'
>;

export const openedState = (services: OpeningServices): UiState => ({
  ...restoredUi(services.view, viewsOf(services)),
  settingUp: setupAtFirst(services),
  ...(services.alreadyFound === undefined ? {} : showFound(services.alreadyFound)),
});

function savedViewFrom(ui: UiState): ViewChanges {
  const { collapsed, entered, forgotten, isInEnglish, listed, newsSeq, selectedId, timeMode } = ui;
  return {
    order: ui.sorting.order,
    isReversed: ui.sorting.isReversed,
    filter: ui.filter.text,
    view: ui.viewName,
    columns: ui.columnsByView,
    zoomedPane: ui.zoom === true ? mainPaneOf(ui.focus) : null,
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
export function useSavedView(ui: UiState, keepView: (changes: ViewChanges) => void): void {
  const kept = useRef<ViewChanges | null>(null);
  useEffect(() => {
    const view = savedViewFrom(ui);
    const before = kept.current ?? view;
    kept.current = view;
    const fields = Object.keys(view) as (keyof ViewChanges)[];
    const changed = fields.filter((field) => !Object.is(view[field], before[field]));
    if (changed.length > 0) keepView(Object.fromEntries(changed.map((field) => [field, view[field]])));
  }, [ui, keepView]);
}

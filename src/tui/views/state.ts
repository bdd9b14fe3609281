import { isDeepStrictEqual } from 'node:util';
import { useMemo } from 'react';
import { columnNamed, type ParcelColumn } from '../../board/columns.ts';
import { type ViewTab, viewCounts } from '../../board/view-tabs.ts';
import { builtInViews, isShownAs, shownAs, unfilteredView, type View, viewNamed } from '../../board/views.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { SavedView } from '../../store/saved-view.ts';
import type { Board } from '../board.ts';
import { editOf, emptyEdit } from '../field/text-edit.ts';
import type { ColumnChoice, UiState } from '../ui-state.ts';

type Viewed = Pick<UiState, 'filter' | 'sorting' | 'viewName'>;

/** The views in the order of their tabs. */
export const viewsOf = ({ views }: Pick<Board, 'views'>): readonly View[] => views ?? builtInViews;

export const currentView = (views: readonly View[], { viewName }: Pick<UiState, 'viewName'>): View | undefined =>
  viewName === null ? undefined : viewNamed(views, viewName);

export const isChanged = (view: View, { filter, sorting }: Viewed): boolean =>
  !isShownAs(view, { filter: filter.text, sorting });

/** Applies a view to the list. Its columns are looked up by its name. */
export function openedView(view: View): Partial<UiState> {
  const { filter, sorting } = shownAs(view);
  return {
    viewName: view.name,
    filter: editOf(filter),
    sorting,
    collapsedInFilter: collapsedInView(view),
    focus: 'list',
    listed: 'watched',
    selectedIndex: 0,
    timelineOffset: 0,
  };
}

const collapsedInView = ({ collapsed, filter = '' }: View): UiState['collapsedInFilter'] =>
  collapsed === undefined ? null : { filter, groups: collapsed };

/**
 * Resets the filter to that of the view, or opens the first view without a filter. Returns null if there is no filter.
 */
export function withoutFilter(views: readonly View[], ui: Viewed): Partial<UiState> | null {
  const own = currentView(views, ui)?.filter ?? '';
  if (ui.filter.text.trim() !== own.trim()) return { filter: editOf(own) };
  if (own === '') return null;
  const all = unfilteredView(views);
  return all === undefined ? { filter: emptyEdit } : openedView(all);
}

/** Returns the view that the board starts with: the last one, or one with the same filter and order. */
export function viewAtFirst(
  views: readonly View[],
  { columns, view: name }: Pick<SavedView, 'columns' | 'view'>,
  ui: Pick<UiState, 'filter' | 'sorting'>,
): Pick<UiState, 'collapsedInFilter' | 'columnsByView' | 'viewName'> {
  const shown = { filter: ui.filter.text, sorting: ui.sorting };
  const last = name === null ? undefined : viewNamed(views, name);
  const view = last ?? views.find((one) => isShownAs(one, shown)) ?? unfilteredView(views);
  const columnsOf = (names: readonly string[]): readonly ParcelColumn[] =>
    names.map(columnNamed).filter((column) => column !== null);
  return {
    viewName: view?.name ?? null,
    collapsedInFilter: view === undefined ? null : collapsedInView(view),
    columnsByView: Object.fromEntries(
      Object.entries(columns).map(([of, { chosen, instead }]) => [
        of,
        { chosen: columnsOf(chosen), instead: columnsOf(instead) },
      ]),
    ),
  };
}

/** Returns the columns that the user last chose for the current view, or null for the default ones. */
export function shownColumns(
  views: readonly View[],
  { columnsByView, viewName }: Pick<UiState, 'columnsByView' | 'viewName'>,
): readonly ParcelColumn[] | null {
  const ofView = currentView(views, { viewName })?.columns ?? [];
  const own = Object.hasOwn(columnsByView, viewName ?? '') ? columnsByView[viewName ?? ''] : undefined;
  // If the view's columns have changed since, they apply again.
  const columns = own !== undefined && isDeepStrictEqual(own.instead, ofView) ? own.chosen : ofView;
  return columns.length === 0 ? null : columns;
}

/** Returns the chosen columns in order. Empty for the default ones. */
export const chosenIn = ({ isUsual, names, shown }: ColumnChoice): readonly ParcelColumn[] =>
  isUsual ? [] : names.filter((name) => shown.has(name));

/** Returns the columns in the open menu, or {@link shownColumns}. */
export function columnsNow(views: readonly View[], ui: UiState): readonly ParcelColumn[] | null {
  if (ui.choosing === null) return shownColumns(views, ui);
  const columns = chosenIn(ui.choosing);
  return columns.length === 0 ? null : columns;
}

/** Sets the columns of the current view. Empty for the default ones. */
export const withColumns =
  (views: readonly View[], chosen: readonly ParcelColumn[]) =>
  ({ columnsByView, viewName }: UiState): Partial<UiState> => ({
    columnsByView: {
      ...columnsByView,
      [viewName ?? '']: { chosen, instead: currentView(views, { viewName })?.columns ?? [] },
    },
  });

const noMarks: ReadonlySet<string> = new Set();

/** @param textOf returns the text of a parcel that filters search */
export function useTabs(
  views: readonly View[],
  parcels: readonly Parcel[],
  { filter, marked, sorting, viewName }: UiState,
  viewing: Board['viewing'],
  textOf: (parcel: Parcel) => string,
): readonly ViewTab[] {
  const dependsOnMarks = views.some((view) => /\bis:m/i.test(view.filter ?? ''));
  const counted = dependsOnMarks ? marked : noMarks;
  const counts = useMemo(
    () => viewCounts(views, parcels, { ...viewing, marked: counted }, textOf),
    [views, parcels, viewing, counted, textOf],
  );
  return useMemo(() => {
    const current = currentView(views, { viewName });
    return views.map((view, index) => ({
      name: view.name,
      count: counts[index] ?? 0,
      isCurrent: view === current,
      isChanged: view === current && isChanged(view, { filter, sorting, viewName }),
    }));
  }, [views, counts, filter, sorting, viewName]);
}

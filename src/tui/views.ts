import { isDeepStrictEqual } from 'node:util';
import { useMemo } from 'react';
import { findColumn, type ParcelColumn } from '../board/columns.ts';
import { initiallyCollapsed } from '../board/list/arrange.ts';
import { type ViewTab, viewCounts } from '../board/view-tabs.ts';
import {
  builtInViews,
  findView,
  knownViews,
  matchesView,
  orderName,
  unfilteredView,
  type View,
  viewState,
} from '../board/views.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { SavedView } from '../store/saved-view.ts';
import type { Board } from './board.ts';
import { runWithStatus, showMessage, showProblem } from './footer.ts';
import type { Binding } from './keys/binding.ts';
import { collapsedGroups } from './list/state.ts';
import { createEdit, emptyEdit } from './text-edit.ts';
import type { ColumnMenuState, UiState } from './ui-state.ts';

type Viewed = Pick<UiState, 'filter' | 'sorting' | 'viewName'>;

/** The views in the order of their tabs. */
export const configuredViews = ({ views }: Pick<Board, 'views'>): readonly View[] => views ?? builtInViews;

export const currentView = (views: readonly View[], { viewName }: Pick<UiState, 'viewName'>): View | undefined =>
  viewName === null ? undefined : findView(views, viewName);

/** Returns the state that shows a view. Its columns are looked up by its name. */
function openView(view: View): Partial<UiState> {
  const { filter, sorting } = viewState(view);
  return {
    viewName: view.name,
    filter: createEdit(filter),
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
export function clearFilter(views: readonly View[], ui: Viewed): Partial<UiState> | null {
  const viewFilter = currentView(views, ui)?.filter ?? '';
  if (ui.filter.text.trim() !== viewFilter.trim()) return { filter: createEdit(viewFilter) };
  if (viewFilter === '') return null;
  const all = unfilteredView(views);
  return all === undefined ? { filter: emptyEdit } : openView(all);
}

/** Returns the view that the board opens with: the last one, or one with the same filter and order. */
export function initialView(
  views: readonly View[],
  { columns, view: name }: Pick<SavedView, 'columns' | 'view'>,
  ui: Pick<UiState, 'filter' | 'sorting'>,
): Pick<UiState, 'collapsedInFilter' | 'columnsByView' | 'viewName'> {
  const shown = { filter: ui.filter.text, sorting: ui.sorting };
  const last = name === null ? undefined : findView(views, name);
  const view = last ?? views.find((candidate) => matchesView(candidate, shown)) ?? unfilteredView(views);
  const toColumns = (names: readonly string[]): readonly ParcelColumn[] =>
    names.map(findColumn).filter((column) => column !== null);
  return {
    viewName: view?.name ?? null,
    collapsedInFilter: view === undefined ? null : collapsedInView(view),
    columnsByView: Object.fromEntries(
      Object.entries(columns).map(([viewName, { chosen, instead }]) => [
        viewName,
        { chosen: toColumns(chosen), instead: toColumns(instead) },
      ]),
    ),
  };
}

/** Returns the columns that the user last chose for the current view, or null for the default ones. */
export function currentColumns(
  views: readonly View[],
  { columnsByView, viewName }: Pick<UiState, 'columnsByView' | 'viewName'>,
): readonly ParcelColumn[] | null {
  const ofView = currentView(views, { viewName })?.columns ?? [];
  const override = Object.hasOwn(columnsByView, viewName ?? '') ? columnsByView[viewName ?? ''] : undefined;
  // If the view's own columns were changed since, they apply again.
  const columns = override !== undefined && isDeepStrictEqual(override.instead, ofView) ? override.chosen : ofView;
  return columns.length === 0 ? null : columns;
}

/** Returns the chosen columns in order. Empty for the default ones. */
export const selectedColumns = ({ usesDefaultColumns, names, shown }: ColumnMenuState): readonly ParcelColumn[] =>
  usesDefaultColumns ? [] : names.filter((name) => shown.has(name));

/** Returns the columns in the open menu, or {@link currentColumns}. */
export function visibleColumns(views: readonly View[], ui: UiState): readonly ParcelColumn[] | null {
  if (ui.columnMenu === null) return currentColumns(views, ui);
  const columns = selectedColumns(ui.columnMenu);
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

/** @param textOf returns the searchable text of a parcel */
export function useTabs(
  views: readonly View[],
  parcels: readonly Parcel[],
  { filter, marked, sorting, viewName }: UiState,
  viewing: Board['viewing'],
  textOf: (parcel: Parcel) => string,
): readonly ViewTab[] {
  const dependsOnMarks = views.some((view) => /\bis:m/i.test(view.filter ?? ''));
  const relevantMarks = dependsOnMarks ? marked : noMarks;
  const counts = useMemo(
    () => viewCounts(views, parcels, { ...viewing, marked: relevantMarks }, textOf),
    [views, parcels, viewing, relevantMarks, textOf],
  );
  return useMemo(() => {
    const current = currentView(views, { viewName });
    return views.map((view, index) => ({
      name: view.name,
      count: counts[index] ?? 0,
      isCurrent: view === current,
      isChanged: view === current && !matchesView(view, { filter: filter.text, sorting }),
    }));
  }, [views, counts, filter, sorting, viewName]);
}

const viewNames = (board: Board): readonly string[] => knownViews(configuredViews(board)).map(({ name }) => name);

/** Runs the palette command `:view`, which shows, saves or deletes a view. */
function runCommand(board: Board, argument: string): void {
  const [, verb = '', rest = ''] = /^(save|delete)(?:\s+(.*))?$/is.exec(argument) ?? [];
  const name = rest.trim() || (board.ui.viewName ?? '');
  if (verb === '') showView(board, argument);
  else if (name === '') showProblem(board, `Type :view ${verb} and a name.`);
  else if (verb.toLowerCase() === 'save') saveView(board, name);
  else deleteView(board, name);
}

function showView(board: Board, name: string): void {
  const view = findView(knownViews(configuredViews(board)), name);
  if (view === undefined) showProblem(board, `There is no view "${name}". Use: ${viewNames(board).join(', ')}.`);
  else {
    board.change(openView(view));
    showMessage(board, `${view.name}: ${view.filter ?? 'all parcels'}.`);
  }
}

const demoMessage = 'Views cannot be saved in the demo. Start parcel-monitor with your own parcels.';

function saveView(board: Board, name: string): void {
  const { change, changeView, ui } = board;
  const before = findView(configuredViews(board), name);
  const view = captureView(board, before?.name ?? name);
  if (changeView === undefined) {
    showProblem(board, demoMessage);
    return;
  }
  runWithStatus(board, `Saving the view "${view.name}"…`, async () => {
    await changeView(view.name, view);
    const { filter } = ui;
    change({ viewName: view.name, collapsedInFilter: { filter: filter.text, groups: currentCollapsedGroups(ui) } });
    change(({ columnsByView }) => ({
      columnsByView: { ...columnsByView, [view.name]: { chosen: view.columns ?? [], instead: before?.columns ?? [] } },
    }));
    const replaced = before === undefined ? '' : ` It replaces ${describeView(before)}.`;
    return `Saved the view "${view.name}".${replaced}`;
  });
}

const currentCollapsedGroups = (ui: Board['ui']): readonly string[] => collapsedGroups(ui, ui.filter.text);

/** Returns a view with the current filter, order, columns and collapsed groups. */
function captureView(board: Board, name: string): View {
  const { ui } = board;
  const filter = ui.filter.text.trim();
  const order = orderName(ui.sorting);
  const columns = currentColumns(configuredViews(board), ui);
  const collapsed = currentCollapsedGroups(ui);
  const initial = filter === '' ? initiallyCollapsed : [];
  const isDefault = collapsed.length === initial.length && collapsed.every((group) => initial.includes(group));
  return {
    name,
    ...(filter === '' ? {} : { filter }),
    ...(order === 'urgency' ? {} : { order }),
    ...(columns === null ? {} : { columns }),
    ...(isDefault ? {} : { collapsed }),
  };
}

const describeView = ({ columns, filter = '', order = 'urgency' }: View): string =>
  `${filter === '' ? 'all parcels' : `“${filter}”`} by ${order}${columns === undefined ? '' : ` with ${columns.join(', ')}`}`;

function deleteView(board: Board, name: string): void {
  const { changeView } = board;
  const view = findView(configuredViews(board), name);
  if (view === undefined) {
    const names = configuredViews(board).map((known) => known.name);
    showProblem(board, `There is no view "${name}". Use: ${names.join(', ')}.`);
  } else if (changeView === undefined) showProblem(board, demoMessage);
  else {
    runWithStatus(board, `Deleting the view "${view.name}"…`, async () => {
      await changeView(view.name, null);
      board.change(({ viewName }) => (viewName === view.name ? { viewName: null } : {}));
      return `Deleted the view "${view.name}", which was ${describeView(view)}.`;
    });
  }
}

/** Shows the view at this index. */
export function showViewAt(board: Board, index: number): void {
  const views = configuredViews(board);
  const view = views[index];
  if (view !== undefined) board.change(openView(view));
  else showMessage(board, `There is no view ${index + 1}. Type :view save and a name to create one.`);
}

/** Shows the next or previous view, wrapping around. */
const stepView =
  (step: 1 | -1): Binding['run'] =>
  (board) => {
    const views = configuredViews(board);
    const current = currentView(views, board.ui);
    const from = current === undefined ? (step === 1 ? -1 : 0) : views.indexOf(current);
    showViewAt(board, (from + step + views.length) % views.length);
  };

const needsViews = (board: Board): string | null =>
  configuredViews(board).length === 0 ? 'There are no views. Type :view save and a name to create one.' : null;

const numberKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export const viewKeys: readonly Binding[] = [
  {
    id: 'view',
    keys: numberKeys,
    description: 'Show a view of the list',
    synonyms: ['saved', 'tab', 'save', 'delete'],
    command: {
      name: 'view',
      argument: 'NAME, save NAME, delete NAME',
      suggestions: (board) => [
        ...viewNames(board),
        'save ',
        ...configuredViews(board).map(({ name }) => `delete ${name}`),
      ],
      run: runCommand,
    },
    disabled: needsViews,
    run: (board, _times, which = -1) => {
      if (which === -1) showMessage(board, 'Press the number of the view, or type :view and its name.');
      else showViewAt(board, which);
    },
  },
  { id: 'next-view', keys: [']'], description: 'Next view', synonyms: ['tab'], disabled: needsViews, run: stepView(1) },
  {
    id: 'previous-view',
    keys: ['['],
    description: 'Previous view',
    synonyms: ['tab'],
    disabled: needsViews,
    run: stepView(-1),
  },
];

import { memo, useEffect, useLayoutEffect, useMemo } from 'react';
import type { ParcelColumn } from '../../board/columns.ts';
import { createFilter } from '../../board/filter.ts';
import { type Arrangement, arrangeAll, filterArrangement, isListed } from '../../board/list/arrange.ts';
import { columnHeadingLine, headingRows, listColumns } from '../../board/list/list-columns.ts';
import { columnNeeds, type ListRowInput, listRow } from '../../board/list/list-row.ts';
import { groupHeading, listRows } from '../../board/list/list-rows.ts';
import { sortingTitle } from '../../board/list/sort-orders.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import { type TabRow, tabRow } from '../../board/view-tabs.ts';
import { once } from '../../lib/async.ts';
import type { Line, Segment } from '../../lib/paint.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { Board } from '../board.ts';
import { type FrameTexts, innerSize, type PaneSize } from '../layout.ts';
import { Lines, Pane } from '../pane.tsx';
import type { Change, UiState } from '../ui-state.ts';
import { marksText } from './keys.ts';
import { collapsedGroups, effectiveSelection, expandGroup, findGroupKey, selectedEntry } from './state.ts';

interface ListOptions {
  /** The user's columns, or null for the default ones. */
  readonly chosenColumns: readonly ParcelColumn[] | null;
  /** Returns a parcel's searchable text. */
  readonly searchText: (parcel: Parcel) => string;
}

/**
 * Arranges the parcels whenever they or `viewing` change.
 * @param viewing the same object until one of its fields changes
 */
export function useList(
  parcels: readonly Parcel[],
  ui: UiState,
  change: Change,
  viewing: Required<Viewing>,
  { chosenColumns, searchText }: ListOptions,
): Pick<Board, 'arrangement' | 'heading' | 'listed' | 'needs' | 'selected' | 'selection'> {
  const { listed: view, sorting } = ui;
  const filter = ui.filter.text;
  const { forecast, now, zone } = viewing;
  const all = useMemo(
    () => arrangeAll({ parcels, forecast, now, zone, sorting, listed: view }),
    [parcels, forecast, now, zone, sorting, view],
  );
  // Based on all parcels, so that columns do not move while the user types a filter.
  const needs = useMemo(
    () =>
      once(() =>
        columnNeeds(
          parcels.filter((parcel) => isListed(parcel, view)),
          viewing,
          chosenColumns ?? [],
        ),
      ),
    [parcels, view, viewing, chosenColumns],
  );
  const isTyped = ui.focus === 'filter';
  // Prepares the searchable text once the opened filter is drawn, because that takes longer than a frame for thousands
  // of parcels.
  useEffect(() => {
    if (isTyped) for (const parcel of all.unfiltered) searchText(parcel);
  }, [isTyped, all, searchText]);
  const { marked } = ui;
  const arrangement = useMemo(
    () => (filter === '' ? all : filterArrangement(all, createFilter(filter, { ...viewing, marked }, searchText))),
    [all, filter, viewing, marked, searchText],
  );
  const collapsed = collapsedGroups(ui, filter);
  const listed = useMemo(() => ({ arrangement, ...listRows(arrangement, collapsed) }), [arrangement, collapsed]);
  const { revealedId, selectedGroup, selectedId, selectedIndex } = ui;
  const selection = useMemo(
    () => effectiveSelection(listed, { selectedGroup, selectedId, selectedIndex }),
    [listed, selectedGroup, selectedId, selectedIndex],
  );

  // Runs before drawing, so that the heading of the group never appears selected first.
  useLayoutEffect(() => {
    const revealed = revealedId === null ? undefined : parcels.find(({ id }) => id === revealedId);
    if (revealedId === null || revealed === undefined) return;
    const listOfParcel = revealed.archivedAt === null ? 'watched' : 'archive';
    const group = findGroupKey(arrangement, revealedId);
    if (listOfParcel !== view) change({ listed: listOfParcel });
    else if (group === null) change({ revealedId: null });
    else change((state) => ({ revealedId: null, ...expandGroup(state, state.filter.text, group) }));
  }, [revealedId, parcels, arrangement, view, change]);

  return { arrangement, listed, needs, selection, ...selectedEntry(listed, selection) };
}

interface ParcelListProps
  extends Pick<
    Board,
    'arrangement' | 'chosenColumns' | 'list' | 'marks' | 'needs' | 'pause' | 'selection' | 'setup' | 'tabs' | 'viewing'
  > {
  readonly size: PaneSize;
  readonly isFocused: boolean;
  readonly state: Pick<Board['state'], 'checking' | 'polling'>;
  readonly ui: Pick<UiState, 'filter' | 'listed' | 'sorting'>;
}

export function listHeight(size: PaneSize): number {
  const { height } = innerSize(size);
  return height - headingRows(height);
}

export function ParcelList(props: ParcelListProps) {
  const { arrangement, chosenColumns, isFocused, list, marks, needs, pause, selection, size, state, viewing } = props;
  const { rows } = list;
  const { height, width } = innerSize(size);
  const columns = useMemo(() => listColumns(width, needs(), chosenColumns), [width, needs, chosenColumns]);
  const hasStageHeadings = arrangement.grouping === 'stage';
  return (
    <Pane texts={listFrame(props)} size={size} isFocused={isFocused}>
      {arrangement.order.length > 0 && headingRows(height) > 0 ? <Lines lines={[columnHeadingLine(columns)]} /> : null}
      {rows.length === 0 ? <Lines lines={emptyListLines(props)} width={width} /> : null}
      {rows.map((row) =>
        row.kind === 'heading' ? (
          <Lines
            key={`group ${row.key}`}
            lines={[groupHeading({ ...row, selected: row.key === selection.group, width })]}
          />
        ) : (
          <ParcelRow
            key={row.parcel.id}
            parcel={row.parcel}
            {...viewing}
            columns={columns}
            hasStageHeadings={hasStageHeadings}
            pause={pause}
            shownProblem={state.polling.problem?.message ?? null}
            checking={state.checking.has(row.parcel.id)}
            marked={marks.ids.has(row.parcel.id)}
            selected={row.parcel.id === selection.parcelId}
          />
        ),
      )}
    </Pane>
  );
}

/** Memoised, because most keys change only two rows. */
const ParcelRow = memo(function ParcelRow({ parcel, ...input }: ListRowInput & { readonly parcel: Parcel }) {
  return <Lines lines={[listRow(parcel, input)]} />;
});

/** Returns the tabs in the top edge of the list, with their positions from the left, or null if there aren't any. */
export function listTabs({
  marks,
  size,
  tabs,
  ui,
}: Pick<ParcelListProps, 'marks' | 'size' | 'tabs' | 'ui'>): TabRow | null {
  if (tabs.length === 0 || ui.listed === 'archive') return null;
  const filter = ui.filter.text;
  const state = {
    matchesView: tabs.some(({ isChanged, isCurrent }) => isCurrent && !isChanged),
    marked: marksText(marks) ?? '',
    filter: filter === '' ? '' : `“${filter}”`,
    order: sortingTitle(ui.sorting),
  };
  const { places, ...row } = tabRow(tabs, state, innerSize(size).width);
  return { ...row, places: places.map(({ from, index, to }) => ({ index, from: from + 1, to: to + 1 })) };
}

function listFrame(props: ParcelListProps): FrameTexts {
  const { arrangement, marks, selection, ui } = props;
  const row = listTabs(props);
  const status = positionText(arrangement, selection.position);
  if (row !== null) return { title: row.left, titleRight: row.right, status };
  const filter = ui.filter.text;
  const filterText = filter === '' ? '' : `“${filter}” · `;
  const title = `${ui.listed === 'archive' ? 'Archive' : 'Parcels'} · ${filterText}${sortingTitle(ui.sorting)}`;
  return { title, titleRight: marksText(marks) ?? '', status };
}

/** Returns the position of the selection, and the number of parcels before filtering. */
function positionText({ order, unfiltered }: Arrangement, position: number): string {
  const [listed, all] = [order.length, unfiltered.length];
  const positionInList = position === -1 ? String(listed) : `${position + 1} of ${listed}`;
  return listed === all ? positionInList : `${positionInList} · ${all} in all`;
}

function emptyListLines({ arrangement, setup, ui }: ParcelListProps): readonly Line[] {
  if (arrangement.unfiltered.length > 0) return [quiet(' No parcel matches. Press Esc to clear the filter.')];
  if (ui.listed === 'archive') return [quiet(' The archive is empty. Press A to go back to the list.')];
  const bold = (text: string): Segment => ({ text, bold: true });
  return [
    [{ text: ' No parcels yet. Three ways to start:' }],
    [{ text: '   Press ' }, bold('a'), { text: ' and type a number.' }],
    [bold('   Paste'), { text: ' an email or a table.' }],
    [{ text: '   Press ' }, bold('I'), { text: " and enter a file name, such as a shop's export." }],
    ...(setup.kind === 'ready' ? [] : [[{ text: ' Press ' }, bold('C'), { text: ' to set up the service first.' }]]),
  ];
}

const quiet = (text: string): Line => [{ text, tone: 'quiet' }];

import { useEffect, useLayoutEffect, useMemo } from 'react';
import { createFilter } from '../../board/filter/create-filter.ts';
import { searchTexts } from '../../board/filter/search-text.ts';
import { type Arrangement, arrangeAll, filtered, isListed } from '../../board/list/arrange.ts';
import { columnNeeds } from '../../board/list/column-needs.ts';
import type { ColumnNeeds } from '../../board/list/list-columns.ts';
import { listRows } from '../../board/list/list-rows.ts';
import { once } from '../../board/once.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Change } from '../change.ts';
import type { FocusState } from '../focus/state.ts';
import { type CollapseState, collapsedGroups, openedGroup } from './collapse.ts';
import {
  effectiveSelection,
  groupOf,
  type ListState,
  type SelectedInList,
  type Selection,
  type ShownList,
  selectedIn,
} from './state.ts';

/** The list as it is drawn, and what is selected in it. */
interface ListOfBoard extends SelectedInList {
  readonly arrangement: Arrangement;
  readonly listed: ShownList;
  /** What its columns need, measured when that is first asked. */
  readonly needs: () => ColumnNeeds;
  readonly selection: Selection;
}

/**
 * Arranges the parcels. What a key does not change is computed when parcels change, or a text by the passing of time.
 * @param viewing the same object until one of its fields changes
 */
export function useList(
  parcels: readonly Parcel[],
  ui: ListState & CollapseState & FocusState,
  change: Change<ListState & CollapseState>,
  viewing: Required<Viewing>,
): ListOfBoard {
  const { listed: view, sorting } = ui;
  const filter = ui.filter.text;
  const { now, zone } = viewing;
  const all = useMemo(
    () => arrangeAll({ parcels, now, zone, sorting, listed: view }),
    [parcels, now, zone, sorting, view],
  );
  // They stay where they are while a filter is typed, since they fit what is listed without it.
  const hasStageHeadings = all.grouping === 'stage';
  const needs = useMemo(
    () =>
      once(() =>
        columnNeeds(
          parcels.filter((parcel) => isListed(parcel, view)),
          { ...viewing, hasStageHeadings },
        ),
      ),
    [parcels, view, viewing, hasStageHeadings],
  );
  const textOf = useMemo(() => searchTexts(viewing), [viewing]);
  const isTyped = ui.focus === 'filter';
  // Behind the frame of the key that leads to the filter: for the first letter, texts of thousands take longer than a frame.
  useEffect(() => {
    if (isTyped) for (const parcel of all.unfiltered) textOf(parcel);
  }, [isTyped, all, textOf]);
  const arrangement = useMemo(
    () => (filter === '' ? all : filtered(all, createFilter(filter, viewing, textOf))),
    [all, filter, viewing, textOf],
  );
  const collapsed = collapsedGroups(ui, filter);
  const listed = useMemo(() => ({ arrangement, ...listRows(arrangement, collapsed) }), [arrangement, collapsed]);
  const { revealedId, selectedGroup, selectedId, selectedIndex } = ui;
  const selection = useMemo(
    () => effectiveSelection(listed, { selectedGroup, selectedId, selectedIndex }),
    [listed, selectedGroup, selectedId, selectedIndex],
  );

  // Before the frame is drawn, so that the heading of the group is never seen selected first.
  useLayoutEffect(() => {
    const revealed = revealedId === null ? undefined : parcels.find(({ id }) => id === revealedId);
    if (revealedId === null || revealed === undefined) return;
    const itsView = revealed.archivedAt === null ? 'watched' : 'archive';
    if (itsView !== view) {
      change({ listed: itsView });
      return;
    }
    const group = groupOf(arrangement, revealedId);
    change((state) => ({
      revealedId: null,
      ...(group === null ? {} : openedGroup(state, state.filter.text, group)),
    }));
  }, [revealedId, parcels, arrangement, view, change]);

  return { arrangement, listed, needs, selection, ...selectedIn(listed, selection) };
}

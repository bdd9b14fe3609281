import { useLayoutEffect, useMemo, useState } from 'react';
import { createFilter } from '../../board/filter/create-filter.ts';
import { ListRows } from '../../board/list/list-rows.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../app/board.ts';
import type { UiState } from '../app/state.ts';
import { collapsedGroups, openedGroup } from './collapse.ts';
import type { KeptList } from './kept-list.ts';
import { effectiveSelection, groupOf, type SelectedInList, type ShownList, selectedIn } from './state.ts';
import { useFiltered } from './use-filtered.ts';
import { useSearchTexts } from './use-search-texts.ts';

/** The list as it is drawn, and what is selected in it. */
interface ListOfBoard extends SelectedInList, Pick<Board, 'arrangement' | 'listed' | 'needs' | 'selection'> {}

/** Arranges the parcels; what has not changed since the last frame is not arranged again. */
export function useList(
  parcels: readonly Parcel[],
  ui: UiState,
  change: Board['change'],
  { now, usual, zone }: Required<Viewing>,
  keptList: KeptList,
): ListOfBoard {
  const { listed: view, sorting } = ui;
  const [kept] = useState(() => ({ filter: '', viewing: { now, usual, zone } }));
  // Sorting all of a long list takes longer than a frame; a filter leaves them in their order.
  const all = useMemo(
    () => keptList.arrangement.arrange({ parcels, now, zone, sorting, listed: view }),
    [keptList, parcels, now, zone, sorting, view],
  );
  const needs = useMemo(
    () => keptList.needs(parcels, all, view, { now, usual, zone }),
    [keptList, parcels, all, view, now, usual, zone],
  );
  const viewing = useMemo(
    () =>
      isStillRead(kept.viewing, { now, usual, zone }, all.unfiltered.length) ? kept.viewing : { now, usual, zone },
    [kept, now, usual, zone, all.unfiltered.length],
  );
  kept.viewing = viewing;
  const { areReady, textsOf } = useSearchTexts(all.unfiltered, viewing, ui.focus === 'filter');
  // The letters stand at once; when the filter is left, the list is what it says.
  if (areReady || ui.filter.text === '') kept.filter = ui.filter.text;
  const wanted = kept.filter;
  const source = useMemo(
    () => ({ all, filter: wanted, passes: createFilter(wanted, viewing, textsOf), view, sorting }),
    [all, wanted, viewing, textsOf, view, sorting],
  );
  const { arrangement, source: shown } = useFiltered(source, ui.focus === 'filter');
  const collapsed = collapsedGroups(ui, shown.filter);
  const listed: ShownList = useMemo(
    () => ({ arrangement, rows: new ListRows(arrangement, collapsed) }),
    [arrangement, collapsed],
  );
  const { revealedId, selectedGroup, selectedId, selectedIndex } = ui;
  // What has left a long list would be looked for in all of it with each frame.
  const selection = useMemo(
    () => effectiveSelection(listed, { selectedGroup, selectedId, selectedIndex }),
    [listed, selectedGroup, selectedId, selectedIndex],
  );

  // Before the frame is drawn, so that nobody sees the heading of the group selected first.
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

/** From so many parcels on, to read for a filter anew what changes by the passing of time takes longer than a frame. */
const longList = 10_000;

/** For so long what was read of a long list holds: whoever filters it does not wait for each change of it. */
const holdsMs = 60_000;

/** Whether texts that were read for one instant hold at another one. */
function isStillRead(before: Required<Viewing>, { now, usual, zone }: Required<Viewing>, count: number): boolean {
  if (before.usual !== usual || before.zone !== zone) return false;
  return before.now === now || (count > longList && now > before.now && now - before.now < holdsMs);
}

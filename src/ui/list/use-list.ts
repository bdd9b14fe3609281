import { useLayoutEffect, useMemo, useState } from 'react';
import { createFilter } from '../../board/filter/create-filter.ts';
import type { arrangeAll } from '../../board/list/arrange.ts';
import { KeptArrangement } from '../../board/list/kept-arrangement.ts';
import { KeptNeeds } from '../../board/list/kept-needs.ts';
import { ListRows } from '../../board/list/list-rows.ts';
import { once } from '../../board/once.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { UsualStillness } from '../../watchlist/rules/usual-stillness.ts';
import type { Board } from '../board.ts';
import type { OpenedList } from '../opening/opened-board.ts';
import type { UiState } from '../state.ts';
import { collapsedGroups, openedGroup } from './collapse.ts';
import { effectiveSelection, groupOf, type SelectedInList, type ShownList, selectedIn } from './state.ts';
import { useFiltered } from './use-filtered.ts';
import { useSearchTexts } from './use-search-texts.ts';

/** The list as it is drawn, and what is selected in it. */
interface ListOfBoard extends SelectedInList, Pick<Board, 'arrangement' | 'listed' | 'needs' | 'selection'> {}

/**
 * Arranges the parcels; what has not changed since the last frame is not arranged again.
 * @param opened the list in the frame that stands on the screen before the first one; null for none
 */
export function useList(
  parcels: readonly Parcel[],
  ui: UiState,
  change: Board['change'],
  { now, usual, zone }: { readonly now: EpochMs; readonly usual: UsualStillness; readonly zone: Zone },
  opened: OpenedList | null,
): ListOfBoard {
  const { listed: view, sorting } = ui;
  const [kept] = useState(() => ({
    arrangement: new KeptArrangement(),
    needs: new KeptNeeds(),
    filter: '',
    viewing: { now, usual, zone },
  }));
  // Sorting all of a long list takes longer than a frame; a filter leaves them in their order.
  const all = useMemo(() => {
    const input = { parcels, now, zone, sorting, listed: view };
    if (opened === null || !isArrangedFor(opened, input)) return kept.arrangement.arrange(input);
    kept.arrangement.know(input, opened.all);
    return opened.all;
  }, [kept, parcels, now, zone, sorting, view, opened]);
  const { grouping, unfiltered } = all;
  const needs = useMemo(() => {
    const isSame = opened?.all.unfiltered === unfiltered && opened.usual === usual;
    const viewing = { now, usual, zone, hasStageHeadings: grouping === 'stage' };
    const source = { parcels, listed: unfiltered, isArchive: view === 'archive', viewing };
    if (!isSame) return once(() => kept.needs.of(source));
    kept.needs.know(source, opened.needs);
    return opened.needs;
  }, [kept, parcels, grouping, unfiltered, now, usual, zone, view, opened]);
  const viewing = useMemo(
    () => (isStillRead(kept.viewing, { now, usual, zone }, unfiltered.length) ? kept.viewing : { now, usual, zone }),
    [kept, now, usual, zone, unfiltered.length],
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
  const { arrangement, filter } = useFiltered(source, ui.focus === 'filter');
  const collapsed = collapsedGroups(ui, filter);
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

/** Whether a list was arranged from the same. */
function isArrangedFor(
  opened: OpenedList,
  { parcels, now, zone, sorting, listed }: Required<Parameters<typeof arrangeAll>[0]>,
): boolean {
  const { order, isReversed } = opened.ui.sorting;
  return (
    opened.state.parcels === parcels &&
    opened.now === now &&
    opened.zone === zone &&
    order === sorting.order &&
    isReversed === sorting.isReversed &&
    opened.ui.listed === listed
  );
}

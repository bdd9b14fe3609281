import { useMemo } from 'react';
import { isListed } from '../../board/list/arrange.ts';
import { findParcelRow, type ListRow, parcelsBetween } from '../../board/list/list-rows.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { Board, Marks } from '../board.ts';
import { showMessage } from '../footer.ts';
import {
  type Binding,
  groupByTask,
  type KeyGroup,
  type Move,
  movement,
  movementKeys,
  needsSelection,
} from '../keys/binding.ts';
import { moveWithin, showsTimeline } from '../layout.ts';
import type { UiState } from '../ui-state.ts';
import {
  applySelection,
  findGroupKey,
  moveSelectionBy,
  neighbourHeading,
  toggleAllCollapsed,
  toggleCollapsed,
} from './state.ts';

export const moveSelection: Move = ({ change, listed, selection }, by) => {
  const next = moveSelectionBy(listed, selection, by);
  change((ui) => applySelection(ui, next));
};

/** Returns why an action on groups is not possible, or null. */
function needsGroups({ arrangement, ui }: Board): string | null {
  if (arrangement.order.length === 0) return 'The list is empty.';
  if (arrangement.grouping !== null) return null;
  return ui.listed === 'archive'
    ? 'The archive has groups only if sorted by courier. Press s to choose that order.'
    : 'This order has no groups. Press s to choose urgency, courier or expected delivery.';
}

export function toggleGroup({ arrangement, change, selection }: Board): void {
  const group = selection.group ?? (selection.parcelId === null ? null : findGroupKey(arrangement, selection.parcelId));
  if (group !== null) change((ui) => ({ ...toggleCollapsed(ui, ui.filter.text, group), revealedId: null }));
}

const selectHeading =
  (step: 1 | -1): Binding['run'] =>
  ({ change, listed, selection }) => {
    const heading = neighbourHeading(listed, selection, step);
    if (heading !== null) change((ui) => applySelection(ui, heading));
  };

const groupKeys: readonly Binding[] = [
  { id: 'next-group', keys: ['}'], description: 'Next group', disabled: needsGroups, run: selectHeading(1) },
  { id: 'previous-group', keys: ['{'], description: 'Previous group', disabled: needsGroups, run: selectHeading(-1) },
  {
    id: 'fold',
    keys: ['z'],
    description: 'Collapse or expand the group',
    synonyms: ['fold'],
    disabled: needsGroups,
    run: toggleGroup,
  },
  {
    id: 'fold-all',
    keys: ['Z'],
    description: 'Collapse or expand all groups',
    synonyms: ['fold'],
    disabled: needsGroups,
    run: ({ arrangement, change }) => change((ui) => toggleAllCollapsed(ui, ui.filter.text, arrangement)),
  },
];

const openTimeline: Binding = {
  id: 'open',
  keys: ['enter', 'l', 'right'],
  hint: ({ heading }) => (heading === null ? 'timeline' : heading.isCollapsed ? 'open' : 'collapse'),
  description: 'Open the timeline or the group',
  disabled: (board) => (board.heading === null ? needsSelection(board) : null),
  run: (board) => (board.heading === null ? board.change({ focus: 'timeline' }) : toggleGroup(board)),
};

export const scrollTimeline: Move = ({ change, timeline: { scroll } }, by) =>
  change({ timelineOffset: moveWithin(scroll.offset, by, scroll.last) });

const needsTimeline = ({ layout }: Board): string | null =>
  showsTimeline(layout) ? null : 'The timeline is not visible. Press Enter to open it.';

const timelineScrollKeys: readonly Binding[] = [
  {
    id: 'timeline-down',
    keys: ['J'],
    description: 'Scroll the timeline down',
    disabled: needsTimeline,
    ...movement('down', scrollTimeline),
  },
  {
    id: 'timeline-up',
    keys: ['K'],
    description: 'Scroll the timeline up',
    disabled: needsTimeline,
    ...movement('up', scrollTimeline),
  },
];

type MarksState = Pick<UiState, 'marked' | 'rangeStartId'>;

/**
 * Returns the ids of the parcels from the start of a range to the selected row, without collapsed groups.
 * @param selectedRow -1 for none
 */
export function rangeIds(rows: readonly ListRow[], fromId: string, selectedRow: number): readonly string[] {
  if (selectedRow === -1) return [];
  const from = findParcelRow(rows, fromId);
  return parcelIds(parcelsBetween(rows, from === -1 ? selectedRow : from, selectedRow));
}

const parcelIds = (parcels: readonly Parcel[]): readonly string[] => parcels.map(({ id }) => id);

const noMarks = { known: new Set<string>(), unlisted: 0 };

/** Returns the marks, which belong to parcels: they do not depend on the order or the filter. */
export function useMarks(
  { marked, rangeStartId, listed: view }: UiState,
  parcels: readonly Parcel[],
  { listed, selection }: Pick<Board, 'listed' | 'selection'>,
): Marks {
  const { order } = listed.arrangement;
  // Memoised, because this goes through the whole list.
  const { known, unlisted } = useMemo(() => {
    if (marked.size === 0) return noMarks;
    const ids = parcelIds(parcels.filter((parcel) => marked.has(parcel.id) && isListed(parcel, view)));
    return { known: new Set(ids), unlisted: ids.length - order.filter(({ id }) => marked.has(id)).length };
  }, [marked, parcels, view, order]);
  if (rangeStartId === null) return { ids: known, unlisted, isRange: false };
  return { ids: new Set([...known, ...rangeIds(listed.rows, rangeStartId, selection.row)]), unlisted, isRange: true };
}

/** Toggles a parcel's mark. If there is a range, ends it instead, and its parcels stay marked. */
export function toggleMark({ ids, isRange }: Marks, parcelId: string): MarksState {
  if (isRange) return { marked: ids, rangeStartId: null };
  const marked = new Set(ids);
  if (!marked.delete(parcelId)) marked.add(parcelId);
  return { marked, rangeStartId: null };
}

/** Marks all these parcels, or unmarks them if all are marked. */
function toggleAllMarks({ ids }: Marks, parcelIds: readonly string[]): MarksState {
  const listed = new Set(parcelIds);
  const areMarked = parcelIds.every((id) => ids.has(id));
  const others = [...ids].filter((id) => !listed.has(id));
  return { marked: new Set(areMarked ? others : [...others, ...parcelIds]), rangeStartId: null };
}

export const removeMarks =
  (parcels: readonly Pick<Parcel, 'id'>[]) =>
  ({ marked }: Pick<MarksState, 'marked'>): MarksState => {
    const unmarked = new Set(parcels.map(({ id }) => id));
    return { marked: new Set([...marked].filter((id) => !unmarked.has(id))), rangeStartId: null };
  };

/** Returns the number of marked parcels for the frame of the list, or null if there aren't any. */
export function marksText({ ids, isRange, unlisted }: Marks): string | null {
  if (ids.size === 0) return null;
  const suffix = unlisted === 0 ? '' : `, ${unlisted} not listed`;
  return `${isRange ? 'range: ' : ''}${ids.size} marked${suffix}`;
}

/** Returns the marked parcels, listed ones first and in order. */
function markedParcels({ arrangement, marks: { ids }, state }: Board): readonly Parcel[] {
  if (ids.size === 0) return [];
  const listed = new Set(arrangement.order);
  const isMarked = ({ id }: Parcel): boolean => ids.has(id);
  const others = state.parcels.filter((parcel) => isMarked(parcel) && !listed.has(parcel));
  return [...arrangement.order.filter(isMarked), ...others];
}

/** Binds an action to the marked parcels, or to the selected one if none are marked. */
export function onTargets(act: (board: Board, parcels: readonly Parcel[]) => void): Pick<Binding, 'run' | 'disabled'> {
  return {
    disabled: (board) => (board.marks.ids.size > 0 ? null : needsSelection(board)),
    run: (board) => {
      const marked = markedParcels(board);
      if (marked.length > 0) act(board, marked);
      else if (board.selected !== null) act(board, [board.selected]);
    },
  };
}

/** Binds an action to a single parcel: the only marked one, or the selected one. Disabled if several are marked. */
export function onOneTarget(act: (board: Board, parcel: Parcel) => void): Pick<Binding, 'run' | 'disabled'> {
  return {
    disabled: (board) => {
      const { size } = board.marks.ids;
      if (size === 0) return needsSelection(board);
      return size === 1 ? null : `This works on one parcel, but ${size} are marked. Press Esc to unmark them.`;
    },
    run: (board) => {
      const [parcel = board.selected] = markedParcels(board);
      if (parcel !== null) act(board, parcel);
    },
  };
}

/** Like {@link onTargets}, with an argument from the palette. */
export function onTargetsWithArgument(
  act: (board: Board, parcels: readonly Parcel[], argument: string) => void,
): (board: Board, argument: string) => void {
  return (board, argument) => onTargets((targets, parcels) => act(targets, parcels, argument)).run(board, 1);
}

const markedHint = 'x d r c e # m y act on the marked parcels; Esc unmarks them.';

/** Marks the selected parcel and moves on. In a range, ends the range. */
function markSelected(board: Board): void {
  const { change, listed, marks, selected, selection } = board;
  if (selected === null) return;
  if (marks.ids.size === 0) showMessage(board, markedHint);
  change(toggleMark(marks, selected.id));
  if (marks.isRange) return;
  const next = moveSelectionBy(listed, selection, 1);
  change((ui) => applySelection(ui, next));
}

function markRange(board: Board): void {
  const { change, marks, selected } = board;
  if (marks.isRange) change({ marked: marks.ids, rangeStartId: null });
  else if (selected !== null) {
    change({ marked: marks.ids, rangeStartId: selected.id });
    showMessage(board, 'Range started: move to extend it, v ends it, Esc cancels it.');
  }
}

const markKeys: readonly Binding[] = [
  {
    id: 'mark',
    keys: [' '],
    hint: 'mark',
    description: 'Mark or unmark, then move down',
    disabled: needsSelection,
    run: markSelected,
  },
  { id: 'mark-range', keys: ['v'], description: 'Mark a range', disabled: needsSelection, run: markRange },
  {
    id: 'mark-all',
    keys: ['*'],
    description: 'Mark or unmark all shown',
    disabled: ({ arrangement }) => (arrangement.order.length === 0 ? 'Nothing to mark.' : null),
    run: (board) => board.change(toggleAllMarks(board.marks, parcelIds(board.arrangement.order))),
  },
];

/** Cancels the range, or removes all marks. Returns false if there aren't any. */
export function clearMarks({ change, marks }: Pick<Board, 'change' | 'marks'>): boolean {
  if (!marks.isRange && marks.ids.size === 0) return false;
  // Marks from before the range stay.
  change(marks.isRange ? { rangeStartId: null } : { marked: new Set(), rangeStartId: null });
  return true;
}

export const listKeys: KeyGroup = {
  context: 'list',
  title: 'Parcel list',
  ...groupByTask([
    { title: 'Parcel list', bindings: [openTimeline, ...markKeys, ...groupKeys] },
    { title: 'Move in the list', bindings: [...movementKeys(moveSelection), ...timelineScrollKeys] },
  ]),
};

export const archiveKey: Binding = {
  id: 'show-archive',
  keys: ['A'],
  hint: ({ ui }) => (ui.listed === 'archive' ? 'watched' : 'archived'),
  description: 'Show the archive, or the list',
  synonyms: ['restore', 'unarchive'],
  run: ({ change, ui }) =>
    change({ listed: ui.listed === 'archive' ? 'watched' : 'archive', selectedIndex: 0, timelineOffset: 0 }),
};

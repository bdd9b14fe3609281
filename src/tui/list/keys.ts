import type { Board } from '../board.ts';
import { type Binding, byTask, type KeyGroup, needsSelection } from '../keys/binding.ts';
import { type Move, movement, movementKeys } from '../keys/movement.ts';
import { showsTimeline } from '../layout.ts';
import { movedWithin } from '../pane/frame.ts';
import { markKeys } from './marks.ts';
import { groupOf, movedSelection, neighbourHeading, toggledAll, toggledGroup, withSelection } from './state.ts';

export const moveSelection: Move = ({ change, listed, selection }, by) => {
  const moved = movedSelection(listed, selection, by);
  change((ui) => withSelection(ui, moved));
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
  const group = selection.group ?? (selection.parcelId === null ? null : groupOf(arrangement, selection.parcelId));
  if (group !== null) change((ui) => ({ ...toggledGroup(ui, ui.filter.text, group), revealedId: null }));
}

const toHeading =
  (step: 1 | -1): Binding['run'] =>
  ({ change, listed, selection }) => {
    const heading = neighbourHeading(listed, selection, step);
    if (heading !== null) change((ui) => withSelection(ui, heading));
  };

const groupKeys: readonly Binding[] = [
  { id: 'next-group', keys: ['}'], description: 'Next group', disabled: needsGroups, run: toHeading(1) },
  {
    id: 'previous-group',
    keys: ['{'],
    description: 'Previous group',
    disabled: needsGroups,
    run: toHeading(-1),
  },
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
    run: ({ arrangement, change }) => change((ui) => toggledAll(ui, ui.filter.text, arrangement)),
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
  change({ timelineOffset: movedWithin(scroll.offset, by, scroll.last) });

const timelineProblem = ({ layout }: Board): string | null =>
  showsTimeline(layout) ? null : 'The timeline is not visible. Press Enter to open it.';

const timelineScrollKeys: readonly Binding[] = [
  {
    id: 'timeline-down',
    keys: ['J'],
    description: 'Scroll the timeline down',
    disabled: timelineProblem,
    ...movement('down', scrollTimeline),
  },
  {
    id: 'timeline-up',
    keys: ['K'],
    description: 'Scroll the timeline up',
    disabled: timelineProblem,
    ...movement('up', scrollTimeline),
  },
];

export const listKeys: KeyGroup = {
  context: 'list',
  title: 'Parcel list',
  ...byTask([
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

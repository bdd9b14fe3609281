import type { Board } from '../app/board.ts';
import type { Binding } from '../keys/binding.ts';
import { toggledAll, toggledGroup } from './collapse.ts';
import { groupOf, neighbourHeading, withSelection } from './state.ts';

/** Why a key that concerns groups cannot be used; null when it can. */
function needsGroups({ arrangement, ui }: Board): string | null {
  if (arrangement.order.length === 0) return 'No parcel is listed.';
  if (arrangement.grouping !== null) return null;
  return ui.listed === 'archive'
    ? 'The archive has groups by courier only: press s.'
    : 'This list has no groups. Those by urgency and by courier have: press s.';
}

/** Collapses the group of the selection, or opens it. */
export function toggleGroup({ arrangement, change, selection }: Board): void {
  const group = selection.group ?? (selection.parcelId === null ? null : groupOf(arrangement, selection.parcelId));
  if (group !== null) change((ui) => ({ ...toggledGroup(ui, ui.filter.text, group), revealedId: null }));
}

const toHeading =
  (step: 1 | -1): Binding<Board>['run'] =>
  ({ change, listed, selection }) => {
    const heading = neighbourHeading(listed, selection, step);
    if (heading !== null) change((ui) => withSelection(ui, heading));
  };

/** Keys of the groups of the list. */
export const groupKeys: readonly Binding<Board>[] = [
  { keys: ['}'], description: 'To the next group', disabled: needsGroups, run: toHeading(1) },
  { keys: ['{'], description: 'To the group before', disabled: needsGroups, run: toHeading(-1) },
  {
    keys: ['z'],
    description: 'Collapse the group, or open it',
    alsoFoundBy: ['fold'],
    disabled: needsGroups,
    run: toggleGroup,
  },
  {
    keys: ['Z'],
    description: 'Collapse all groups, or open them',
    alsoFoundBy: ['fold'],
    disabled: needsGroups,
    run: ({ arrangement, change }) => change((ui) => toggledAll(ui, ui.filter.text, arrangement)),
  },
];

import type { Board } from '../app/board.ts';
import { type KeyGroup, needsSelection } from '../keys/binding.ts';
import { movementKeys } from '../keys/movement.ts';
import { markKeys } from '../marks/keys.ts';
import { groupKeys, toggleGroup } from './group-keys.ts';
import { movedSelection, withSelection } from './state.ts';

/** Moves the selection. */
export function moveSelection({ change, listed, selection }: Board, by: number): void {
  const moved = movedSelection(listed, selection, by);
  change((ui) => withSelection(ui, moved));
}

/** Keys of the parcel list. */
export const listKeys: KeyGroup<Board['ui'], Board> = {
  context: 'list',
  title: 'Parcel list',
  bindings: [
    ...movementKeys(moveSelection),
    ...markKeys,
    {
      keys: ['enter', 'l', 'right'],
      hint: 'timeline',
      hintNow: ({ heading }) => (heading === null ? 'timeline' : heading.isCollapsed ? 'open' : 'collapse'),
      description: 'Go to the timeline; on the heading of a group, open or collapse it',
      disabled: (board) => (board.heading === null ? needsSelection(board) : null),
      run: (board) => (board.heading === null ? board.change({ focus: 'timeline' }) : toggleGroup(board)),
    },
    ...groupKeys,
  ],
};

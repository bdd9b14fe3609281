import type { Board } from '../board.ts';
import { type KeyGroup, needsSelection } from '../keys/binding.ts';
import { movementKeys } from '../keys/movement.ts';
import { markKeys } from '../marks/keys.ts';
import { scrollOverlay } from '../overlay/keys.ts';
import { withSelected } from '../state.ts';
import { movedSelection } from './state.ts';

/** Moves the selection; where a text stands in place of the list, that text. */
function moveInList(board: Board, by: number): void {
  if (board.overlay !== null) scrollOverlay(board, by);
  else moveSelection(board, by);
}

/** Moves the selection. */
export function moveSelection({ change, order, selection }: Board, by: number): void {
  const { index, parcelId } = movedSelection(order, selection, by);
  change((ui) => withSelected(ui, parcelId, index));
}

/** Keys of the parcel list. */
export const listKeys: KeyGroup = {
  context: 'list',
  title: 'Parcel list',
  bindings: [
    ...movementKeys(moveInList),
    ...markKeys,
    {
      keys: ['enter', 'l', 'right'],
      hint: 'timeline',
      description: 'Go to the timeline',
      disabled: needsSelection,
      run: ({ change }) => change({ focus: 'timeline' }),
    },
  ],
};

import type { Board } from '../board.ts';
import type { Move } from '../keys/movement.ts';
import { movedWithin } from '../pane/scroll.ts';

/** Moves something; where a text stands in its place, that text. */
export const unlessCovered =
  (move: Move): Move =>
  (board, by) =>
    board.overlay === null ? move(board, by) : scrollOverlay(board, by);

/** Scrolls the text that stands in place of the panes. */
export function scrollOverlay({ change, scroll }: Board, by: number): void {
  change({ overlayOffset: movedWithin(scroll.offset, by, scroll.last) });
}

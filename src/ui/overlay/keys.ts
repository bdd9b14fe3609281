import type { Board } from '../board.ts';
import { movedWithin } from '../pane/scroll.ts';

/** Scrolls the text that stands in place of the panes. */
export function scrollOverlay({ change, scroll }: Board, by: number): void {
  change({ overlayOffset: movedWithin(scroll.offset, by, scroll.last) });
}

import type { Board } from '../board.ts';
import type { Binding } from '../keys/binding.ts';
import { movedWithin, moving } from '../keys/movement.ts';
import { showOverlay } from './state.ts';

/** Scrolls the text that stands in place of the panes. */
export function scrollOverlay({ change, scroll }: Board, by: number): void {
  change({ overlayOffset: movedWithin(scroll.offset, by, scroll.last) });
}

/** Takes the overlay away. */
export const closeOverlay: Binding['run'] = ({ change }) => change(showOverlay(null));

/** Keys that scroll an overlay. */
export const overlayScrollKeys: readonly Binding[] = [
  { keys: ['j', 'down'], hint: 'down', description: 'Down', ...moving('down', scrollOverlay) },
  { keys: ['k', 'up'], hint: 'up', description: 'Up', ...moving('up', scrollOverlay) },
  { keys: ['pageDown', 'ctrl+d', ' '], description: 'A page down', ...moving('page-down', scrollOverlay) },
  { keys: ['pageUp', 'ctrl+u'], description: 'A page up', ...moving('page-up', scrollOverlay) },
];

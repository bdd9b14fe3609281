import type { Board } from '../board.ts';
import { openHelp } from '../help/keys.ts';
import type { KeyGroup } from '../keys/binding.ts';
import { moving } from '../keys/movement.ts';
import { movedWithin } from '../pane/scroll.ts';
import { type OverlayState, showOverlay } from './state.ts';

/** Scrolls the text that stands in place of the panes. */
export function scrollOverlay({ change, scroll }: Board, by: number): void {
  change({ overlayOffset: movedWithin(scroll.offset, by, scroll.last) });
}

/** Keys of an overlay, which the key that opened it closes, too. */
export const overlayKeys = (
  context: NonNullable<OverlayState['overlay']>,
  title: string,
  opener: string,
): KeyGroup => ({
  context,
  title,
  isClosed: true,
  bindings: [
    { keys: ['j', 'down'], hint: 'down', description: 'Down', ...moving('down', scrollOverlay) },
    { keys: ['k', 'up'], hint: 'up', description: 'Up', ...moving('up', scrollOverlay) },
    { keys: ['pageDown', 'ctrl+d', ' '], description: 'A page down', ...moving('page-down', scrollOverlay) },
    { keys: ['pageUp', 'ctrl+u'], description: 'A page up', ...moving('page-up', scrollOverlay) },
    openHelp,
    {
      keys: ['escape', opener, 'enter', 'q'],
      hint: 'close',
      description: `Close the ${context}`,
      alwaysShown: true,
      run: ({ change }) => change(showOverlay(null)),
    },
  ],
});

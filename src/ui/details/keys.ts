import { openHelp } from '../help/keys.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { moving } from '../keys/movement.ts';
import { scrollOverlay } from '../overlay/keys.ts';
import { showOverlay } from '../overlay/state.ts';

/** The key that opens the details. */
export const openDetails: Binding = {
  keys: ['D'],
  description: 'Service, clock, calls and files',
  run: ({ change }) => change(showOverlay('details')),
};

/** Keys of the details, which the key that opened them closes, too. */
export const detailsKeys: KeyGroup = {
  context: 'details',
  title: 'Details',
  isClosed: true,
  bindings: [
    { keys: ['j', 'down'], hint: 'down', description: 'Down', ...moving('down', scrollOverlay) },
    { keys: ['k', 'up'], hint: 'up', description: 'Up', ...moving('up', scrollOverlay) },
    { keys: ['pageDown', 'ctrl+d', ' '], description: 'A page down', ...moving('page-down', scrollOverlay) },
    { keys: ['pageUp', 'ctrl+u'], description: 'A page up', ...moving('page-up', scrollOverlay) },
    openHelp,
    {
      keys: ['escape', 'D', 'enter', 'q'],
      hint: 'close',
      description: 'Close the details',
      alwaysShown: true,
      run: ({ change }) => change(showOverlay(null)),
    },
  ],
};

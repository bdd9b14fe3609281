import type { Binding, KeyGroup } from '../keys/binding.ts';
import { closeOverlay, overlayScrollKeys } from '../overlay/keys.ts';
import { showOverlay } from '../overlay/state.ts';

/** The key that opens the help. */
export const openHelp: Binding = {
  keys: ['?'],
  hint: 'help',
  description: 'This help',
  alwaysShown: true,
  run: ({ change }) => change(showOverlay('help')),
};

/** Keys of the help. */
export const helpKeys: KeyGroup = {
  context: 'help',
  title: 'Help',
  isClosed: true,
  bindings: [
    ...overlayScrollKeys,
    {
      keys: ['escape', '?', 'enter'],
      hint: 'close',
      description: 'Close the help',
      alwaysShown: true,
      run: closeOverlay,
    },
    { keys: ['q'], description: 'Close the help', run: closeOverlay },
  ],
};

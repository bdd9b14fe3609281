import type { Binding } from '../keys/binding.ts';
import { overlayKeys } from '../overlay/keys.ts';
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
export const helpKeys = overlayKeys('help', 'Help', '?');

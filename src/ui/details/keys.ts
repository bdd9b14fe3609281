import type { Binding, KeyGroup } from '../keys/binding.ts';
import { closeOverlay, overlayScrollKeys } from '../overlay/keys.ts';
import { showOverlay } from '../overlay/state.ts';

/** The key that opens the details. */
export const openDetails: Binding = {
  keys: ['D'],
  description: 'Service, clock, calls and files',
  run: ({ change }) => change(showOverlay('details')),
};

/** Keys of the details. */
export const detailsKeys: KeyGroup = {
  context: 'details',
  title: 'Details',
  isClosed: true,
  bindings: [
    ...overlayScrollKeys,
    {
      keys: ['escape', 'D', 'enter', 'q'],
      hint: 'close',
      description: 'Close the details',
      alwaysShown: true,
      run: closeOverlay,
    },
  ],
};

import type { Binding } from '../keys/binding.ts';
import { overlayKeys } from '../overlay/keys.ts';
import { showOverlay } from '../overlay/state.ts';

/** The key that opens the details. */
export const openDetails: Binding = {
  keys: ['D'],
  description: 'Service, clock, calls and files',
  run: ({ change }) => change(showOverlay('details')),
};

/** Keys of the details. */
export const detailsKeys = overlayKeys('details', 'Details', 'D');

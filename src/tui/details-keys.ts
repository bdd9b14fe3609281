import { type HelpOpener, type OverlayState, openHelp, showOverlay } from './help/keys.ts';
import type { Binding, KeyGroup } from './keys/binding.ts';
import { type Move, moving, type Scrolled } from './keys/movement.ts';
import { movedWithin } from './pane/frame.ts';

type DetailsBoard = HelpOpener & Scrolled;

export const openDetails: Binding<DetailsBoard> = {
  keys: ['D'],
  description: 'Service, clock, calls and files',
  run: ({ change }) => change(showOverlay('details')),
};

const move: Move<DetailsBoard> = ({ change, scroll }, by) =>
  change({ overlayOffset: movedWithin(scroll.offset, by, scroll.last) });

export const detailsKeys: KeyGroup<OverlayState, DetailsBoard> = {
  context: 'details',
  title: 'Details',
  isClosed: true,
  bindings: [
    { keys: ['j', 'down'], hint: 'down', description: 'Down', ...moving('down', move) },
    { keys: ['k', 'up'], hint: 'up', description: 'Up', ...moving('up', move) },
    { keys: ['pageDown', 'ctrl+d', ' '], description: 'A page down', ...moving('page-down', move) },
    { keys: ['pageUp', 'ctrl+u'], description: 'A page up', ...moving('page-up', move) },
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

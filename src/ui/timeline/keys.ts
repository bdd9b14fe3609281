import type { Binding, KeyGroup } from '../keys/binding.ts';
import { type Move, movementKeys } from '../keys/movement.ts';
import { movedWithin } from '../pane/scroll.ts';
import { zoomIn } from '../zoom/keys.ts';
import { nextTimeMode } from './state.ts';

/** The key that shows the times on another clock. */
export const switchTimes: Binding = {
  keys: ['t'],
  hint: 'times',
  description: 'Times: local to event, your zone, UTC',
  run: ({ change }) => change(({ timeMode }) => ({ timeMode: nextTimeMode(timeMode) })),
};

const scrollTimeline: Move = ({ change, scroll }, by) =>
  change({ timelineOffset: movedWithin(scroll.offset, by, scroll.last) });

/** Keys of the timeline. */
export const timelineKeys: KeyGroup = {
  context: 'timeline',
  title: 'Timeline',
  bindings: [
    ...movementKeys(scrollTimeline),
    {
      keys: ['h', 'left'],
      hint: 'list',
      description: 'Back to the list',
      alwaysShown: true,
      run: ({ change }) => change({ focus: 'list' }),
    },
    {
      keys: ['enter'],
      hint: 'zoom',
      description: 'Give the timeline the whole window',
      alsoFoundBy: ['zoom', 'fullscreen'],
      isHinted: ({ layout }) => layout.kind !== 'single',
      ...zoomIn,
    },
  ],
};

import type { Change } from '../change.ts';
import type { FocusState } from '../focus/state.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { type Move, movementKeys, type Scrolled } from '../keys/movement.ts';
import type { Layout } from '../layout.ts';
import { movedWithin } from '../pane/scroll.ts';
import { zoomIn } from '../zoom/keys.ts';
import type { ZoomState } from '../zoom/state.ts';
import { nextTimeMode, type TimelineState } from './state.ts';

/** The board, as far as the keys of the timeline need it. */
interface TimelineBoard extends Scrolled {
  readonly change: Change<FocusState & TimelineState & ZoomState>;
  readonly layout: Layout;
}

/** The key that shows the times on another clock. */
export const switchTimes: Binding<TimelineBoard> = {
  keys: ['t'],
  hint: 'times',
  description: 'Times: local to event, your zone, UTC',
  run: ({ change }) => change(({ timeMode }) => ({ timeMode: nextTimeMode(timeMode) })),
};

const scrollTimeline: Move<TimelineBoard> = ({ change, scroll }, by) =>
  change({ timelineOffset: movedWithin(scroll.offset, by, scroll.last) });

/** Keys of the timeline. */
export const timelineKeys: KeyGroup<TimelineState, TimelineBoard> = {
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

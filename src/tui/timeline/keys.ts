import { type TimeMode, timeModes } from '../../board/time/checkpoint-time.ts';
import type { Binding, Change, KeyGroup } from '../keys/binding.ts';
import { type Move, movementKeys, type Scrolled } from '../keys/movement.ts';
import type { FocusState, Layout } from '../layout.ts';
import { movedWithin } from '../pane/frame.ts';

export interface TimelineState {
  readonly timelineOffset: number;
  readonly timeMode: TimeMode;
}

const nextTimeMode = (timeMode: TimeMode): TimeMode =>
  timeModes[(timeModes.indexOf(timeMode) + 1) % timeModes.length] ?? 'event';

export interface ZoomState {
  /** Whether the focused pane has the window for itself, as the user wanted it; null lets the window's size decide. */
  readonly zoom: boolean | null;
}

interface ZoomBoard {
  readonly change: Change<ZoomState>;
  readonly layout: Layout;
}

const isSingle = ({ layout }: ZoomBoard): boolean => layout.kind === 'single';

const zoomIn: Pick<Binding<ZoomBoard>, 'disabled' | 'run'> = {
  disabled: (board) => (isSingle(board) ? 'This pane has the whole window already; - shows both.' : null),
  run: ({ change }) => change({ zoom: true }),
};

export const zoomKeys: readonly Binding<ZoomBoard>[] = [
  {
    keys: ['+'],
    description: 'Give the focused pane the whole window',
    alsoFoundBy: ['zoom', 'fullscreen'],
    ...zoomIn,
  },
  {
    keys: ['-'],
    hint: 'both',
    description: 'Show both panes again',
    alsoFoundBy: ['zoom', 'fullscreen'],
    isHinted: isSingle,
    disabled: (board) => (isSingle(board) ? null : 'Both panes are shown already; + shows one.'),
    run: ({ change }) => change({ zoom: false }),
  },
];

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

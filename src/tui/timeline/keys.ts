import { type TimeMode, timeModes } from '../../board/time.ts';
import type { Board } from '../board.ts';
import { type Binding, groupByTask, type KeyGroup, movementKeys } from '../keys/binding.ts';
import { scrollTimeline } from '../list/keys.ts';

const nextTimeMode = (timeMode: TimeMode): TimeMode =>
  timeModes[(timeModes.indexOf(timeMode) + 1) % timeModes.length] ?? 'event';

const isSingle = ({ layout }: Board): boolean => layout.kind === 'single';

const zoomIn: Pick<Binding, 'disabled' | 'run'> = {
  disabled: (board) => (isSingle(board) ? 'Already zoomed. Press - to show both panes.' : null),
  run: ({ change }) => change({ zoom: true }),
};

export const zoomKeys: readonly Binding[] = [
  { id: 'zoom', keys: ['+'], description: 'Zoom this pane', synonyms: ['zoom', 'fullscreen'], ...zoomIn },
  {
    id: 'both-panes',
    keys: ['-'],
    hint: (board) => (isSingle(board) ? 'both' : null),
    description: 'Show both panes again',
    synonyms: ['zoom', 'fullscreen'],
    disabled: (board) => (isSingle(board) ? null : 'Both panes are visible. Press + to zoom one.'),
    run: ({ change }) => change({ zoom: false }),
  },
];

export const cycleTimeModes: Binding = {
  id: 'times',
  keys: ['t'],
  hint: 'times',
  description: 'Times: local, yours, UTC',
  run: ({ change }) => change(({ timeMode }) => ({ timeMode: nextTimeMode(timeMode) })),
};

export const toggleEnglish: Binding = {
  id: 'english',
  keys: ['T'],
  description: 'Show events in English',
  synonyms: ['translate', 'language', 'original'],
  run: ({ change, ui: { isInEnglish } }) => {
    const text = isInEnglish
      ? "Events in the couriers' own words."
      : 'Events in English. Sentences that are not in the phrase book are not translated.';
    change({ isInEnglish: !isInEnglish, timelineOffset: 0, message: { tone: 'plain', text } });
  },
};

export const toggleFacts: Binding = {
  id: 'facts',
  keys: ['i'],
  hint: ({ ui }) => (ui.focus === 'timeline' ? 'facts' : null),
  description: 'Facts: next check, weight',
  synonyms: ['info', 'weight', 'service', 'record'],
  run: ({ change }) => change(({ showsFacts }) => ({ showsFacts: !showsFacts, timelineOffset: 0 })),
};

export const timelineKeys: KeyGroup = {
  context: 'timeline',
  title: 'Timeline',
  ...groupByTask([
    {
      title: 'Timeline',
      bindings: [
        {
          id: 'to-list',
          keys: ['h', 'left'],
          hint: 'list',
          description: 'Back to the list',
          alwaysShown: true,
          run: ({ change }) => change({ focus: 'list' }),
        },
        {
          id: 'zoom-timeline',
          keys: ['enter'],
          hint: (board) => (isSingle(board) ? null : 'zoom'),
          description: 'Zoom the timeline',
          synonyms: ['zoom', 'fullscreen'],
          ...zoomIn,
        },
      ],
    },
    { title: 'Move in the timeline', bindings: movementKeys(scrollTimeline) },
  ]),
};

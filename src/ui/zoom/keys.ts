import type { SeenBoard } from '../board.ts';
import type { Binding } from '../keys/binding.ts';

const isSingle = ({ layout }: SeenBoard): boolean => layout.kind === 'single';

/** Gives the focused pane the whole window. */
export const zoomIn: Pick<Binding, 'disabled' | 'run'> = {
  disabled: (board) => (isSingle(board) ? 'This pane has the whole window already; - shows both.' : null),
  run: ({ change }) => change({ zoom: true }),
};

/** The keys that give one pane the window, and bring both back. */
export const zoomKeys: readonly Binding[] = [
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

import type { Change } from '../change.ts';
import type { Binding } from '../keys/binding.ts';
import type { Layout } from '../layout.ts';
import type { ZoomState } from './state.ts';

/** The board, as far as the keys of the zoom need it. */
interface ZoomBoard {
  readonly change: Change<ZoomState>;
  readonly layout: Layout;
}

const isSingle = ({ layout }: ZoomBoard): boolean => layout.kind === 'single';

/** Gives the focused pane the whole window. */
export const zoomIn: Pick<Binding<ZoomBoard>, 'disabled' | 'run'> = {
  disabled: (board) => (isSingle(board) ? 'This pane has the whole window already; - shows both.' : null),
  run: ({ change }) => change({ zoom: true }),
};

/** The keys that give one pane the window, and bring both back. */
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

import type { Board } from '../board.ts';
import { neighbourPane } from '../layout.ts';
import type { Binding } from './binding.ts';

type Movement = 'down' | 'up' | 'first' | 'last' | 'page-down' | 'page-up' | 'half-page-down' | 'half-page-up';

export type Move = (board: Board, by: number) => void;

const distances: Readonly<Record<Movement, (pageRows: number) => number>> = {
  down: () => 1,
  up: () => -1,
  first: () => Number.NEGATIVE_INFINITY,
  last: () => Number.POSITIVE_INFINITY,
  'page-down': (pageRows) => Math.max(1, pageRows - 1),
  'page-up': (pageRows) => -Math.max(1, pageRows - 1),
  'half-page-down': (pageRows) => Math.max(1, Math.floor(pageRows / 2)),
  'half-page-up': (pageRows) => -Math.max(1, Math.floor(pageRows / 2)),
};

export function movement(kind: Movement, move: Move): Pick<Binding, 'run' | 'repeats'> {
  const run: Binding['run'] = (board, times) => move(board, distances[kind](board.scroll.rows) * times);
  if (kind === 'first' || kind === 'last') return { run };
  return { run, repeats: kind === 'down' || kind === 'up' ? 'row' : 'page' };
}

export const movementKeys = (move: Move): readonly Binding[] => [
  { id: 'down', keys: ['j', 'down'], description: 'Down', ...movement('down', move) },
  { id: 'up', keys: ['k', 'up'], description: 'Up', ...movement('up', move) },
  { id: 'first', keys: ['g', 'home'], description: 'Go to the first', ...movement('first', move) },
  { id: 'last', keys: ['G', 'end'], description: 'Go to the last', ...movement('last', move) },
  { id: 'half-page-down', keys: ['ctrl+d'], description: 'Half a page down', ...movement('half-page-down', move) },
  { id: 'half-page-up', keys: ['ctrl+u'], description: 'Half a page up', ...movement('half-page-up', move) },
  { id: 'page-down', keys: ['pageDown'], description: 'A page down', ...movement('page-down', move) },
  { id: 'page-up', keys: ['pageUp'], description: 'A page up', ...movement('page-up', move) },
];

export const movementBelowField = (what: string, move: Move): readonly Binding[] => [
  { keys: ['down', 'ctrl+n', 'tab'], hint: 'next', description: `Next ${what}`, ...movement('down', move) },
  { keys: ['up', 'ctrl+p', 'shift+tab'], hint: 'previous', description: `Previous ${what}`, ...movement('up', move) },
  { keys: ['pageDown'], description: 'A page down', ...movement('page-down', move) },
  { keys: ['pageUp'], description: 'A page up', ...movement('page-up', move) },
];

const steppingPane =
  (step: 1 | -1): Binding['run'] =>
  ({ change, layout, ui }) =>
    change({ focus: neighbourPane(ui.focus, step, layout.kind === 'single' && layout.isZoomed) });

export const nextPane: Binding = { id: 'next-pane', keys: ['tab'], description: 'Next pane', run: steppingPane(1) };

export const previousPane: Binding = {
  id: 'previous-pane',
  keys: ['shift+tab'],
  description: 'Previous pane',
  run: steppingPane(-1),
};

import type { Completions } from '../../board/input/completions.ts';
import type { BoardSetup } from '../../settings/setup/board-setup.ts';
import type { Board } from '../board.ts';
import { type Focus, neighbourPane } from '../layout.ts';
import type { TextEdit } from '../text-edit.ts';
import type { OverlayName, UiState } from '../ui-state.ts';

/** Where a key is looked up: the focused pane or overlay, then `field` while typing, then `global`. */
export type KeyContext =
  | Focus
  | OverlayName
  | 'global'
  | 'field'
  | 'prompt'
  | 'confirm'
  | 'picker'
  | 'news-filter'
  | 'order'
  | 'columns'
  | 'setup'
  | 'setup-field';

export interface Command {
  /** The word after the colon. */
  readonly name: string;
  /** What to type after the word, such as `NAME`. */
  readonly argument: string;
  /** Returns the arguments that can be completed. Absent if there aren't any. */
  readonly suggestions?: (board: Board) => readonly string[];
  readonly run: (board: Board, argument: string) => void;
}

/** A key and its action. Also the source of the footer, the help, and the table of keys in the README. */
export interface Binding {
  /** The name of the action in the setting `keys`. Absent if its keys cannot be changed. */
  readonly id?: string;
  /** Empty for commands that only the palette offers. */
  readonly keys: readonly string[];
  /** The first default key, if the user changed the keys. It decides the position in the footer. */
  readonly defaultKey?: string;
  /** The text in the footer, or a function that returns it, or null for none. By default, there is none. */
  readonly hint?: string | ((board: Board) => string | null);
  readonly description: string;
  /** Returns what the key would do now, for the help, or null if the description says enough. */
  readonly detail?: (board: Board) => string | null;
  /** Synonyms for the search in the help, such as what other programs call the action. */
  readonly synonyms?: readonly string[];
  /** Whether the key also works while typing and in overlays. */
  readonly always?: boolean;
  readonly alwaysShown?: boolean;
  readonly repeats?: 'row' | 'page';
  readonly opensField?: boolean;
  /** The palette command, such as `:courier dhl`. Absent for actions that only have keys. */
  readonly command?: Command;
  /** Whether the action changes the list or calls the service. It is then disabled on a read-only board. */
  readonly writes?: boolean;
  /** Returns why the action is not possible now, or null. */
  readonly disabled?: (board: Board) => string | null;
  /**
   * @param times number of presses in a row; always 1 for keys that do not repeat
   * @param which index of the pressed key in `keys`; absent if the help ran the action
   */
  readonly run: (board: Board, times: number, keyIndex?: number) => void;
}

/** Returns why a binding cannot be used now, as a sentence, or null. */
export function disabledReason(binding: Binding, board: Board): string | null {
  const readOnly = binding.writes === true ? board.state.polling.readOnly : null;
  return readOnly ?? binding.disabled?.(board) ?? null;
}

export interface EditedText {
  readonly read: (ui: UiState) => TextEdit;
  readonly write: (ui: UiState, edit: TextEdit) => Partial<UiState>;
  /** Completes the text before the cursor. Returns null if nothing matches. */
  readonly complete?: (board: Board) => Completions | null;
  /** Whether the text is secret, so that what is cut from it cannot be pasted into other fields. */
  readonly isSecret?: (ui: UiState) => boolean;
}

interface Task {
  readonly title: string;
  readonly bindings: readonly Binding[];
}

export const groupByTask = (tasks: readonly Task[]): Pick<KeyGroup, 'bindings' | 'tasks'> => ({
  bindings: tasks.flatMap(({ bindings }) => bindings),
  tasks,
});

export interface KeyGroup {
  readonly context: KeyContext;
  readonly title: string;
  readonly bindings: readonly Binding[];
  /** The same bindings, grouped by task. Absent if they are all one task. */
  readonly tasks?: readonly Task[];
  /** Whether global keys are disabled, because letters are text or because the overlay has its own keys. */
  readonly isClosed?: boolean;
  /** The text that the user edits by typing. */
  readonly text?: EditedText;
}

/** Returns why an action on the selected parcel is not possible, or null. */
export function needsSelection({ heading, selected }: Pick<Board, 'heading' | 'selected'>): string | null {
  if (selected !== null) return null;
  if (heading === null) return 'No parcel is selected. Press a to add one.';
  return heading.isCollapsed
    ? 'This is a group. Press Enter to expand it.'
    : 'This is a group. Press j to go to its first parcel.';
}

/** Returns why an action that calls the service is not possible, or null. */
export const needsService = ({ setup }: { readonly setup: BoardSetup }): string | null =>
  setup.kind === 'ready' ? null : 'The service is not set up. Press C to set it up, or try parcel-monitor --demo.';

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

export const fieldMovementKeys = (what: string, move: Move): readonly Binding[] => [
  { keys: ['down', 'ctrl+n', 'tab'], hint: 'next', description: `Next ${what}`, ...movement('down', move) },
  { keys: ['up', 'ctrl+p', 'shift+tab'], hint: 'previous', description: `Previous ${what}`, ...movement('up', move) },
  { keys: ['pageDown'], description: 'A page down', ...movement('page-down', move) },
  { keys: ['pageUp'], description: 'A page up', ...movement('page-up', move) },
];

const focusNeighbour =
  (step: 1 | -1): Binding['run'] =>
  ({ change, layout, ui }) =>
    change({ focus: neighbourPane(ui.focus, step, layout.kind === 'single' && layout.isZoomed) });

export const nextPane: Binding = { id: 'next-pane', keys: ['tab'], description: 'Next pane', run: focusNeighbour(1) };

export const previousPane: Binding = {
  id: 'previous-pane',
  keys: ['shift+tab'],
  description: 'Previous pane',
  run: focusNeighbour(-1),
};

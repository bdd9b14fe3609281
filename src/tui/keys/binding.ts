import type { Completions } from '../../board/input/completions.ts';
import type { BoardSetup } from '../../settings/setup/setup-lines.ts';
import type { Board } from '../board.ts';
import type { TextEdit } from '../field/text-edit.ts';
import type { UiState } from '../ui-state.ts';

/** Where a key is looked up: the focused pane or overlay, then `field` while typing, then `global`. */
export type KeyContext =
  | 'global'
  | 'field'
  | 'list'
  | 'timeline'
  | 'add'
  | 'filter'
  | 'prompt'
  | 'confirm'
  | 'picker'
  | 'news'
  | 'news-filter'
  | 'arrivals'
  | 'statistics'
  | 'scan'
  | 'order'
  | 'columns'
  | 'help'
  | 'details'
  | 'output'
  | 'setup'
  | 'setup-field';

export interface Command {
  /** The word after the colon. */
  readonly name: string;
  /** What to type after the word, such as `NAME`. */
  readonly argument: string;
  /** Completes the argument. Absent if nothing can be completed. */
  readonly known?: (board: Board) => readonly string[];
  readonly run: (board: Board, argument: string) => void;
}

/** A key and its action: the source of input, footer, help and the README's table. */
export interface Binding {
  /** The name of the action in the setting `keys`. Absent if its keys cannot be changed. */
  readonly id?: string;
  /** Empty for commands that only the palette offers. */
  readonly keys: readonly string[];
  /** Its first default key, which decides its place in the footer. */
  readonly defaultKey?: string;
  /** For the footer. Bindings without one are only in the help. */
  readonly hint?: string;
  readonly hintNow?: (board: Board) => string;
  readonly description: string;
  /** Description of its current effect, for the help, or null if the description is enough. */
  readonly detail?: (board: Board) => string | null;
  /** Synonyms for the search in the help, such as names of the action in other programs. */
  readonly alsoFoundBy?: readonly string[];
  /** Also works while typing and in overlays. */
  readonly always?: boolean;
  /** Whether the footer shows its hint now. Defaults to always. */
  readonly isHinted?: (board: Board) => boolean;
  readonly alwaysShown?: boolean;
  readonly repeats?: 'row' | 'page';
  readonly leadsToField?: boolean;
  /** Command in the palette, such as `:courier dhl`. Absent for actions that only have keys. */
  readonly command?: Command;
  /** Changes the list or calls the service, so it does not work on a read-only board. */
  readonly writes?: boolean;
  /** Why it is not possible now, or null. */
  readonly disabled?: (board: Board) => string | null;
  /**
   * @param times how often it was pressed in a row; 1 except for repeating keys
   * @param which index of the pressed key among its keys; absent from the help
   */
  readonly run: (board: Board, times: number, which?: number) => void;
}

/** Returns why a key cannot be used, as a sentence, or null. */
export function whyDisabled(binding: Binding, board: Board): string | null {
  const readOnly = binding.writes === true ? board.state.polling.readOnly : null;
  return readOnly ?? binding.disabled?.(board) ?? null;
}

export interface EditedText {
  readonly read: (ui: UiState) => TextEdit;
  readonly write: (ui: UiState, edit: TextEdit) => Partial<UiState>;
  /** Completes the text before the cursor. Returns null without matches. Absent if nothing can be completed. */
  readonly complete?: (board: Board) => Completions | null;
  /** Whether cuts must not be pasted into other fields. */
  readonly isSecret?: (ui: UiState) => boolean;
}

interface Task {
  readonly title: string;
  readonly bindings: readonly Binding[];
}

/** A group's bindings and its tasks. */
export const byTask = (tasks: readonly Task[]): Pick<KeyGroup, 'bindings' | 'tasks'> => ({
  bindings: tasks.flatMap(({ bindings }) => bindings),
  tasks,
});

export interface KeyGroup {
  readonly context: KeyContext;
  readonly title: string;
  readonly bindings: readonly Binding[];
  /** The same bindings by task. Without it, the group is one task. */
  readonly tasks?: readonly Task[];
  /** Whether global keys do not apply, because letters are text or the overlay has its own keys. */
  readonly isClosed?: boolean;
  /** The text that typing edits. */
  readonly text?: EditedText;
}

/** Returns why a key for the selected parcel cannot be used, or null. */
export function needsSelection({ heading, selected }: Pick<Board, 'heading' | 'selected'>): string | null {
  if (selected !== null) return null;
  if (heading === null) return 'No parcel is selected. Press a to add one.';
  return heading.isCollapsed
    ? 'This is a group. Press Enter to expand it.'
    : 'This is a group. Press j for its first parcel.';
}

/** Returns why a key that calls the service cannot be used, or null. */
export const needsService = ({ setup }: { readonly setup: BoardSetup }): string | null =>
  setup.kind === 'ready' ? null : 'The service is not set up. Press C to set it up, or try parcel-monitor --demo.';

import type { Completions } from '../../board/input/completions.ts';
import type { BoardSetup } from '../../settings/setup/setup-lines.ts';
import type { Board } from '../board.ts';
import type { TextEdit } from '../field/text-edit.ts';
import type { UiState } from '../ui-state.ts';

/** Where a key is looked up: the focused pane or overlay, then `field` where a line is typed, then `global`. */
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
  | 'scan'
  | 'order'
  | 'help'
  | 'details'
  | 'setup'
  | 'setup-field';

/**
 * A key with what it does: the single source of input, footer, help and the README's table.
 */
export interface Binding {
  readonly keys: readonly string[];
  /** For the footer; bindings without one are only in the help. */
  readonly hint?: string;
  readonly hintNow?: (board: Board) => string;
  readonly description: string;
  /** Further words that a search in the help finds it by, as other programs call it; never shown. */
  readonly alsoFoundBy?: readonly string[];
  /** Holds while typing and in overlays, too. */
  readonly always?: boolean;
  /** Whether the footer shows its hint now; always where it is absent. */
  readonly isHinted?: (board: Board) => boolean;
  readonly alwaysShown?: boolean;
  readonly repeats?: 'row' | 'page';
  readonly leadsToField?: boolean;
  /** It changes the watchlist or asks the service, which a board cannot that can only read. */
  readonly writes?: boolean;
  /** Why it cannot be done now, as a sentence; null when it can. */
  readonly disabled?: (board: Board) => string | null;
  /** @param times how often it was pressed in a row; 1 but for keys that repeat */
  readonly run: (board: Board, times: number) => void;
}

/** Why a key cannot be used, as a sentence; null when it can. */
export function whyDisabled(binding: Binding, board: Board): string | null {
  const readOnly = binding.writes === true ? board.state.polling.readOnly : null;
  return readOnly ?? binding.disabled?.(board) ?? null;
}

export interface EditedText {
  readonly read: (ui: UiState) => TextEdit;
  readonly write: (ui: UiState, edit: TextEdit) => Partial<UiState>;
  /** What can be completed before its cursor; null for nothing. Absent where nothing ever can. */
  readonly complete?: (board: Board) => Completions | null;
  /** Whether what is cut out of it must not be inserted elsewhere; it may where this is absent. */
  readonly isSecret?: (ui: UiState) => boolean;
}

export interface KeyGroup {
  readonly context: KeyContext;
  readonly title: string;
  readonly bindings: readonly Binding[];
  readonly parts?: readonly { readonly title: string; readonly bindings: readonly Binding[] }[];
  /** Whether the keys that hold everywhere are not looked up here: letters are text, or the overlay has its own. */
  readonly isClosed?: boolean;
  /** What is edited by text, and by the keys that hold while typing. */
  readonly text?: EditedText;
}

/** Why a key that acts on the selected parcel cannot be used; null when it can. */
export function needsSelection({ heading, selected }: Pick<Board, 'heading' | 'selected'>): string | null {
  if (selected !== null) return null;
  if (heading === null) return 'No parcel is selected. Press a to add one.';
  return heading.isCollapsed
    ? 'This is a group. Press Enter to expand it.'
    : 'This is a group. Press j for its first parcel.';
}

/** Why a key that sends a request cannot be used; null when it can. */
export const needsService = ({ setup }: { readonly setup: BoardSetup }): string | null =>
  setup.kind === 'ready'
    ? null
    : 'The service is not set up. Press C to set it up, or try parcel-monitor --demo.';

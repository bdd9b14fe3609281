import type { UiState } from '../state.ts';

/** How a board was looked at while its list was read: so it opens. */
export interface SeenAhead {
  /** Of a board on which something was pressed it names what was selected in its frame. */
  readonly ui: UiState;
  /** Rows of the list's window above the selected one; with another window it moves no further than it has to. */
  readonly rowsAbove: number;
}

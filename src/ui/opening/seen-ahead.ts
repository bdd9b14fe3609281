import type { UiState } from '../state.ts';

/** How a board was looked at while its list was read: so it opens. */
export interface SeenAhead {
  readonly ui: UiState;
  /** Rows of the list's window above the selected one; with another window it moves no further than it has to. */
  readonly rowsAbove: number;
  /** The parcel that was selected; null for none. */
  readonly selectedId: string | null;
}

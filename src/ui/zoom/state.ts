/** Which panes the window shows. */
export interface ZoomState {
  /** Whether the focused pane has the window for itself, as the user wanted it; null lets the window's size decide. */
  readonly zoom: boolean | null;
}

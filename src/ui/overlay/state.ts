/** The overlay's part of the state: a text in place of the panes. */
export interface OverlayState {
  readonly overlay: 'help' | 'details' | null;
  /** Lines above the window. */
  readonly overlayOffset: number;
}

/** Opens an overlay at its beginning, or closes it. */
export const showOverlay = (overlay: OverlayState['overlay']): OverlayState => ({ overlay, overlayOffset: 0 });

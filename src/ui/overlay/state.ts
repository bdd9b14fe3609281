import type { BoardSetup } from '../../board/setup/board-setup.ts';

/** Texts that stand in place of the panes. */
export type OverlayName = 'help' | 'details' | 'setup';

/** The overlay's part of the state. */
export interface OverlayState {
  /** What the user opened. */
  readonly overlay: 'help' | 'details' | null;
  /** Rows above the window. */
  readonly overlayOffset: number;
  /** Rows of the whole text, as it was drawn last. */
  readonly overlayRows: number;
}

/** Opens an overlay at its beginning, or closes it. */
export const showOverlay = (overlay: OverlayState['overlay']): OverlayState => ({
  overlay,
  overlayOffset: 0,
  overlayRows: 0,
});

/** The overlay that is seen: how to set up where nothing is set up and there is nothing to list; null for none. */
export function shownOverlay(
  opened: OverlayState['overlay'],
  setup: BoardSetup,
  hasOthers: boolean,
): OverlayName | null {
  if (opened !== null) return opened;
  return setup.kind === 'not-set-up' && !hasOthers ? 'setup' : null;
}

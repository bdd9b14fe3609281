import type { Line } from '../../board/text/line.ts';
import type { Scroll } from '../pane/scroll.ts';

/** Texts that stand in place of the panes. */
export type OverlayName = 'help' | 'details' | 'setup' | 'news' | 'scan';

/** The overlay's part of the state. */
export interface OverlayState {
  /** What the user opened. */
  readonly overlay: 'help' | 'details' | 'news' | 'scan' | null;
  /** Rows above the window. */
  readonly overlayOffset: number;
}

/** A text in place of the panes, as far as it is in sight. */
export interface ShownOverlay {
  readonly name: OverlayName;
  readonly lines: readonly Line[];
  readonly scroll: Scroll;
  /** What can be selected in it, in sight or not. */
  readonly choices: readonly Choice[];
}

/** Something in an overlay that can be selected. */
export interface Choice {
  /** Its rows in the whole text, the last one not included. */
  readonly from: number;
  readonly to: number;
  /** Why it cannot be done now, as a sentence; null when it can. */
  readonly why: string | null;
  readonly run: () => void;
}

/** Opens an overlay at its beginning, or closes it. */
export const showOverlay = (overlay: OverlayState['overlay']): OverlayState => ({ overlay, overlayOffset: 0 });

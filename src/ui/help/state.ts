import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { type OverlayState, showOverlay } from '../overlay/state.ts';

/** The help's part of the state. */
export interface HelpState {
  /** What is searched for in it. */
  readonly helpQuery: TextEdit;
  /** The selected one of what it lists; -1 while none is. */
  readonly helpIndex: number;
  /** What the help was opened over, which comes back when it is closed; null for the panes. */
  readonly helpCovers: OverlayState | null;
}

/** A help that nothing was searched for in. */
export const freshHelp: Pick<HelpState, 'helpQuery' | 'helpIndex'> = { helpQuery: emptyEdit, helpIndex: -1 };

/** Opens the help over whatever is open. */
export const showHelp = ({
  helpCovers,
  overlay,
  overlayOffset,
}: HelpState & OverlayState): HelpState & OverlayState => ({
  ...showOverlay('help'),
  ...freshHelp,
  helpCovers: overlay === 'help' ? helpCovers : overlay === null ? null : { overlay, overlayOffset },
});

/** What the user opened besides the help. */
export const openedBesideHelp = ({
  helpCovers,
  overlay,
}: Pick<HelpState & OverlayState, 'helpCovers' | 'overlay'>): OverlayState['overlay'] =>
  overlay === 'help' ? (helpCovers?.overlay ?? null) : overlay;

/** Closes the help: what it was opened over is there again. */
export const closeHelp = ({
  helpCovers,
  overlay,
  overlayOffset,
}: HelpState & OverlayState): HelpState & OverlayState => ({
  ...freshHelp,
  ...(overlay === 'help' ? (helpCovers ?? showOverlay(null)) : { overlay, overlayOffset }),
  helpCovers: null,
});

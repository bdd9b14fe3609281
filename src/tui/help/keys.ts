import type { Line } from '../../lib/paint.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { type CanShow, type FooterState, showMessage } from '../footer/messages.ts';
import type { Binding, Change, KeyGroup } from '../keys/binding.ts';
import { movementBelowField, type Scrolled } from '../keys/movement.ts';
import { movedWithin, type Scroll } from '../pane/frame.ts';

export type OverlayName = 'help' | 'details' | 'setup' | 'news' | 'scan';

export interface OverlayState {
  readonly overlay: 'help' | 'details' | 'news' | 'scan' | null;
  readonly overlayOffset: number;
}

export interface ShownOverlay {
  readonly name: OverlayName;
  readonly lines: readonly Line[];
  readonly scroll: Scroll;
  /** What can be selected in it, in sight or not. */
  readonly choices: readonly Choice[];
}

interface Choice {
  /** Its rows in the whole text, the last one not included. */
  readonly from: number;
  readonly to: number;
  /** Why it cannot be done now, as a sentence; null when it can. */
  readonly why: string | null;
  readonly run: () => void;
}

export const showOverlay = (overlay: OverlayState['overlay']): OverlayState => ({ overlay, overlayOffset: 0 });

export interface HelpState {
  readonly helpQuery: TextEdit;
  /** The selected one of what it lists; -1 while none is. */
  readonly helpIndex: number;
  /** What the help was opened over, which comes back when it is closed; null for the panes. */
  readonly helpCovers: OverlayState | null;
}

export const freshHelp: Pick<HelpState, 'helpQuery' | 'helpIndex'> = { helpQuery: emptyEdit, helpIndex: -1 };

const showHelp = ({ helpCovers, overlay, overlayOffset }: HelpState & OverlayState): HelpState & OverlayState => ({
  ...showOverlay('help'),
  ...freshHelp,
  helpCovers: overlay === 'help' ? helpCovers : overlay === null ? null : { overlay, overlayOffset },
});

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

export interface HelpOpener {
  readonly change: Change<HelpState & OverlayState>;
}

interface HelpBoard extends CanShow, Scrolled {
  readonly change: Change<FooterState & HelpState & OverlayState>;
  readonly ui: HelpState;
  readonly overlay: ShownOverlay | null;
}

export const openHelp: Binding<HelpOpener> = {
  keys: ['?'],
  hint: 'help',
  description: 'All keys; type what you want to do, and Enter does it',
  alsoFoundBy: ['signs', 'legend'],
  alwaysShown: true,
  leadsToField: true,
  run: ({ change }) => change(showHelp),
};

/** Moves the selection, with the window behind it; beyond its ends only the window, as the text goes on there. */
function move({ change, overlay, scroll, ui }: HelpBoard, by: number): void {
  const choices = overlay?.choices ?? [];
  const helpIndex = movedWithin(ui.helpIndex, by, choices.length - 1);
  const choice = choices[helpIndex];
  if (choice === undefined || helpIndex === ui.helpIndex) {
    change({ overlayOffset: movedWithin(scroll.offset, by, scroll.last) });
    return;
  }
  // A heading stands above the first one.
  const top = helpIndex === 0 ? 0 : choice.from;
  const inSight = Math.min(Math.max(scroll.offset, choice.to - scroll.rows), top);
  const beyond = by - (helpIndex - ui.helpIndex);
  change({ helpIndex, overlayOffset: movedWithin(inSight, beyond, scroll.last) });
}

const isSearched = ({ ui }: HelpBoard): boolean => ui.helpQuery.text.trim() !== '';

function doSelected(board: HelpBoard): void {
  const { change, overlay, ui } = board;
  const choice = overlay?.choices[ui.helpIndex];
  if (choice === undefined && isSearched(board)) return;
  if (choice?.why != null) {
    showMessage(board, choice.why);
    return;
  }
  change(closeHelp);
  choice?.run();
}

function goBack({ change, ui }: HelpBoard): void {
  if (ui.helpQuery.text === '') change(closeHelp);
  else change({ ...freshHelp, overlayOffset: 0 });
}

export const helpKeys: KeyGroup<HelpState & OverlayState, HelpBoard> = {
  context: 'help',
  title: 'Help',
  isClosed: true,
  text: {
    read: ({ helpQuery }) => helpQuery,
    write: ({ helpIndex, helpQuery, overlayOffset }, edit) => {
      if (edit.text === helpQuery.text) return { helpQuery: edit, helpIndex, overlayOffset };
      return { helpQuery: edit, helpIndex: edit.text.trim() === '' ? -1 : 0, overlayOffset: 0 };
    },
  },
  bindings: [
    ...movementBelowField('key', move),
    {
      keys: ['enter'],
      hint: 'do it',
      hintNow: (board) => (board.ui.helpIndex < 0 && !isSearched(board) ? 'close' : 'do it'),
      description: 'Do what is selected',
      alwaysShown: true,
      run: doSelected,
    },
    {
      keys: ['escape'],
      hint: 'back',
      description: 'Clear what was typed, then close the help',
      alwaysShown: true,
      run: goBack,
    },
    { keys: ['?'], description: 'Close the help', run: ({ change }) => change(closeHelp) },
  ],
};

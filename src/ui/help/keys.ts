import type { Change } from '../change.ts';
import { type CanShow, showMessage } from '../footer/messages.ts';
import type { FooterState } from '../footer/state.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { movementBelowField, type Scrolled } from '../keys/movement.ts';
import type { OverlayState, ShownOverlay } from '../overlay/state.ts';
import { movedWithin } from '../pane/scroll.ts';
import { closeHelp, freshHelp, type HelpState, showHelp } from './state.ts';

/** A board over which the help can be opened. */
export interface HelpOpener {
  readonly change: Change<HelpState & OverlayState>;
}

/** The board, as far as the keys of the help need it. */
interface HelpBoard extends CanShow, Scrolled {
  readonly change: Change<FooterState & HelpState & OverlayState>;
  readonly ui: HelpState;
  readonly overlay: ShownOverlay | null;
}

/** The key that opens the help. */
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

/** Does what is selected, where the help was opened. */
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

/** Keys of the help. */
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

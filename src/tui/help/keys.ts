import type { Board } from '../board.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { movementBelowField } from '../keys/movement.ts';
import { movedWithin } from '../pane/frame.ts';
import type { OverlayState, UiState } from '../ui-state.ts';

export const showOverlay = (overlay: OverlayState['overlay']): OverlayState => ({ overlay, overlayOffset: 0 });

const freshHelp: Pick<UiState, 'helpQuery' | 'helpIndex'> = { helpQuery: emptyEdit, helpIndex: -1 };

const showHelp = ({ helpCovers, overlay, overlayOffset }: UiState): Partial<UiState> => ({
  ...showOverlay('help'),
  ...freshHelp,
  helpCovers: overlay === 'help' ? helpCovers : overlay === null ? null : { overlay, overlayOffset },
});

export const openedBesideHelp = ({
  helpCovers,
  overlay,
}: Pick<UiState, 'helpCovers' | 'overlay'>): OverlayState['overlay'] =>
  overlay === 'help' ? (helpCovers?.overlay ?? null) : overlay;

/** Closes the help and restores what was below. */
export const closeHelp = ({ helpCovers, overlay, overlayOffset }: UiState): Partial<UiState> => ({
  ...freshHelp,
  ...(overlay === 'help' ? (helpCovers ?? showOverlay(null)) : { overlay, overlayOffset }),
  helpCovers: null,
});

export const openHelp: Binding = {
  keys: ['?'],
  hint: 'help',
  description: 'Help: type an action, Enter runs it',
  alsoFoundBy: ['signs', 'legend'],
  alwaysShown: true,
  leadsToField: true,
  run: ({ change }) => change(showHelp),
};

/** Moves the selection and the window with it; beyond the ends only the window. */
function move({ change, overlay, scroll, ui }: Board, by: number): void {
  const choices = overlay?.choices ?? [];
  const helpIndex = movedWithin(ui.helpIndex, by, choices.length - 1);
  const choice = choices[helpIndex];
  if (choice === undefined || helpIndex === ui.helpIndex) {
    change({ overlayOffset: movedWithin(scroll.offset, by, scroll.last) });
    return;
  }
  // A heading is above the first key.
  const top = helpIndex === 0 ? 0 : choice.from;
  const inSight = Math.min(Math.max(scroll.offset, choice.to - scroll.rows), top);
  const beyond = by - (helpIndex - ui.helpIndex);
  change({ helpIndex, overlayOffset: movedWithin(inSight, beyond, scroll.last) });
}

const isSearched = ({ ui }: Board): boolean => ui.helpQuery.text.trim() !== '';

function doSelected(board: Board): void {
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

function goBack({ change, ui }: Board): void {
  if (ui.helpQuery.text === '') change(closeHelp);
  else change({ ...freshHelp, overlayOffset: 0 });
}

export const helpKeys: KeyGroup = {
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
      description: 'Run the selected action',
      alwaysShown: true,
      run: doSelected,
    },
    {
      keys: ['escape'],
      hint: 'back',
      description: 'Clear the text, then close the help',
      alwaysShown: true,
      run: goBack,
    },
    { keys: ['?'], description: 'Close the help', run: ({ change }) => change(closeHelp) },
  ],
};

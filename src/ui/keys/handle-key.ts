import { openBarWith } from '../add/submit.ts';
import type { Board } from '../board.ts';
import { pastedText } from '../field/pasted-text.ts';
import { showMessage } from '../footer/messages.ts';
import { takePasteWhereOneChooses } from '../setup/paste.ts';
import { keyContextOf } from '../state.ts';
import { longestPaste } from '../terminal/unfinished-paste.ts';
import type { KeyPress } from './key-names.ts';
import { findBinding, keysOf } from './keymap.ts';

/**
 * Does what a key means where the focus is. A message stays until the next key.
 * @param times how often it was pressed in a row; 1 but for keys that repeat
 */
export function handleKey(board: Board, press: KeyPress, times = 1): void {
  const { change, ui } = board;
  const context = keyContextOf(ui);
  change({ message: null });
  const binding = findBinding(context, press.name);
  if (binding !== null) {
    const why = binding.disabled?.(board) ?? null;
    if (why === null) binding.run(board, times);
    else showMessage(board, why);
    return;
  }
  if (press.text !== null) board.editLine({ kind: 'insert', text: press.text });
}

const cutMessage = `The line is full: it takes ${longestPaste} characters. "parcel-monitor import" reads files of any length.`;

/** A paste goes where text goes: the field that has the focus, else the input bar. */
export function handlePaste(board: Board, paste: string): void {
  const { change, ui } = board;
  const context = keyContextOf(ui);
  const { text: edited } = keysOf(context);
  const goesToBar = edited === undefined || context === 'add';
  const held = edited === undefined ? ui.draft : edited.read(ui);
  const room = Math.max(0, longestPaste - held.text.length);
  const text = pastedText(paste.slice(0, room), goesToBar ? '\n' : ', ');
  const isCut = paste.length > room;
  if (text === '' && !isCut) return;
  if (isCut) showMessage(board, cutMessage, { tone: 'attention' });
  else change({ message: null });
  if (context === 'confirm' || (context === 'setup' && takePasteWhereOneChooses(board, text))) return;
  if (goesToBar) openBarWith(board, text, context === 'add');
  else board.editLine({ kind: 'insert', text });
}

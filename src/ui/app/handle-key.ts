import { cleanText } from '../../service/text/clean-text.ts';
import { longestLine, pastedText } from '../field/pasted-text.ts';
import { showMessage } from '../footer/messages.ts';
import { whyDisabled } from '../keys/binding.ts';
import type { KeyPress } from '../keys/key-names.ts';
import { takePaste } from '../scan/take-paste.ts';
import { takePasteWhereOneChooses } from '../setup/paste.ts';
import type { Board } from './board.ts';
import { findBinding, keysOf } from './keymap.ts';
import { keyContextOf } from './state.ts';

/**
 * Does what a key means where the focus is. A message stays until the next key. Answers whether those of it that follow in a
 * row may be done as one.
 * @param times how often it was pressed in a row; 1 but for keys that repeat
 */
export function handleKey(board: Board, press: KeyPress, times = 1): boolean {
  board.change({ message: null });
  const binding = findBinding(keyContextOf(board.ui), press.name);
  if (binding === null) return false;
  const why = whyDisabled(binding, board);
  if (why === null) binding.run(board, times);
  else showMessage(board, why);
  return binding.repeats !== undefined;
}

/** Whether a key is typed where the focus is, and does nothing else. */
export const isTyped = ({ ui }: Board, { name, text }: KeyPress): boolean => {
  const context = keyContextOf(ui);
  return text !== null && keysOf(context).text !== undefined && findBinding(context, name) === null;
};

/** Inserts what was typed into the line that is edited. */
export function typeText(board: Board, text: string): void {
  const { change, ui } = board;
  change({ message: null });
  const typed = typedText(text);
  if (typed === '') return;
  const length = keysOf(keyContextOf(ui)).text?.read(ui).text.length ?? 0;
  if (length + typed.length > longestLine) showMessage(board, cutMessage, { tone: 'attention' });
  else board.editLine({ kind: 'insert', text: typed });
}

/** What no label keeps is not shown as if it did: joiners, variation selectors, what turns the line around. A blank stays one. */
const typedText = (text: string): string => (text.trim() === '' ? text : cleanText(text));

const cutMessage = `The line is full: it takes ${longestLine} characters. "parcel-monitor import" reads files of any length.`;

/** A paste goes where text goes: the field that has the focus; else it may be numbers to add. */
export function handlePaste(board: Board, paste: string): void {
  const { change, ui } = board;
  const context = keyContextOf(ui);
  const { text: edited } = keysOf(context);
  change({ message: null });
  if (context === 'confirm') return;
  if (context === 'setup' && takePasteWhereOneChooses(board, pastedText(paste.slice(0, longestLine), '\n'))) return;
  if (edited === undefined || context === 'add') {
    const { readOnly } = board.state.polling;
    if (readOnly === null) takePaste(board, paste);
    else showMessage(board, readOnly);
    return;
  }
  const room = Math.max(0, longestLine - edited.read(ui).text.length);
  const text = pastedText(paste.slice(0, room), ', ');
  if (paste.length > room) showMessage(board, cutMessage, { tone: 'attention' });
  if (text !== '') board.editLine({ kind: 'insert', text });
}

import { cleanText } from '../../lib/clean-text.ts';
import { longestLine } from '../field/field-window.ts';
import { showMessage } from '../footer/messages.ts';
import { whyDisabled } from '../keys/binding.ts';
import type { KeyPress } from '../keys/key-names.ts';
import { cutMessage } from './handle-paste.ts';
import { findBinding, keysOf } from './keymap.ts';
import { type Board, keyContextOf } from './state.ts';

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

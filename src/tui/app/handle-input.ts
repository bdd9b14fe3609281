import { readEnteredText } from '../../board/input/entered-text.ts';
import { pastedTextKind } from '../../board/scan/scan-row.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { openBarWith } from '../add/submit.ts';
import { longestLine, pastedText } from '../field/field-window.ts';
import { showMessage } from '../footer/messages.ts';
import { type KeyContext, whyDisabled } from '../keys/binding.ts';
import type { KeyPress } from '../keys/key-names.ts';
import { scanPasted, showEntries } from '../scan/add-found.ts';
import { isChoosing } from '../scan/state.ts';
import { takePasteWhereOneChooses } from '../setup/answers.ts';
import { longestPaste } from '../terminal/tokens.ts';
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
    if (readOnly === null) takePaste(board, context, paste);
    else showMessage(board, readOnly);
    return;
  }
  const room = Math.max(0, longestLine - edited.read(ui).text.length);
  const text = pastedText(paste.slice(0, room), ', ');
  if (paste.length > room) showMessage(board, cutMessage, { tone: 'attention' });
  if (text !== '') board.editLine({ kind: 'insert', text });
}

/** A line in which nothing was found is put into the bar up to this length, in characters: no longer one was typed. */
const longestForBar = 500;

const cutNote = `Only the first ${longestPaste} characters were looked at; "parcel-monitor add --scan FILE" reads all.`;

/**
 * Takes a paste that belongs to no other field: a few plain numbers go to the input bar, many are listed before they are
 * added, and any other text is looked through for numbers. What is pasted into the bar as one line stays there.
 */
function takePaste(board: Board, context: KeyContext, paste: string): void {
  const { scan, ui } = board;
  if (context === 'scan' && !isChoosing(scan)) {
    showMessage(board, 'Paste again when the numbers are added.');
    return;
  }
  const isInBar = context === 'add';
  const isTooLong = paste.length + ui.draft.text.length > longestLine;
  const text = isTooLong ? '' : pastedText(paste, '\n');
  if (text === '' && !isTooLong) return;
  const isLine = isInBar && !/[\r\n]\s*\S/.test(paste);
  // A text that is pasted once more is wanted as it is.
  if (text !== '' && text === ui.withoutNumber && context !== 'scan') {
    board.change({ withoutNumber: null });
    openBarWith(board, text, isInBar);
    return;
  }
  const entries = isLine || isTooLong ? [] : readEnteredText(text);
  const kind = isTooLong ? 'scan' : isLine ? 'bar' : pastedTextKind(text, entries, context === 'scan');
  if (kind === 'rows') showEntries(board, entries);
  else if (kind === 'bar') openBarWith(board, text, isInBar);
  else {
    scanPasted(board, {
      text: paste.slice(0, longestPaste).replace(/\r\n?/g, '\n'),
      notes: paste.length > longestPaste ? [cutNote] : [],
      otherwise: () => {
        // Alone there is no bar to go to.
        if (board.foundAlready !== undefined || text === '') return null;
        if (!text.includes('\n') && text.length <= longestForBar) {
          openBarWith(board, text, isInBar);
          return null;
        }
        board.change({ withoutNumber: text });
        return 'Paste it again to edit it in the input bar.';
      },
    });
  }
}

import { readEnteredText, type TextEntry } from '../../board/input/entered-text.ts';
import { confirmThreshold } from '../../polling/gate/call-rules.ts';
import { openBarWith } from '../add/submit.ts';
import type { Board } from '../board.ts';
import { maxLineLength, pastedText } from '../field/field-window.ts';
import { showMessage } from '../footer/messages.ts';
import type { KeyContext } from '../keys/binding.ts';
import { scanPasted, showEntries } from '../scan/add-found.ts';
import { listFile } from '../scan/open-file.ts';
import { isChoosing } from '../scan/state.ts';
import { takePasteAtChoice } from '../setup/answers.ts';
import { maxPasteLength } from '../terminal/tokens.ts';
import { keyContextOf, keysOf } from './keymap.ts';

export const cutMessage = `The line is full (${maxLineLength} characters). Use "parcel-monitor import" for files of any length.`;

const cutNote = `Only the first ${maxPasteLength} characters were read. Use "parcel-monitor add --scan FILE" to read everything.`;

/** In characters. A single line without numbers is put into the bar up to this length. */
const maxForBar = 500;
/** A text with fewer digits is not a number. */
const minDigits = 5;

/** A paste, and the board's state. */
interface Paste {
  readonly context: KeyContext;
  readonly paste: string;
  /** Its lines for the bar, or null if it is too long. */
  readonly text: string | null;
  /** The last pasted text of several lines without numbers, or null. */
  readonly withoutNumber: string | null;
}

/**
 * Decides where a paste without a field goes: a few numbers or a line of words into the bar, many numbers into a list,
 * other texts to the scanner. The first matching case wins.
 */
export function pasteTarget({ context, paste, text, withoutNumber }: Paste): 'nowhere' | 'bar' | 'rows' | 'scan' {
  const isList = context === 'scan';
  if (text === '') return 'nowhere';
  if (text === null) return 'scan';
  // If the user pastes a text again, it is put into the bar unchanged.
  if (text === withoutNumber && !isList) return 'bar';
  if (context === 'add' && !/[\r\n]\s*\S/.test(paste)) return 'bar';
  const entries: readonly TextEntry[] = readEnteredText(text);
  if (entries.every(({ input }) => input.kind === 'ok')) {
    return isList || entries.length > confirmThreshold.board ? 'rows' : 'bar';
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  return !isList && digits < minDigits && !text.includes('\n') ? 'bar' : 'scan';
}

/** Passes a paste to the focused field. Without a field, it may contain numbers. */
export function handlePaste(board: Board, paste: string): void {
  const { change, scan, ui } = board;
  const context = keyContextOf(ui);
  const { text: edited } = keysOf(context);
  change({ message: null });
  if (context === 'confirm') return;
  if (context === 'setup' && takePasteAtChoice(board, pastedText(paste.slice(0, maxLineLength), '\n'))) return;
  if (edited !== undefined && context !== 'add') {
    const room = Math.max(0, maxLineLength - edited.read(ui).text.length);
    const text = pastedText(paste.slice(0, room), ', ');
    if (paste.length > room) showMessage(board, cutMessage, { tone: 'attention' });
    if (text !== '') board.editLine({ kind: 'insert', text });
    return;
  }
  const { readOnly } = board.state.polling;
  if (readOnly !== null) showMessage(board, readOnly);
  else if (context === 'scan' && !isChoosing(scan)) showMessage(board, 'Paste again once these numbers are added.');
  else takePaste(board, context, paste);
}

function takePaste(board: Board, context: KeyContext, paste: string): void {
  const { draft, withoutNumber } = board.ui;
  const isInBar = context === 'add';
  if (draft.text === '' && board.files?.isPath(paste) === true) {
    listFile(board, paste.trim());
    return;
  }
  const text = paste.length + draft.text.length > maxLineLength ? null : pastedText(paste, '\n');
  const target = pasteTarget({ context, paste, text, withoutNumber });
  if (target === 'rows') showEntries(board, readEnteredText(text ?? ''));
  else if (target === 'bar') {
    if (text === withoutNumber) board.change({ withoutNumber: null });
    openBarWith(board, text ?? '', isInBar);
  } else if (target === 'scan') {
    scanPasted(board, {
      text: paste.slice(0, maxPasteLength).replace(/\r\n?/g, '\n'),
      notes: paste.length > maxPasteLength ? [cutNote] : [],
      onNothingFound: () => {
        // The bar needs the board.
        if (board.alreadyFound !== undefined || text === null) return null;
        if (!text.includes('\n') && text.length <= maxForBar) {
          openBarWith(board, text, isInBar);
          return null;
        }
        board.change({ withoutNumber: text });
        return 'Paste it again to edit it in the input bar.';
      },
    });
  }
}

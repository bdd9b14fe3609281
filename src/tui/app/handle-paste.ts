import { readEnteredText, type TextEntry } from '../../board/input/entered-text.ts';
import { confirmThreshold } from '../../polling/gate/call-rules.ts';
import { openBarWithText } from '../add/input-bar.ts';
import type { Board } from '../board.ts';
import { cleanPaste, maxLineLength } from '../field/field.tsx';
import { showMessage, showProblem } from '../footer.ts';
import type { KeyContext } from '../keys/binding.ts';
import { scanPasted, showEntries } from '../scan/add-found.ts';
import { isChoosing } from '../scan/found-numbers.ts';
import { listFile } from '../scan/keys.ts';
import { handlePasteWhileChoosing } from '../setup/answers.ts';
import { maxPasteLength } from '../terminal/input-tokens.ts';
import { currentKeyContext, keyGroupFor } from './keymap.ts';

export const lineFullMessage = `The line is full (${maxLineLength} characters). Use "parcel-monitor import" for files of any length.`;

const truncationNote = `Only the first ${maxPasteLength} characters were read. Use "parcel-monitor add --scan FILE" to read everything.`;

/** Maximum length of a line without numbers that goes into the bar, in characters. */
const maxBarLength = 500;
/** Tracking numbers have at least this many digits. */
const minDigits = 5;

interface Paste {
  readonly context: KeyContext;
  readonly paste: string;
  /** The cleaned text that fits into the bar, or null if it is too long. */
  readonly text: string | null;
  /** The last multi-line paste in which no number was found, or null. */
  readonly pasteWithoutNumbers: string | null;
}

/**
 * Decides where a paste goes if no other field is focused: a few numbers or a line of words into the bar, many numbers
 * into a list, other text to the scanner. The first matching case wins.
 */
export function pasteTarget({ context, paste, text, pasteWithoutNumbers }: Paste): 'nowhere' | 'bar' | 'rows' | 'scan' {
  const isList = context === 'scan';
  if (text === '') return 'nowhere';
  if (text === null) return 'scan';
  // The user pasted the text again to edit it in the bar.
  if (text === pasteWithoutNumbers && !isList) return 'bar';
  if (context === 'add' && !/[\r\n]\s*\S/.test(paste)) return 'bar';
  const entries: readonly TextEntry[] = readEnteredText(text);
  if (entries.every(({ input }) => input.kind === 'ok')) {
    return isList || entries.length > confirmThreshold.board ? 'rows' : 'bar';
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  return !isList && digits < minDigits && !text.includes('\n') ? 'bar' : 'scan';
}

/** Inserts a paste into the focused field. Without one, looks for tracking numbers in it. */
export function handlePaste(board: Board, paste: string): void {
  const { change, scan, ui } = board;
  const context = currentKeyContext(ui);
  const { text: field } = keyGroupFor(context);
  change({ message: null });
  if (context === 'confirm') return;
  if (context === 'setup' && handlePasteWhileChoosing(board, cleanPaste(paste.slice(0, maxLineLength), '\n'))) return;
  if (field !== undefined && context !== 'add') {
    const room = Math.max(0, maxLineLength - field.read(ui).text.length);
    const text = cleanPaste(paste.slice(0, room), ', ');
    if (paste.length > room) showProblem(board, lineFullMessage);
    if (text !== '') board.editLine({ kind: 'insert', text });
    return;
  }
  const { readOnly } = board.state.polling;
  if (readOnly !== null) showMessage(board, readOnly);
  else if (context === 'scan' && !isChoosing(scan))
    showMessage(board, 'Wait until these numbers are added, then paste again.');
  else routePaste(board, context, paste);
}

function routePaste(board: Board, context: KeyContext, paste: string): void {
  const { draft, pasteWithoutNumbers } = board.ui;
  const isInBar = context === 'add';
  if (draft.text === '' && board.files?.isPath(paste) === true) {
    listFile(board, paste.trim());
    return;
  }
  const text = paste.length + draft.text.length > maxLineLength ? null : cleanPaste(paste, '\n');
  const target = pasteTarget({ context, paste, text, pasteWithoutNumbers });
  if (target === 'rows') showEntries(board, readEnteredText(text ?? ''));
  else if (target === 'bar') {
    if (text === pasteWithoutNumbers) board.change({ pasteWithoutNumbers: null });
    openBarWithText(board, text ?? '', isInBar);
  } else if (target === 'scan') {
    scanPasted(board, {
      text: paste.slice(0, maxPasteLength).replace(/\r\n?/g, '\n'),
      notes: paste.length > maxPasteLength ? [truncationNote] : [],
      onNothingFound: () => {
        // Without the board, there is no input bar.
        if (board.initialScan !== undefined || text === null) return null;
        if (!text.includes('\n') && text.length <= maxBarLength) {
          openBarWithText(board, text, isInBar);
          return null;
        }
        board.change({ pasteWithoutNumbers: text });
        return 'Paste it again to edit it in the input bar.';
      },
    });
  }
}

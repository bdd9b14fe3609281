import { readEnteredText, type TextEntry } from '../../board/input/entered-text.ts';
import { confirmThreshold } from '../../polling/gate/call-rules.ts';
import { openBarWith } from '../add/submit.ts';
import type { Board } from '../board.ts';
import { longestLine, pastedText } from '../field/field-window.ts';
import { showMessage } from '../footer/messages.ts';
import type { KeyContext } from '../keys/binding.ts';
import { scanPasted, showEntries } from '../scan/add-found.ts';
import { isChoosing } from '../scan/state.ts';
import { takePasteWhereOneChooses } from '../setup/answers.ts';
import { longestPaste } from '../terminal/tokens.ts';
import { keyContextOf, keysOf } from './keymap.ts';

/** What is said of a line that would be longer. */
export const cutMessage = `The line is full (${longestLine} characters). Use "parcel-monitor import" for files of any length.`;

const cutNote = `Only the first ${longestPaste} characters were read. Use "parcel-monitor add --scan FILE" to read all.`;

/** A line in which nothing was found is put into the bar up to this length, in characters: no longer one was typed. */
const longestForBar = 500;
/** Fewer digits than this make no number. */
const fewestDigits = 5;

/** A paste, and where it meets the board. */
interface Paste {
  readonly context: KeyContext;
  readonly paste: string;
  /** Its lines as the bar would hold them; null when it is too long for that. */
  readonly text: string | null;
  /** The text of several lines that was pasted last and holds no number; null when there is none. */
  readonly withoutNumber: string | null;
}

/**
 * Where a paste goes that belongs to no field: few plain numbers, and a line of words, into the input bar; many numbers are
 * listed as rows before any is added; any other text is scanned for numbers. The first case that applies decides.
 */
export function pasteTarget({ context, paste, text, withoutNumber }: Paste): 'nowhere' | 'bar' | 'rows' | 'scan' {
  const isList = context === 'scan';
  if (text === '') return 'nowhere';
  if (text === null) return 'scan';
  // A text that is pasted once more is wanted as it is.
  if (text === withoutNumber && !isList) return 'bar';
  if (context === 'add' && !/[\r\n]\s*\S/.test(paste)) return 'bar';
  const entries: readonly TextEntry[] = readEnteredText(text);
  if (entries.every(({ input }) => input.kind === 'ok')) {
    return isList || entries.length > confirmThreshold.board ? 'rows' : 'bar';
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  return !isList && digits < fewestDigits && !text.includes('\n') ? 'bar' : 'scan';
}

/** A paste goes where text goes: the field that has the focus; else it may be numbers to add. */
export function handlePaste(board: Board, paste: string): void {
  const { change, scan, ui } = board;
  const context = keyContextOf(ui);
  const { text: edited } = keysOf(context);
  change({ message: null });
  if (context === 'confirm') return;
  if (context === 'setup' && takePasteWhereOneChooses(board, pastedText(paste.slice(0, longestLine), '\n'))) return;
  if (edited !== undefined && context !== 'add') {
    const room = Math.max(0, longestLine - edited.read(ui).text.length);
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
  const text = paste.length + draft.text.length > longestLine ? null : pastedText(paste, '\n');
  const target = pasteTarget({ context, paste, text, withoutNumber });
  if (target === 'rows') showEntries(board, readEnteredText(text ?? ''));
  else if (target === 'bar') {
    if (text === withoutNumber) board.change({ withoutNumber: null });
    openBarWith(board, text ?? '', isInBar);
  } else if (target === 'scan') {
    scanPasted(board, {
      text: paste.slice(0, longestPaste).replace(/\r\n?/g, '\n'),
      notes: paste.length > longestPaste ? [cutNote] : [],
      otherwise: () => {
        // Alone there is no bar to go to.
        if (board.foundAlready !== undefined || text === null) return null;
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

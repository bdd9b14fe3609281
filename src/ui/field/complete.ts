import type { Completions } from '../../board/input/completions.ts';
import type { Change } from '../change.ts';
import { type CanShow, showMessage } from '../footer/messages.ts';
import type { EditedText } from '../keys/binding.ts';
import type { Completing, FieldState } from './state.ts';
import { changedTo, type LineState } from './text-edit.ts';

/** As many as are named behind the one that was taken. */
const mostNamed = 4;

/** A board with a line that can be completed. */
export interface CompletingBoard<Ui> extends CanShow {
  readonly ui: Ui & Pick<FieldState, 'completing'>;
  readonly change: Change<Ui> & Change<FieldState> & CanShow['change'];
}

/**
 * Completes what stands before the cursor of a line; right behind that, takes the next candidate in its place, or the one
 * before. Answers whether there was anything to complete.
 */
export function complete<Ui, Board extends CompletingBoard<Ui>>(
  board: Board,
  text: EditedText<Ui, Board>,
  step: 1 | -1,
): boolean {
  const edit = text.read(board.ui);
  const going = goingOn(board.ui, text, edit);
  const found = going?.completions ?? (step === 1 ? (text.complete?.(board) ?? null) : null);
  if (found === null) return false;
  const count = found.candidates.length;
  const index = going === null ? 0 : (going.index + step + count) % count;
  const before = going?.before ?? edit;
  const line = replaced(before, found, index);
  const completed = changedTo(edit, line, { goesOn: going !== null });
  board.change((ui: Ui) => text.write(ui, completed));
  board.change({ completing: { before, completions: found, index, line, owner: text } });
  if (count > 1) showMessage(board, words(found.candidates, index));
  return true;
}

/** What is being completed, unless something else was done since. */
function goingOn(
  { completing }: Pick<FieldState, 'completing'>,
  text: object,
  { cursor, text: written }: LineState,
): Completing | null {
  const isSame = completing?.owner === text && completing.line.text === written && completing.line.cursor === cursor;
  return isSame ? completing : null;
}

function replaced({ text }: LineState, { candidates, from, to }: Completions, index: number): LineState {
  const before = `${text.slice(0, from)}${candidates[index] ?? ''}`;
  return { text: before + text.slice(to), cursor: before.length };
}

function words(candidates: readonly string[], index: number): string {
  const others = [...candidates.slice(index + 1), ...candidates.slice(0, index)];
  const named = others.slice(0, mostNamed).join('  ');
  const rest = others.length > mostNamed ? '  …' : '';
  return `${index + 1} of ${candidates.length}; Tab: ${named}${rest}`;
}

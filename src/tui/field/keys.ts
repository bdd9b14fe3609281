import type { Completions } from '../../board/input/completions.ts';
import type { Board } from '../board.ts';
import { showMessage } from '../footer.ts';
import type { Binding, EditedText, KeyGroup } from '../keys/binding.ts';
import { changeLine, type Destination, type LineCommand, type LineState, runLineCommand } from '../text-edit.ts';
import type { ActiveCompletion, UiState } from '../ui-state.ts';

const maxNames = 4;

/** Completes the text before the cursor. Repeated calls cycle through the matches. Returns false if there aren't any. */
export function complete(board: Board, text: EditedText): boolean {
  const edit = text.read(board.ui);
  const last = currentCompletion(board.ui, text, edit);
  // After a single match, such as a folder, there may be more to complete.
  const more = last?.completions.candidates.length === 1 ? (text.complete?.(board) ?? null) : null;
  const cycling = more === null ? last : null;
  const found = more ?? cycling?.completions ?? text.complete?.(board) ?? null;
  if (found === null) return false;
  const count = found.candidates.length;
  const index = cycling === null ? 0 : (cycling.index + 1) % count;
  const before = cycling?.before ?? edit;
  const line = applyCandidate(before, found, index);
  const completed = changeLine(edit, line, { continuesStep: cycling !== null });
  board.change((ui) => text.write(ui, completed));
  board.change({ activeCompletion: { before, completions: found, index, line, owner: text } });
  if (count > 1) showMessage(board, completionMessage(found.candidates, index));
  return true;
}

/** Returns the last completion, if the line has not changed since, or null. */
function currentCompletion(
  { activeCompletion }: Pick<UiState, 'activeCompletion'>,
  text: object,
  { cursor, text: currentText }: LineState,
): ActiveCompletion | null {
  const isSame =
    activeCompletion?.owner === text &&
    activeCompletion.line.text === currentText &&
    activeCompletion.line.cursor === cursor;
  return isSame ? activeCompletion : null;
}

function applyCandidate({ text }: LineState, { candidates, from, to }: Completions, index: number): LineState {
  const before = `${text.slice(0, from)}${candidates[index] ?? ''}`;
  return { text: before + text.slice(to), cursor: before.length };
}

function completionMessage(candidates: readonly string[], index: number): string {
  const others = [...candidates.slice(index + 1), ...candidates.slice(0, index)];
  const names = others.slice(0, maxNames).join('  ');
  const rest = others.length > maxNames ? '  …' : '';
  return `${index + 1} of ${candidates.length}; Tab: ${names}${rest}`;
}

/** Returns the keys for completion, for lines in which Tab does nothing else. */
export const completeKeys = (text: EditedText, what: string): readonly Binding[] => [
  {
    keys: ['tab'],
    description: `Complete ${what}; press again for the next match`,
    run: (board) => {
      if (!complete(board, text)) showMessage(board, 'Nothing to complete.');
    },
  },
];

interface LineKey extends Pick<Binding, 'synonyms' | 'description' | 'keys'> {
  readonly command: LineCommand;
}

const move = (to: Destination): LineCommand => ({ kind: 'move', to });
const erase = (to: Destination): LineCommand => ({ kind: 'delete', to });
const cut = (to: Destination): LineCommand => ({ kind: 'kill', to });

const lineKey = (
  keys: readonly string[],
  command: LineCommand,
  description: string,
  synonyms: readonly string[] = [],
): LineKey => ({ keys, command, description, synonyms });

/** The usual keys of shells and editors, in the order of the help. */
export const lineKeys: readonly LineKey[] = [
  lineKey(['left', 'ctrl+b'], move('left'), 'One character left'),
  lineKey(['right', 'ctrl+f'], move('right'), 'One character right'),
  lineKey(['ctrl+left', 'alt+left', 'alt+b'], move('word-left'), 'One word left'),
  lineKey(['ctrl+right', 'alt+right', 'alt+f'], move('word-right'), 'One word right'),
  lineKey(['home', 'ctrl+a'], move('start'), 'Go to the start'),
  lineKey(['end', 'ctrl+e'], move('end'), 'Go to the end'),
  lineKey(['backspace', 'ctrl+h'], erase('left'), 'Delete the character before the cursor'),
  lineKey(['delete', 'ctrl+d'], erase('right'), 'Delete the character under the cursor'),
  lineKey(['ctrl+w'], cut('blank-left'), 'Cut back to the last space', ['kill', 'delete', 'word']),
  lineKey(['alt+backspace', 'ctrl+backspace'], cut('word-left'), 'Cut the word before the cursor', ['kill', 'delete']),
  lineKey(['alt+d', 'ctrl+delete', 'alt+delete'], cut('word-right'), 'Cut the word after the cursor', [
    'kill',
    'delete',
  ]),
  lineKey(['ctrl+u'], cut('start'), 'Cut to the start of the line', ['kill', 'delete', 'clear']),
  lineKey(['ctrl+k'], cut('end'), 'Cut to the end of the line', ['kill', 'delete', 'clear']),
  lineKey(['ctrl+y'], { kind: 'yank' }, 'Paste the last cut', ['yank', 'paste']),
  lineKey(['ctrl+t'], { kind: 'transpose' }, 'Swap the two characters around the cursor', ['transpose', 'swap']),
  lineKey(['ctrl+_'], { kind: 'undo' }, 'Undo typing'),
  lineKey(['ctrl+alt+_'], { kind: 'redo' }, 'Redo', ['redo']),
];

/** Keys of every text field. A pane can override some. */
export const fieldKeys: KeyGroup = {
  context: 'field',
  title: 'While typing',
  bindings: lineKeys.map(({ command, ...key }) => ({ ...key, run: ({ editLine }) => editLine(command) })),
};

export function editLine(ui: UiState, text: EditedText, command: LineCommand): Partial<UiState> {
  // Secrets must not be pasted into other fields.
  const isSecret = text.isSecret?.(ui) ?? false;
  const { edit, lastCut } = runLineCommand({ edit: text.read(ui), lastCut: isSecret ? '' : ui.lastCut }, command);
  return { ...text.write(ui, edit), ...(isSecret ? {} : { lastCut }) };
}

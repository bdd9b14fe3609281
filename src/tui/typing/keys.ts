import type { Completions } from '../../board/input/completions.ts';
import type { Board } from '../board.ts';
import { changedTo, type LineCommand, type LineState, runLineCommand } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { Binding, EditedText, KeyGroup } from '../keys/binding.ts';
import type { Completing, UiState } from '../ui-state.ts';

const maxNamed = 4;

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
  const line = replaced(before, found, index);
  const completed = changedTo(edit, line, { continues: cycling !== null });
  board.change((ui) => text.write(ui, completed));
  board.change({ completing: { before, completions: found, index, line, owner: text } });
  if (count > 1) showMessage(board, words(found.candidates, index));
  return true;
}

/** Returns the last completion, if the line has not changed since, or null. */
function currentCompletion(
  { completing }: Pick<UiState, 'completing'>,
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
  const named = others.slice(0, maxNamed).join('  ');
  const rest = others.length > maxNamed ? '  …' : '';
  return `${index + 1} of ${candidates.length}; Tab: ${named}${rest}`;
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

type LineKey = Omit<Binding, 'command' | 'run'> & { readonly command: LineCommand };

/** The usual keys of shells and editors, in the order of the help. */
export const lineKeys: readonly LineKey[] = [
  {
    keys: ['left', 'ctrl+b'],
    description: 'One character left',
    command: { kind: 'move', to: 'left' },
  },
  {
    keys: ['right', 'ctrl+f'],
    description: 'One character right',
    command: { kind: 'move', to: 'right' },
  },
  {
    keys: ['ctrl+left', 'alt+left', 'alt+b'],
    description: 'One word left',
    command: { kind: 'move', to: 'word-left' },
  },
  {
    keys: ['ctrl+right', 'alt+right', 'alt+f'],
    description: 'One word right',
    command: { kind: 'move', to: 'word-right' },
  },
  { keys: ['home', 'ctrl+a'], description: 'Go to the start', command: { kind: 'move', to: 'start' } },
  { keys: ['end', 'ctrl+e'], description: 'Go to the end', command: { kind: 'move', to: 'end' } },
  {
    keys: ['backspace', 'ctrl+h'],
    description: 'Delete the character before the cursor',
    command: { kind: 'delete', to: 'left' },
  },
  {
    keys: ['delete', 'ctrl+d'],
    description: 'Delete the character under the cursor',
    command: { kind: 'delete', to: 'right' },
  },
  {
    keys: ['ctrl+w'],
    description: 'Cut back to the last space',
    alsoFoundBy: ['kill', 'delete', 'word'],
    command: { kind: 'kill', to: 'blank-left' },
  },
  {
    keys: ['alt+backspace', 'ctrl+backspace'],
    description: 'Cut the word before the cursor',
    alsoFoundBy: ['kill', 'delete'],
    command: { kind: 'kill', to: 'word-left' },
  },
  {
    keys: ['alt+d', 'ctrl+delete', 'alt+delete'],
    description: 'Cut the word after the cursor',
    alsoFoundBy: ['kill', 'delete'],
    command: { kind: 'kill', to: 'word-right' },
  },
  {
    keys: ['ctrl+u'],
    description: 'Cut to the start of the line',
    alsoFoundBy: ['kill', 'delete', 'clear'],
    command: { kind: 'kill', to: 'start' },
  },
  {
    keys: ['ctrl+k'],
    description: 'Cut to the end of the line',
    alsoFoundBy: ['kill', 'delete', 'clear'],
    command: { kind: 'kill', to: 'end' },
  },
  {
    keys: ['ctrl+y'],
    description: 'Paste the last cut',
    alsoFoundBy: ['yank', 'paste'],
    command: { kind: 'yank' },
  },
  {
    keys: ['ctrl+t'],
    description: 'Swap the two characters around the cursor',
    alsoFoundBy: ['transpose', 'swap'],
    command: { kind: 'transpose' },
  },
  { keys: ['ctrl+_'], description: 'Undo typing', command: { kind: 'undo' } },
  { keys: ['ctrl+alt+_'], description: 'Redo', alsoFoundBy: ['redo'], command: { kind: 'redo' } },
];

/** Keys of every text field. A pane can override some. */
export const fieldKeys: KeyGroup = {
  context: 'field',
  title: 'While typing',
  bindings: lineKeys.map(({ command, ...key }) => ({
    ...key,
    run: ({ editLine }) => editLine(command),
  })),
};

export function lineEdited(ui: UiState, text: EditedText, command: LineCommand): Partial<UiState> {
  // Secrets must not be pasted into other fields.
  const isSecret = text.isSecret?.(ui) ?? false;
  const { edit, lastCut } = runLineCommand({ edit: text.read(ui), lastCut: isSecret ? '' : ui.lastCut }, command);
  return { ...text.write(ui, edit), ...(isSecret ? {} : { lastCut }) };
}

import type { Board } from '../app/board.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import { openHelp } from '../help/keys.ts';
import type { EditedText, KeyGroup } from '../keys/binding.ts';
import { completeKeys } from '../typing/complete.ts';

/** Takes the answer to the open question, unless something is wrong with it. */
function answer(board: Board): void {
  const { prompt } = board.ui;
  const text = prompt?.edit?.text.trim() ?? '';
  const problem = prompt?.problemOf?.(text) ?? null;
  if (problem !== null) {
    showMessage(board, problem, { tone: 'attention' });
    return;
  }
  board.change({ prompt: null });
  prompt?.accept(text);
}

/** Closes the open question; a number that waited for its answer goes back to the bar. */
function cancel({ change, ui }: Board): void {
  change({ prompt: null });
  ui.prompt?.cancel?.();
}

const answerText: EditedText<Board['ui'], Board> = {
  read: ({ prompt }) => prompt?.edit ?? emptyEdit,
  write: ({ prompt }, edit) => (prompt === null ? {} : { prompt: { ...prompt, edit } }),
  complete: ({ ui: { prompt } }) =>
    prompt?.edit == null ? null : (prompt.complete?.(prompt.edit.text, prompt.edit.cursor) ?? null),
};

/** Keys of a question that a text answers. */
export const promptKeys: KeyGroup<Board['ui'], Board> = {
  context: 'prompt',
  title: 'Question',
  isClosed: true,
  text: answerText,
  bindings: [
    { keys: ['enter'], hint: 'save', description: 'Save what was typed', alwaysShown: true, run: answer },
    { keys: ['escape'], hint: 'cancel', description: 'Leave it as it was', alwaysShown: true, run: cancel },
    ...completeKeys(answerText, 'a label or a tag that other parcels have'),
  ],
};

/** Keys of a question that y or n answers. */
export const confirmKeys: KeyGroup<Board['ui'], Board> = {
  context: 'confirm',
  title: 'Yes or no',
  isClosed: true,
  bindings: [
    { keys: ['y', 'Y'], hint: 'yes', description: 'Yes, do it', run: answer },
    {
      keys: ['n', 'N', 'escape', 'enter', 'q'],
      hint: 'no',
      description: 'No, leave it',
      alwaysShown: true,
      run: cancel,
    },
    openHelp,
  ],
};

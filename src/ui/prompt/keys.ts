import type { Change } from '../change.ts';
import type { FieldState } from '../field/state.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { FooterState } from '../footer/state.ts';
import { openHelp } from '../help/keys.ts';
import type { HelpState } from '../help/state.ts';
import type { EditedText, KeyGroup } from '../keys/binding.ts';
import type { OverlayState } from '../overlay/state.ts';
import { completeKeys } from '../typing/complete.ts';
import { noPrompt, type PromptState, withAnswer } from './state.ts';

/** The board, as far as the keys of a question need it. */
interface PromptBoard {
  readonly ui: PromptState & Pick<FieldState, 'completing'>;
  readonly change: Change<PromptState & FieldState & FooterState & HelpState & OverlayState>;
}

/** Takes the answer to the open question, unless something is wrong with it. */
function answer(board: PromptBoard): void {
  const { prompt } = board.ui;
  const text = prompt?.edit?.text.trim() ?? '';
  const problem = prompt?.problemOf?.(text) ?? null;
  if (problem !== null) {
    showMessage(board, problem, { tone: 'attention' });
    return;
  }
  board.change(noPrompt);
  prompt?.accept(text);
}

/** Closes the open question; a number that waited for its answer goes back to the bar. */
function cancel({ change, ui }: PromptBoard): void {
  change(noPrompt);
  ui.prompt?.cancel?.();
}

const answerText: EditedText<PromptState, PromptBoard> = {
  read: ({ prompt }) => prompt?.edit ?? emptyEdit,
  write: withAnswer,
  complete: ({ ui: { prompt } }) =>
    prompt?.edit == null ? null : (prompt.complete?.(prompt.edit.text, prompt.edit.cursor) ?? null),
};

/** Keys of a question that a text answers. */
export const promptKeys: KeyGroup<PromptState, PromptBoard> = {
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
export const confirmKeys: KeyGroup<PromptState, PromptBoard> = {
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

import { checkExtra } from '../parcels/parcel-factory.ts';
import type { ExtrasChange } from '../polling/no-record.ts';
import type { CourierNeed } from '../service/couriers.ts';
import type { Board } from './board.ts';
import { completeKeys } from './field/keys.ts';
import { showProblem } from './footer.ts';
import { openHelp } from './help/keys.ts';
import type { EditedText, KeyGroup } from './keys/binding.ts';
import { createEdit, emptyEdit, type TextEdit } from './text-edit.ts';
import type { Prompt, UiState } from './ui-state.ts';

const setPromptEdit = ({ prompt }: UiState, edit: TextEdit): Partial<UiState> =>
  prompt === null ? {} : { prompt: { ...prompt, edit } };

/** Asks for a line of text, which can have an initial value. */
export const askText = (
  { change }: Pick<Board, 'change'>,
  { text = '', ...prompt }: Omit<Prompt, 'edit'> & { readonly text?: string },
): void => change({ prompt: { ...prompt, edit: createEdit(text) } });

/** Asks a yes/no question. */
export const askToConfirm = (
  { change }: Pick<Board, 'change'>,
  name: string,
  question: string,
  accept: () => void,
): void => change({ prompt: { name, placeholder: question, edit: null, accept } });

/** Returns the handlers that validate and accept extra information that a courier needs. An empty answer clears it. */
export function extraQuestion(
  need: CourierNeed,
  save: (extra: ExtrasChange) => void,
): Pick<Prompt, 'validate' | 'accept'> {
  return {
    validate: (text) => {
      const check = checkExtra(need, text);
      return check.ok ? null : check.message;
    },
    accept: (text) => {
      const check = checkExtra(need, text);
      if (check.ok) save(need === 'postal-code' ? { postalCode: check.value } : { phoneSuffix: check.value });
    },
  };
}

/** Accepts the answer if it is valid. */
function submitAnswer(board: Board): void {
  const { prompt } = board.ui;
  const text = prompt?.edit?.text.trim() ?? '';
  const problem = prompt?.validate?.(text) ?? null;
  if (problem !== null) showProblem(board, problem);
  else {
    board.change({ prompt: null });
    prompt?.accept(text);
  }
}

function cancel({ change, ui }: Board): void {
  change({ prompt: null });
  ui.prompt?.cancel?.();
}

const answerText: EditedText = {
  read: ({ prompt }) => prompt?.edit ?? emptyEdit,
  write: setPromptEdit,
  complete: ({ ui: { prompt } }) =>
    prompt?.edit == null ? null : (prompt.complete?.(prompt.edit.text, prompt.edit.cursor) ?? null),
};

export const promptKeys: KeyGroup = {
  context: 'prompt',
  title: 'Question',
  isClosed: true,
  text: answerText,
  bindings: [
    {
      keys: ['enter'],
      hint: ({ ui }) => ui.prompt?.hint ?? 'save',
      description: 'Save',
      alwaysShown: true,
      run: submitAnswer,
    },
    { keys: ['escape'], hint: 'cancel', description: 'Cancel', alwaysShown: true, run: cancel },
    ...completeKeys(answerText, "another parcel's label or tag, or a file"),
  ],
};

export const confirmKeys: KeyGroup = {
  context: 'confirm',
  title: 'Yes or no',
  isClosed: true,
  bindings: [
    { keys: ['y', 'Y'], hint: 'yes', description: 'Yes, do it', run: submitAnswer },
    { keys: ['n', 'N', 'escape', 'enter', 'q'], hint: 'no', description: 'No', alwaysShown: true, run: cancel },
    openHelp,
  ],
};

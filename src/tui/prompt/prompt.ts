import type { Completions } from '../../board/input/completions.ts';
import { checkExtra } from '../../parcels/parcel-factory.ts';
import type { ExtrasChange } from '../../polling/account.ts';
import type { CourierNeed } from '../../service/couriers.ts';
import type { FieldState } from '../field/line-editor.ts';
import { editOf, emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { type FooterState, showMessage } from '../footer/messages.ts';
import { type HelpState, type OverlayState, openHelp } from '../help/keys.ts';
import type { Change, EditedText, KeyGroup } from '../keys/binding.ts';
import { completeKeys } from '../typing/keys.ts';

/** A question in the place of the input bar. It names its parcel itself, because another one may be selected by the time it is answered. */
export interface Prompt {
  readonly name: string;
  /** What to type; for a question that y or n answers, the question. */
  readonly placeholder: string;
  /** What is typed so far; null for a question that y or n answers. */
  readonly edit: TextEdit | null;
  /** What is wrong with an answer, as a sentence; null when nothing is. */
  readonly problemOf?: (text: string) => string | null;
  /** Takes the answer, without white space around it; empty for a yes. */
  readonly accept: (text: string) => void;
  readonly cancel?: () => void;
  /** What can be completed of an answer; absent where nothing can. */
  readonly complete?: (text: string, cursor: number) => Completions | null;
}

export interface PromptState {
  readonly prompt: Prompt | null;
}

export const noPrompt: PromptState = { prompt: null };

const withAnswer = ({ prompt }: PromptState, edit: TextEdit): Partial<PromptState> =>
  prompt === null ? {} : { prompt: { ...prompt, edit } };

/** Asks a question that a text answers, which may begin with one. */
export const askText = (
  { change }: { readonly change: Change<PromptState> },
  { text = '', ...prompt }: Omit<Prompt, 'edit'> & { readonly text?: string },
): void => change({ prompt: { ...prompt, edit: editOf(text) } });

/** What a question for an extra checks and answers; an empty answer clears the extra. */
export function extraQuestion(
  need: CourierNeed,
  take: (extra: ExtrasChange) => void,
): Pick<Prompt, 'problemOf' | 'accept'> {
  return {
    problemOf: (text) => {
      const check = checkExtra(need, text);
      return check.ok ? null : check.message;
    },
    accept: (text) => {
      const check = checkExtra(need, text);
      if (check.ok) take(need === 'postal-code' ? { postalCode: check.value } : { phoneSuffix: check.value });
    },
  };
}

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

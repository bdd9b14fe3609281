import type { Completions } from '../../board/input/completions.ts';
import type { ExtrasChange } from '../../polling/account/account-actions.ts';
import type { CourierNeed } from '../../service/record/courier-needs.ts';
import { checkExtra } from '../../watchlist/rules/extras.ts';
import type { Change } from '../change.ts';
import { editOf, type TextEdit } from '../field/text-edit.ts';

/** A question in the place of the input bar. It names its parcel itself, because another one may be selected by the time it is answered. */
export interface Prompt {
  /** What the question is about, before the field. */
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

/** The part of the state that holds the open question. */
export interface PromptState {
  readonly prompt: Prompt | null;
}

/** Nothing is asked. */
export const noPrompt: PromptState = { prompt: null };

/** Another answer to the open question, as it is typed. */
export const withAnswer = ({ prompt }: PromptState, edit: TextEdit): Partial<PromptState> =>
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

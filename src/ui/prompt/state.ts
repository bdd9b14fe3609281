import type { Completions } from '../../board/input/completions.ts';
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

/** Asks a question that a text answers, which may begin with one. */
export const askText = (
  { change }: { readonly change: (asked: PromptState) => void },
  { text = '', ...prompt }: Omit<Prompt, 'edit'> & { readonly text?: string },
): void => change({ prompt: { ...prompt, edit: editOf(text) } });

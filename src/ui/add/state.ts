import type { CourierReader } from '../../board/courier/courier-check.ts';
import { withoutNumbers } from '../../watchlist/state/entered-lines.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';

/** A text of the input bar that was entered before the couriers were there to check it. */
export interface Lookup {
  readonly text: string;
  /** Null until they are there, or cannot be had. */
  readonly read: CourierReader | null;
}

/** A line that was entered before and stands in the bar again. */
export interface Recall {
  /** What was typed before the first one was recalled; all that are recalled have it in them. */
  readonly typed: TextEdit;
  /** Its place in what was entered. */
  readonly index: number;
  readonly text: string;
}

/** The input bar's part of the state. */
export interface AddState {
  readonly draft: TextEdit;
  /** Null when no text waits. */
  readonly lookup: Lookup | null;
  /** Numbers that were entered last and whose check digits were doubted: entered once more, they are added as they are. */
  readonly doubted: readonly string[];
  /** What was entered, oldest first; see `watchlist/state/entered-lines.ts`. */
  readonly entered: readonly string[];
  /** Numbers that were deleted, and are no part of what was entered any more. */
  readonly forgotten: readonly string[];
  /** Null while the bar holds nothing that was recalled. */
  readonly recall: Recall | null;
}

/** Nothing entered yet. */
export const freshAdd: AddState = {
  draft: emptyEdit,
  lookup: null,
  doubted: [],
  entered: [],
  forgotten: [],
  recall: null,
};

/** Puts entries before what is being typed: behind it, they might end up in a label that is still open. */
export function withEntriesBefore(
  { draft }: Pick<AddState, 'draft'>,
  entries: readonly { readonly text: string }[],
): Partial<AddState> {
  const texts = entries.map(({ text }) => text).join('\n');
  const added = draft.text.trim() === '' ? texts : `${texts}\n`;
  return { draft: { text: added + draft.text, cursor: added.length + draft.cursor } };
}

/** Takes deleted numbers out of what was entered. */
export const withForgotten =
  (trackNos: readonly string[]) =>
  ({ entered, forgotten }: AddState): Pick<AddState, 'entered' | 'forgotten' | 'recall'> => ({
    entered: withoutNumbers(entered, trackNos),
    forgotten: [...new Set([...forgotten, ...trackNos])],
    recall: null,
  });

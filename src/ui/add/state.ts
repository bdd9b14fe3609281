import type { CourierCheck } from '../../board/courier/courier-check.ts';
import type { TextEdit } from '../field/text-edit.ts';

/** A text of the input bar that was entered before the couriers were there to check it. */
export interface Lookup {
  readonly text: string;
  /** Null until they are there, or cannot be had. */
  readonly check: CourierCheck | null;
}

/** The input bar's part of the state. */
export interface AddState {
  readonly draft: TextEdit;
  /** Null when no text waits. */
  readonly lookup: Lookup | null;
  /** Numbers that were entered last and whose check digits were doubted: entered once more, they are added as they are. */
  readonly doubted: readonly string[];
}

/** Puts entries before what is being typed: behind it, they might end up in a label that is still open. */
export function withEntriesBefore(
  { draft }: AddState,
  entries: readonly { readonly text: string }[],
): Partial<AddState> {
  const texts = entries.map(({ text }) => text).join('\n');
  const added = draft.text.trim() === '' ? texts : `${texts}\n`;
  return { draft: { text: added + draft.text, cursor: added.length + draft.cursor } };
}

import type { Completions } from '../../board/input/completions.ts';
import {
  applyEdit,
  changedTo,
  type Destination,
  type EditCommand,
  type LineState,
  placeOf,
  type TextEdit,
  without,
  withText,
} from './text-edit.ts';

/** A line and what can be inserted into it again. */
export interface LineEditor {
  readonly edit: TextEdit;
  /** What was cut out last, of any field; empty for nothing. */
  readonly lastCut: string;
}

export type LineCommand = EditCommand | { readonly kind: 'kill'; readonly to: Destination } | { readonly kind: 'yank' };

export function runLineCommand(editor: LineEditor, command: LineCommand): LineEditor {
  const { edit, lastCut } = editor;
  switch (command.kind) {
    case 'kill':
      return cutOut(editor, command.to);
    case 'yank':
      return lastCut === '' ? editor : { edit: changedTo(edit, withText(edit, lastCut)), lastCut };
    default:
      return { lastCut, edit: applyEdit(edit, command) };
  }
}

function cutOut({ edit, lastCut }: LineEditor, to: Destination): LineEditor {
  const place = placeOf(edit, to);
  const text = edit.text.slice(Math.min(place, edit.cursor), Math.max(place, edit.cursor));
  return text === '' ? { edit, lastCut } : { edit: changedTo(edit, without(edit, place)), lastCut: text };
}

export interface Completing {
  readonly before: TextEdit;
  readonly completions: Completions;
  readonly index: number;
  readonly line: LineState;
  readonly owner: object;
}

export interface FieldState {
  /** What was cut out last, of any field; empty for nothing. */
  readonly lastCut: string;
  /** Null while nothing was completed. */
  readonly completing: Completing | null;
}

export const freshFields: FieldState = { lastCut: '', completing: null };

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

/** What was cut out of lines, oldest first; all fields share it. */
type Kills = readonly string[];

/** A line and what can be inserted into it again. */
export interface LineEditor {
  readonly edit: TextEdit;
  readonly kills: Kills;
}

/** What a key does to a line: an edit of the line alone, or one that cuts out or inserts what was cut out. */
export type LineCommand =
  | EditCommand
  /** Cuts out what stands between the cursor and a place; what is cut out in a row is one piece. */
  | { readonly kind: 'kill'; readonly to: Destination }
  /** Inserts what was cut out last. */
  | { readonly kind: 'yank' }
  /** Right behind a yank: an older piece in its place, and the newest again behind the oldest. */
  | { readonly kind: 'yank-older' };

/** Older ones are forgotten. */
const mostKills = 20;

/** Applies one command to a line and to what was cut out. */
export function runLineCommand(editor: LineEditor, command: LineCommand): LineEditor {
  switch (command.kind) {
    case 'kill':
      return kill(editor, command.to);
    case 'yank':
      return yank(editor);
    case 'yank-older':
      return yankOlder(editor);
    default:
      return { ...editor, edit: applyEdit(editor.edit, command) };
  }
}

function kill({ edit, kills }: LineEditor, to: Destination): LineEditor {
  const place = placeOf(edit, to);
  const cutOut = edit.text.slice(Math.min(place, edit.cursor), Math.max(place, edit.cursor));
  if (cutOut === '') return { edit, kills };
  const goesOn = edit.steps?.last === 'killed' && kills.length > 0;
  const before = goesOn ? (kills.at(-1) ?? '') : '';
  const piece = place < edit.cursor ? cutOut + before : before + cutOut;
  const others = goesOn ? kills.slice(0, -1) : kills;
  return {
    edit: changedTo(edit, without(edit, place), { as: 'killed', goesOn }),
    kills: [...others, piece].slice(-mostKills),
  };
}

function yank({ edit, kills }: LineEditor): LineEditor {
  const piece = kills.at(-1);
  if (piece === undefined) return { edit, kills };
  return { edit: changedTo(edit, withText(edit, piece), { as: 'yanked' }), kills };
}

function yankOlder({ edit, kills }: LineEditor): LineEditor {
  const newest = kills.at(-1);
  const before = edit.steps?.undo.at(-1);
  if (edit.steps?.last !== 'yanked' || newest === undefined || before === undefined) return { edit, kills };
  const turned = [newest, ...kills.slice(0, -1)];
  const line = withText(before, turned.at(-1) ?? newest);
  return { edit: changedTo(edit, line, { as: 'yanked', goesOn: true }), kills: turned };
}

/** A line that was completed; the next Tab takes another candidate. */
export interface Completing {
  /** As it was typed. */
  readonly before: TextEdit;
  readonly completions: Completions;
  /** The candidate that was taken. */
  readonly index: number;
  /** The line with it. */
  readonly line: LineState;
  /** Which of the fields it is. */
  readonly owner: object;
}

/** What all fields share of the state. */
export interface FieldState {
  /** What was cut out of lines, to be inserted again. */
  readonly kills: Kills;
  /** Null while nothing was completed. */
  readonly completing: Completing | null;
}

/** Nothing done yet. */
export const freshFields: FieldState = { kills: [], completing: null };

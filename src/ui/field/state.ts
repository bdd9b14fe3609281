import type { Completions } from '../../board/input/completions.ts';
import type { Kills } from './line-editor.ts';
import type { LineState, TextEdit } from './text-edit.ts';

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

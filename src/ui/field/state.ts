import type { Kills } from './line-editor.ts';

/** What all fields share of the state. */
export interface FieldState {
  /** What was cut out of lines, to be inserted again. */
  readonly kills: Kills;
}

/** Nothing cut out yet. */
export const noKills: FieldState = { kills: [] };

import { emptyEdit, type TextEdit } from '../field/text-edit.ts';

/** The help's part of the state. */
export interface HelpState {
  /** What is searched for in it. */
  readonly helpQuery: TextEdit;
  /** The selected one of what it lists; -1 while none is. */
  readonly helpIndex: number;
}

/** A help that nothing was searched for in. */
export const freshHelp: HelpState = { helpQuery: emptyEdit, helpIndex: -1 };

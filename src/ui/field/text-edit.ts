import { blankBefore, graphemeAfter, graphemeBefore, wordAfter, wordBefore } from './boundaries.ts';

/** A text with the place where something is typed into it. The cursor counts UTF-16 units and stands between two graphemes. */
export interface LineState {
  readonly text: string;
  readonly cursor: number;
}

/** A line of text being edited. */
export interface TextEdit extends LineState {
  /** What can be undone of it; absent while nothing can. */
  readonly steps?: EditSteps;
}

/** How a line came to be what it is. */
export interface EditSteps {
  /** The line as it was before each step, oldest first. */
  readonly undo: readonly LineState[];
  /** What was undone, newest last. */
  readonly redo: readonly LineState[];
  /** What was done last: more of the same belongs to the same step. */
  readonly last: 'typed' | 'erased' | 'killed' | 'yanked' | 'other';
}

/** Where a cursor can go. */
export type Destination = 'left' | 'right' | 'word-left' | 'word-right' | 'blank-left' | 'start' | 'end';

/** What can be done to a line of text by itself. */
export type EditCommand =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'move'; readonly to: Destination }
  /** Removes what stands between the cursor and a place. */
  | { readonly kind: 'delete'; readonly to: Destination }
  /** Exchanges the two characters around the cursor, or the last two at the end. */
  | { readonly kind: 'transpose' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' };

/** Nothing entered yet. */
export const emptyEdit: TextEdit = { text: '', cursor: 0 };

/** A line that holds a text, with the cursor at its end. */
export const editOf = (text: string): TextEdit => ({ text, cursor: text.length });

/** More steps than this are forgotten. */
const mostSteps = 200;

const noSteps: EditSteps = { undo: [], redo: [], last: 'other' };

const lineOf = ({ text, cursor }: LineState): LineState => ({ text, cursor });

/** Where a destination is in a line. */
export function placeOf({ text, cursor }: LineState, to: Destination): number {
  switch (to) {
    case 'left':
      return graphemeBefore(text, cursor);
    case 'right':
      return graphemeAfter(text, cursor);
    case 'word-left':
      return wordBefore(text, cursor);
    case 'word-right':
      return wordAfter(text, cursor);
    case 'blank-left':
      return blankBefore(text, cursor);
    case 'start':
      return 0;
    case 'end':
      return text.length;
  }
}

/** A line as something has made it: a step of its own, which undo takes back, unless it goes on with the last one. */
export function changedTo(
  edit: TextEdit,
  line: LineState,
  { as = 'other', goesOn = false }: { readonly as?: EditSteps['last']; readonly goesOn?: boolean } = {},
): TextEdit {
  const { undo } = edit.steps ?? noSteps;
  const isSameStep = goesOn && undo.length > 0;
  if (line.text === edit.text && !isSameStep) return movedTo(edit, line.cursor);
  const steps = isSameStep ? undo : [...undo.slice(1 - mostSteps), lineOf(edit)];
  return { ...betweenGraphemes(line), steps: { undo: steps, redo: [], last: as } };
}

/** What stands before and behind the cursor may have become one character: then the cursor is behind it. */
function betweenGraphemes({ text, cursor }: LineState): LineState {
  const isWithin = cursor > 0 && graphemeAfter(text, cursor - 1) > cursor;
  return { text, cursor: isWithin ? graphemeAfter(text, cursor - 1) : cursor };
}

function movedTo(edit: TextEdit, cursor: number): TextEdit {
  return edit.steps === undefined
    ? { text: edit.text, cursor }
    : { text: edit.text, cursor, steps: { ...edit.steps, last: 'other' } };
}

/** A line without what stands between the cursor and a place. */
export function without(edit: LineState, place: number): LineState {
  const from = Math.min(edit.cursor, place);
  return { text: edit.text.slice(0, from) + edit.text.slice(Math.max(edit.cursor, place)), cursor: from };
}

/** A line with a text where the cursor stands. */
export const withText = ({ text, cursor }: LineState, inserted: string): LineState => ({
  text: text.slice(0, cursor) + inserted + text.slice(cursor),
  cursor: cursor + inserted.length,
});

/** Applies one command; graphemes are never torn apart. */
export function applyEdit(edit: TextEdit, command: EditCommand): TextEdit {
  const last = edit.steps?.last;
  switch (command.kind) {
    case 'insert':
      return inserted(edit, command.text);
    case 'move':
      return movedTo(edit, placeOf(edit, command.to));
    case 'delete':
      return changedTo(edit, without(edit, placeOf(edit, command.to)), { as: 'erased', goesOn: last === 'erased' });
    case 'transpose':
      return changedTo(edit, transposed(edit));
    case 'undo':
      return stepped(edit, 'undo');
    case 'redo':
      return stepped(edit, 'redo');
  }
}

/** What is typed is undone word by word, a paste by itself. */
function inserted(edit: TextEdit, text: string): TextEdit {
  const isPaste = graphemeAfter(text, 0) < text.length;
  const beginsWord = /\s/.test(edit.text.charAt(edit.cursor - 1)) && !/^\s/.test(text);
  const goesOn = edit.steps?.last === 'typed' && !isPaste && !beginsWord;
  return changedTo(edit, withText(edit, text), { as: isPaste ? 'other' : 'typed', goesOn });
}

function transposed(edit: LineState): LineState {
  const { text } = edit;
  const middle = edit.cursor < text.length ? edit.cursor : graphemeBefore(text, text.length);
  const from = graphemeBefore(text, middle);
  const to = graphemeAfter(text, middle);
  if (from === middle || to === middle) return edit;
  const swapped = text.slice(0, from) + text.slice(middle, to) + text.slice(from, middle) + text.slice(to);
  return { text: swapped, cursor: to };
}

function stepped(edit: TextEdit, way: 'undo' | 'redo'): TextEdit {
  const steps = edit.steps ?? noSteps;
  const line = steps[way].at(-1);
  if (line === undefined) return edit;
  const back = way === 'undo' ? 'redo' : 'undo';
  const changed = { [way]: steps[way].slice(0, -1), [back]: [...steps[back], lineOf(edit)], last: 'other' } as const;
  return { ...line, steps: { ...steps, ...changed } };
}

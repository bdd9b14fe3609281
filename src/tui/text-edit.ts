export const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/* Cursor positions are in UTF-16 code units. */

export const graphemeBefore = (text: string, at: number): number =>
  graphemes.segment(text).containing(at - 1)?.index ?? 0;

export function graphemeAfter(text: string, at: number): number {
  const next = graphemes.segment(text).containing(at);
  return next === undefined ? text.length : next.index + next.segment.length;
}

/** Returns the start of the word before a position, also in scripts without spaces between words. */
function wordBefore(text: string, at: number): number {
  const pieces = words.segment(text);
  for (let piece = pieces.containing(at - 1); piece !== undefined; piece = pieces.containing(piece.index - 1)) {
    if (piece.isWordLike === true) return piece.index;
  }
  return 0;
}

function wordAfter(text: string, at: number): number {
  const pieces = words.segment(text);
  for (let piece = pieces.containing(at); piece !== undefined; ) {
    const end = piece.index + piece.segment.length;
    if (piece.isWordLike === true) return end;
    piece = pieces.containing(end);
  }
  return text.length;
}

/** Returns the start of the run of non-space characters before a position. */
function blankSeparatedWordBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** A line of text with a cursor, which is always between two graphemes. */
export interface LineState {
  readonly text: string;
  readonly cursor: number;
}

export interface TextEdit extends LineState {
  /** The undo history. Absent if empty. */
  readonly steps?: EditSteps;
}

interface EditSteps {
  /** Earlier lines, oldest first. */
  readonly undo: readonly LineState[];
  /** Undone lines, newest last. */
  readonly redo: readonly LineState[];
  readonly last: 'typed' | 'erased' | 'other';
}

export type Destination = 'left' | 'right' | 'word-left' | 'word-right' | 'blank-left' | 'start' | 'end';

type EditCommand =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'move'; readonly to: Destination }
  | { readonly kind: 'delete'; readonly to: Destination }
  | { readonly kind: 'transpose' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' };

export const emptyEdit: TextEdit = { text: '', cursor: 0 };

export const createEdit = (text: string): TextEdit => ({ text, cursor: text.length });

const maxSteps = 200;

const emptySteps: EditSteps = { undo: [], redo: [], last: 'other' };

const withoutHistory = ({ text, cursor }: LineState): LineState => ({ text, cursor });

function targetCursor({ text, cursor }: LineState, to: Destination): number {
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
      return blankSeparatedWordBefore(text, cursor);
    case 'start':
      return 0;
    case 'end':
      return text.length;
  }
}

/** Changes the line. Adds an undo step, unless the edit continues the last one. */
export function changeLine(
  edit: TextEdit,
  line: LineState,
  {
    kind = 'other',
    continuesStep = false,
  }: { readonly kind?: EditSteps['last']; readonly continuesStep?: boolean } = {},
): TextEdit {
  const { undo } = edit.steps ?? emptySteps;
  const isSameStep = continuesStep && undo.length > 0;
  if (line.text === edit.text && !isSameStep) return moveCursor(edit, line.cursor);
  const steps = isSameStep ? undo : [...undo.slice(1 - maxSteps), withoutHistory(edit)];
  return { ...snapToGrapheme(line), steps: { undo: steps, redo: [], last: kind } };
}

/** Moves the cursor to the end of the grapheme if the edit joined the characters around the cursor into one. */
function snapToGrapheme({ text, cursor }: LineState): LineState {
  const isWithin = cursor > 0 && graphemeAfter(text, cursor - 1) > cursor;
  return { text, cursor: isWithin ? graphemeAfter(text, cursor - 1) : cursor };
}

function moveCursor(edit: TextEdit, cursor: number): TextEdit {
  return edit.steps === undefined
    ? { text: edit.text, cursor }
    : { text: edit.text, cursor, steps: { ...edit.steps, last: 'other' } };
}

/** Deletes the text between the cursor and a position. */
function deleteTo(edit: LineState, position: number): LineState {
  const from = Math.min(edit.cursor, position);
  return { text: edit.text.slice(0, from) + edit.text.slice(Math.max(edit.cursor, position)), cursor: from };
}

const insertAtCursor = ({ text, cursor }: LineState, inserted: string): LineState => ({
  text: text.slice(0, cursor) + inserted + text.slice(cursor),
  cursor: cursor + inserted.length,
});

/** Applies a command. Never splits a grapheme. */
export function applyEdit(edit: TextEdit, command: EditCommand): TextEdit {
  const last = edit.steps?.last;
  switch (command.kind) {
    case 'insert':
      return insertText(edit, command.text);
    case 'move':
      return moveCursor(edit, targetCursor(edit, command.to));
    case 'delete':
      return changeLine(edit, deleteTo(edit, targetCursor(edit, command.to)), {
        kind: 'erased',
        continuesStep: last === 'erased',
      });
    case 'transpose':
      return changeLine(edit, transposeGraphemes(edit));
    case 'undo':
      return stepHistory(edit, 'undo');
    case 'redo':
      return stepHistory(edit, 'redo');
  }
}

/** Undo removes typed text word by word, and a paste as a whole. */
function insertText(edit: TextEdit, text: string): TextEdit {
  const isPaste = graphemeAfter(text, 0) < text.length;
  const beginsWord = /\s/.test(edit.text.charAt(edit.cursor - 1)) && !/^\s/.test(text);
  const continuesStep = edit.steps?.last === 'typed' && !isPaste && !beginsWord;
  return changeLine(edit, insertAtCursor(edit, text), { kind: isPaste ? 'other' : 'typed', continuesStep });
}

function transposeGraphemes(edit: LineState): LineState {
  const { text } = edit;
  const middle = edit.cursor < text.length ? edit.cursor : graphemeBefore(text, text.length);
  const from = graphemeBefore(text, middle);
  const to = graphemeAfter(text, middle);
  if (from === middle || to === middle) return edit;
  const swapped = text.slice(0, from) + text.slice(middle, to) + text.slice(from, middle) + text.slice(to);
  return { text: swapped, cursor: to };
}

function stepHistory(edit: TextEdit, direction: 'undo' | 'redo'): TextEdit {
  const steps = edit.steps ?? emptySteps;
  const line = steps[direction].at(-1);
  if (line === undefined) return edit;
  const opposite = direction === 'undo' ? 'redo' : 'undo';
  const changed = {
    [direction]: steps[direction].slice(0, -1),
    [opposite]: [...steps[opposite], withoutHistory(edit)],
    last: 'other',
  } as const;
  return { ...line, steps: { ...steps, ...changed } };
}

export interface LineEditor {
  readonly edit: TextEdit;
  /** The text that was last cut from any field. May be empty. */
  readonly lastCut: string;
}

export type LineCommand = EditCommand | { readonly kind: 'kill'; readonly to: Destination } | { readonly kind: 'yank' };

export function runLineCommand(editor: LineEditor, command: LineCommand): LineEditor {
  const { edit, lastCut } = editor;
  switch (command.kind) {
    case 'kill':
      return killText(editor, command.to);
    case 'yank':
      return lastCut === '' ? editor : { edit: changeLine(edit, insertAtCursor(edit, lastCut)), lastCut };
    default:
      return { lastCut, edit: applyEdit(edit, command) };
  }
}

function killText({ edit, lastCut }: LineEditor, to: Destination): LineEditor {
  const position = targetCursor(edit, to);
  const text = edit.text.slice(Math.min(position, edit.cursor), Math.max(position, edit.cursor));
  return text === '' ? { edit, lastCut } : { edit: changeLine(edit, deleteTo(edit, position)), lastCut: text };
}

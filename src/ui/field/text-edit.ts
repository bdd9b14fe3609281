/** A line of text being edited. The cursor counts UTF-16 units and always stands between two graphemes. */
export interface TextEdit {
  readonly text: string;
  readonly cursor: number;
}

/** What can be done to a line of text. */
export type EditCommand =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'move'; readonly to: 'left' | 'right' | 'word-left' | 'word-right' | 'start' | 'end' }
  | { readonly kind: 'delete'; readonly what: 'before' | 'after' | 'word-before' | 'to-start' | 'to-end' };

/** Nothing entered yet. */
export const emptyEdit: TextEdit = { text: '', cursor: 0 };

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Positions between graphemes, both ends included. */
function boundaries(text: string): readonly number[] {
  return [...[...graphemes.segment(text)].map((piece) => piece.index), text.length];
}

const before = (text: string, cursor: number): number => boundaries(text).findLast((at) => at < cursor) ?? 0;
const after = (text: string, cursor: number): number => boundaries(text).find((at) => at > cursor) ?? text.length;

const wordBefore = (text: string, cursor: number): number => /[^\s]*\s*$/.exec(text.slice(0, cursor))?.index ?? 0;
const wordAfter = (text: string, cursor: number): number =>
  cursor + (/^\s*[^\s]*/.exec(text.slice(cursor))?.[0].length ?? 0);

function target(edit: TextEdit, to: Extract<EditCommand, { kind: 'move' }>['to']): number {
  switch (to) {
    case 'left':
      return before(edit.text, edit.cursor);
    case 'right':
      return after(edit.text, edit.cursor);
    case 'word-left':
      return wordBefore(edit.text, edit.cursor);
    case 'word-right':
      return wordAfter(edit.text, edit.cursor);
    case 'start':
      return 0;
    case 'end':
      return edit.text.length;
  }
}

const destinations = {
  before: 'left',
  after: 'right',
  'word-before': 'word-left',
  'to-start': 'start',
  'to-end': 'end',
} as const;

/** Applies one command; graphemes are never torn apart. */
export function applyEdit(edit: TextEdit, command: EditCommand): TextEdit {
  switch (command.kind) {
    case 'insert': {
      const text = edit.text.slice(0, edit.cursor) + command.text + edit.text.slice(edit.cursor);
      return { text, cursor: edit.cursor + command.text.length };
    }
    case 'move':
      return { text: edit.text, cursor: target(edit, command.to) };
    case 'delete': {
      const other = target(edit, destinations[command.what]);
      const from = Math.min(edit.cursor, other);
      return { text: edit.text.slice(0, from) + edit.text.slice(Math.max(edit.cursor, other)), cursor: from };
    }
  }
}

/** The edit command of a key, or null when the key does not edit. */
export function editCommandOf(keyName: string): EditCommand | null {
  switch (keyName) {
    case 'left':
    case 'ctrl+b':
      return { kind: 'move', to: 'left' };
    case 'right':
    case 'ctrl+f':
      return { kind: 'move', to: 'right' };
    case 'ctrl+left':
    case 'alt+b':
      return { kind: 'move', to: 'word-left' };
    case 'ctrl+right':
    case 'alt+f':
      return { kind: 'move', to: 'word-right' };
    case 'home':
    case 'ctrl+a':
      return { kind: 'move', to: 'start' };
    case 'end':
    case 'ctrl+e':
      return { kind: 'move', to: 'end' };
    case 'backspace':
    case 'ctrl+h':
      return { kind: 'delete', what: 'before' };
    case 'delete':
    case 'ctrl+d':
      return { kind: 'delete', what: 'after' };
    case 'ctrl+w':
    case 'alt+backspace':
      return { kind: 'delete', what: 'word-before' };
    case 'ctrl+u':
      return { kind: 'delete', what: 'to-start' };
    case 'ctrl+k':
      return { kind: 'delete', what: 'to-end' };
    default:
      return null;
  }
}

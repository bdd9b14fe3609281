import { Box, useInput } from 'ink';
import TextInput from 'ink-text-input';
import { createContext, use, useEffect, useReducer, useRef } from 'react';
import { cellWidth, cut } from '../../lib/cells.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { drawable, type Line, paint, type Segment } from '../../lib/paint.ts';
import { type KeyPress, toKeyPress } from '../keys/key-names.ts';
import { innerSize, type PaneSize } from '../layout.ts';
import { Lines, LookContext } from '../pane.tsx';
import { graphemes, type LineState, type TextEdit } from '../text-edit.ts';

export interface Typing {
  /** Whether a key does something other than type a character. */
  readonly isCommand: (press: KeyPress) => boolean;
  readonly type: (text: string) => void;
  /** Registers a field that handles typing. Returns a function that removes it. */
  readonly listen: () => () => void;
}

export const TypingContext = createContext<Typing>({
  isCommand: () => true,
  type: () => undefined,
  listen: () => () => undefined,
});

interface FieldInput {
  readonly edit: TextEdit;
  readonly placeholder: string;
  readonly isFocused: boolean;
  /** Width of the field, in cells. */
  readonly width: number;
}

/** The line below the panes. */
export interface BarText extends Omit<FieldInput, 'edit' | 'width'> {
  readonly name: string;
  /** Null for a yes/no question. */
  readonly edit: TextEdit | null;
}

export function Field(field: FieldInput) {
  return (
    <Box width={field.width} height={1} flexShrink={0}>
      {field.isFocused ? <FocusedField {...field} /> : <Lines lines={[[fieldSegment(field)]]} />}
    </Box>
  );
}

/**
 * The focused field. `ink-text-input` receives typed text; the bindings in `field/keys.ts` do the rest, because that
 * component splits graphemes and has no word keys. It draws neither a cursor, because input methods need the terminal's
 * own, nor a placeholder, which would be grey.
 */
function FocusedField({ edit, placeholder, width }: FieldInput) {
  const { isCommand, listen, type } = use(TypingContext);
  const isTyped = useRef(false);
  const [commands, countCommand] = useReducer((count: number) => count + 1, 0);
  useEffect(listen, [listen]);
  const { before, after } = fieldWindow(edit, width);
  const value = paint([{ text: before }], use(LookContext));
  const recordKey = (press: KeyPress): void => {
    isTyped.current = !isCommand(press);
    if (!isTyped.current) countCommand();
  };
  const onChange = (next: string): void => {
    if (isTyped.current) type(next.slice(value.length));
  };
  return (
    <>
      <KeyListener onKey={recordKey} />
      {/* Remounted whenever its cursor would be wrong, because a new one starts at the end. */}
      <TextInput key={`${commands} ${value}`} value={value} showCursor={false} onChange={onChange} />
      <Lines lines={[[edit.text === '' ? { text: cut(placeholder, width), tone: 'quiet' } : { text: after }]]} />
    </>
  );
}

function KeyListener({ onKey }: { readonly onKey: (press: KeyPress) => void }) {
  useInput((input, key) => onKey(toKeyPress(input, key)));
  return null;
}

export const maxLineLength = 100_000;

/** Joins the lines of a paste with `lineSeparator`. Tabs become semicolons; other control characters are removed. */
export function cleanPaste(paste: string, lineSeparator: string): string {
  return paste
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .split('\t')
        .map(cleanText)
        .join('; ')
        .replace(/[\s;]+$/, ''),
    )
    .filter((line) => line !== '')
    .join(lineSeparator);
}

interface FieldWindow {
  readonly before: string;
  /** Text after the cursor, with an ellipsis if the line continues. Both parts together fit into `width` cells. */
  readonly after: string;
  /** Width of the text before the cursor, in cells. */
  readonly cursorCell: number;
}

const ellipsis = '…';

const minWidthWithEllipsis = 8;

interface Side {
  readonly pieces: readonly string[];
  readonly cells: number;
}

/**
 * Cuts a line to `width` cells around the cursor, with a free cell at the end. Only looks at text near the cursor,
 * because lines can be long.
 */
export function fieldWindow(line: LineState, width: number): FieldWindow {
  const room = Math.max(1, width - 1);
  const before = readSide(line, 'before', width);
  const after = readSide(line, 'after', width);
  const roomBefore = room - Math.min(after.cells, Math.floor(room / 2));
  const mark = width < minWidthWithEllipsis ? '' : ellipsis;
  const isWhole = before.cells + Math.max(1, after.cells) <= width;
  const isCutBefore = before.cells > roomBefore && !isWhole;
  const shownBefore = isCutBefore ? [...takeFitting(before, roomBefore - mark.length), mark] : before.pieces;
  const left = shownBefore.toReversed().join('');
  const cursorCell = cellWidth(left);
  const roomAfter = width - cursorCell;
  const right =
    after.cells <= roomAfter ? after.pieces.join('') : takeFitting(after, roomAfter - mark.length).join('') + mark;
  return { before: drawable(left), after: drawable(right), cursorCell };
}

/** Returns the text on one side of the cursor, up to about this many cells. */
function readSide({ text, cursor }: LineState, side: 'before' | 'after', maxCells: number): Side {
  // A grapheme rarely has more code units.
  const maxUnits = 32 * (maxCells + 1);
  const part =
    side === 'before' ? text.slice(Math.max(0, cursor - maxUnits), cursor) : text.slice(cursor, cursor + maxUnits);
  const segments = graphemes.segment(part);
  const pieces: string[] = [];
  let cells = 0;
  let next = segments.containing(side === 'before' ? part.length - 1 : 0);
  while (next !== undefined && cells <= maxCells) {
    const { index, segment } = next;
    const piece = segment.replaceAll('\n', ' ⏎ ');
    pieces.push(piece);
    cells += cellWidth(piece);
    next = segments.containing(side === 'before' ? index - 1 : index + segment.length);
  }
  return { pieces, cells };
}

/** Returns the graphemes next to the cursor that fit. */
function takeFitting({ pieces }: Side, room: number): readonly string[] {
  let cells = 0;
  const end = pieces.findIndex((piece) => {
    cells += cellWidth(piece);
    return cells > room;
  });
  return end === -1 ? pieces : pieces.slice(0, end);
}

function fieldSegment({ edit, isFocused, placeholder, width }: FieldInput): Segment {
  if (edit.text === '') return { text: cut(placeholder, width), tone: 'quiet' };
  const { before, after } = fieldWindow(edit, width);
  return { text: before + after, dim: !isFocused };
}

const searchName = ' search ';

/** Cells to the left of a pane's search field, including the frame. */
export const searchColumn = 1 + searchName.length;

/** Width of the search field in a pane of this size, in cells. */
export const searchWidth = (size: PaneSize): number => Math.max(1, innerSize(size).width - searchName.length);

export const searchLine = (edit: TextEdit, placeholder: string, size: PaneSize): Line => [
  { text: searchName, tone: 'accent' },
  fieldSegment({ edit, placeholder, isFocused: true, width: searchWidth(size) }),
];

import { Box, useInput } from 'ink';
import TextInput from 'ink-text-input';
import { createContext, use, useEffect, useReducer, useRef } from 'react';
import { cut } from '../../lib/cells.ts';
import { paint } from '../../lib/paint.ts';
import { type FieldInput, fieldSegment, fieldWindow } from '../field/field-window.ts';
import { type KeyPress, keyPressOf } from '../keys/key-names.ts';
import { Lines, LookContext } from '../pane/pane.tsx';

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

export function Field(field: FieldInput) {
  return (
    <Box width={field.width} height={1} flexShrink={0}>
      {field.isFocused ? <TypedText {...field} /> : <Lines lines={[[fieldSegment(field)]]} />}
    </Box>
  );
}

/**
 * The focused field. `ink-text-input` receives typed text; the bindings in `keys.ts` do the rest, because that
 * component splits graphemes and has no word keys. It draws no cursor, because input methods need the terminal's own,
 * and no placeholder, which would be grey.
 */
function TypedText({ edit, placeholder, width }: FieldInput) {
  const { isCommand, listen, type } = use(TypingContext);
  const isTyped = useRef(false);
  const [commands, countCommand] = useReducer((count: number) => count + 1, 0);
  useEffect(listen, [listen]);
  const { before, after } = fieldWindow(edit, width);
  const value = paint([{ text: before }], use(LookContext));
  const noteKey = (press: KeyPress): void => {
    isTyped.current = !isCommand(press);
    if (!isTyped.current) countCommand();
  };
  const onTyped = (next: string): void => {
    if (isTyped.current) type(next.slice(value.length));
  };
  return (
    <>
      <KeyListener onKey={noteKey} />
      {/* Remounted whenever its cursor would be wrong, because a new one starts at the end. */}
      <TextInput key={`${commands} ${value}`} value={value} showCursor={false} onChange={onTyped} />
      <Lines lines={[[edit.text === '' ? { text: cut(placeholder, width), tone: 'quiet' } : { text: after }]]} />
    </>
  );
}

function KeyListener({ onKey }: { readonly onKey: (press: KeyPress) => void }) {
  useInput((input, key) => onKey(keyPressOf(input, key)));
  return null;
}

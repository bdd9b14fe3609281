import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { use } from 'react';
import { cut } from '../../board/text/cells.ts';
import { paint } from '../../board/text/paint.ts';
import { LookContext } from '../pane/painted.tsx';
import { fieldWindow } from './field-window.ts';
import type { TextEdit } from './text-edit.ts';

/** A line of text that is edited. */
export interface FieldProps {
  readonly edit: TextEdit;
  readonly placeholder: string;
  /** Whether keys go here. */
  readonly isFocused: boolean;
  /** Cells. */
  readonly width: number;
}

const ignore = (): void => undefined;

/**
 * The one field of the board: input bar, filter, questions and search. `ink-text-input` shows its text; keys are handled
 * by `text-edit`, since the stock input cuts graphemes in two, has no word keys, and draws a cursor of its own where no
 * input method opens. The screen puts the terminal's cursor into the focused one.
 */
export function Field({ edit, placeholder, isFocused, width }: FieldProps) {
  const look = use(LookContext);
  const text =
    edit.text === ''
      ? paint([{ text: cut(placeholder, width), tone: 'quiet' }], look)
      : paint([{ text: fieldWindow(edit, width).text, dim: !isFocused }], look);
  return (
    <Box width={width} height={1} flexShrink={0}>
      <TextInput value={text} focus={false} showCursor={false} onChange={ignore} />
    </Box>
  );
}

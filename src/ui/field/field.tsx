import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { use } from 'react';
import { paint } from '../../board/text/paint.ts';
import { LookContext } from '../pane/lines.tsx';
import { type FieldInput, fieldSegment } from './field-window.ts';

const ignore = (): void => undefined;

/**
 * The one field of the board: input bar, filter, questions and search. `ink-text-input` shows its text; keys are handled
 * by `text-edit`, since the stock input cuts graphemes in two, has no word keys, and draws a cursor of its own where no
 * input method opens. The screen puts the terminal's cursor into the focused one.
 */
export function Field(field: FieldInput) {
  const { width } = field;
  const text = paint([fieldSegment(field)], use(LookContext));
  return (
    <Box width={width} height={1} flexShrink={0}>
      <TextInput value={text} focus={false} showCursor={false} onChange={ignore} />
    </Box>
  );
}

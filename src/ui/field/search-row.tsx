import { Box } from 'ink';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Painted } from '../pane/painted.tsx';
import { Field } from './field.tsx';
import type { TextEdit } from './text-edit.ts';

const name = ' search ';

/** Cells of a pane before the field of its search, the side of the frame included. */
export const searchColumn = 1 + name.length;

/** Cells of that field in a pane of this width. */
export const searchWidth = (size: PaneSize): number => Math.max(1, innerSize(size).width - name.length);

/** What a search shows. */
interface SearchRowProps {
  readonly query: TextEdit;
  readonly placeholder: string;
  /** Of its pane. */
  readonly size: PaneSize;
}

/** The search in the first row of a pane, which has the focus. */
export function SearchRow({ placeholder, query, size }: SearchRowProps) {
  return (
    <Box height={1} flexShrink={0}>
      <Painted line={[{ text: name, tone: 'accent' }]} />
      <Field edit={query} placeholder={placeholder} isFocused width={searchWidth(size)} />
    </Box>
  );
}

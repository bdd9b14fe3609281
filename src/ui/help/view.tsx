import { Box } from 'ink';
import type { Line } from '../../board/text/line.ts';
import { Field } from '../field/field.tsx';
import type { TextEdit } from '../field/text-edit.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Painted } from '../pane/painted.tsx';
import { Lines, Pane } from '../pane/pane.tsx';
import { type Scroll, scrollStatus } from '../pane/scroll.ts';

const searchName = ' search ';

/** Cells of the help before its search field, the side of the frame included. */
export const helpSearchColumn = 1 + searchName.length;

/** Cells of the help's search field in a pane of this width. */
export const helpSearchWidth = (size: PaneSize): number => Math.max(1, innerSize(size).width - searchName.length);

/** What the help shows. */
export interface HelpPaneProps {
  readonly query: TextEdit;
  /** The lines in sight. */
  readonly lines: readonly Line[];
  readonly scroll: Scroll;
  readonly size: PaneSize;
}

/** The keys that there are, below a search for them. */
export function HelpPane({ lines, query, scroll, size }: HelpPaneProps) {
  return (
    <Pane texts={{ title: 'Keys', ...scrollStatus(scroll) }} size={size} isFocused>
      <Box height={1} flexShrink={0}>
        <Painted line={[{ text: searchName, tone: 'accent' }]} />
        <Field edit={query} placeholder="what you want to do; Enter does it" isFocused width={helpSearchWidth(size)} />
      </Box>
      <Lines lines={lines} />
    </Pane>
  );
}

import { searchLine } from '../field/search-line.ts';
import type { TextEdit } from '../field/text-edit.ts';
import type { PaneSize } from '../layout.ts';
import type { ShownOverlay } from '../overlay/state.ts';
import { Pane } from '../pane/pane.tsx';
import { scrollStatus } from '../pane/scroll.ts';

/** What the help shows. */
export interface HelpProps extends Pick<ShownOverlay, 'lines' | 'scroll'> {
  /** What is searched for. */
  readonly query: TextEdit;
  readonly size: PaneSize;
}

/** All keys, below the search for one of them. */
export function Help({ lines, query, scroll, size }: HelpProps) {
  const search = searchLine(query, 'what you want to do; Enter does it', size);
  return <Pane texts={{ title: 'Keys', ...scrollStatus(scroll) }} size={size} isFocused lines={[search, ...lines]} />;
}

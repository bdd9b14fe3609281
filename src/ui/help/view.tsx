import type { Line } from '../../board/text/line.ts';
import { SearchRow } from '../field/search-row.tsx';
import type { TextEdit } from '../field/text-edit.ts';
import type { PaneSize } from '../layout.ts';
import { Lines, Pane } from '../pane/pane.tsx';
import { type Scroll, scrollStatus } from '../pane/scroll.ts';

/** What the help shows. */
interface HelpPaneProps {
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
      <SearchRow query={query} placeholder="what you want to do; Enter does it" size={size} />
      <Lines lines={lines} />
    </Pane>
  );
}

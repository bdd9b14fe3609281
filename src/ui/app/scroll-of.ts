import { listHeight } from '../list/parcel-list.tsx';
import { innerSize } from '../pane/frame.ts';
import type { Board } from './board.ts';
import { keyContextOf } from './state.ts';

/** What the movement keys move. */
export function scrollOf({
  layout,
  list,
  overlay,
  timeline,
  ui,
}: Pick<Board, 'layout' | 'list' | 'overlay' | 'timeline' | 'ui'>): Board['scroll'] {
  if (layout.kind === 'too-small') return { offset: 0, last: 0, rows: 1 };
  const context = keyContextOf(ui);
  if (overlay !== null && context !== 'picker') return overlay.scroll;
  if (context === 'timeline') return timeline.scroll;
  const picker = overlay?.name === 'scan' ? layout.body : layout.timeline;
  const rows = context === 'picker' ? innerSize(picker).height : listHeight(layout.list);
  return { offset: list.offset, last: 0, rows };
}

import type { Board, SeenBoard } from '../board.ts';
import { listHeight } from '../list/list-height.ts';
import { innerSize } from '../pane/frame.ts';
import { keyContextOf } from '../state.ts';

/** What the movement keys move. */
export function scrollOf({
  layout,
  list,
  overlay,
  timeline,
  ui,
}: Pick<SeenBoard, 'layout' | 'list' | 'overlay' | 'timeline' | 'ui'>): Board['scroll'] {
  if (layout.kind === 'too-small') return { offset: 0, last: 0, rows: 1 };
  const context = keyContextOf(ui);
  const isOverBody =
    context === 'help' ||
    context === 'details' ||
    context === 'news' ||
    context === 'scan' ||
    context === 'list' ||
    context === 'timeline' ||
    context === 'setup' ||
    context === 'setup-field' ||
    // What is asked about a found number stands below the list of them.
    (overlay?.name === 'scan' && context !== 'picker');
  const overBody = isOverBody ? overlay : null;
  const text = overBody ?? (context === 'timeline' ? timeline : null);
  if (text !== null) return text.scroll;
  const picker = overlay?.name === 'scan' ? layout.body : layout.timeline;
  const rows = context === 'picker' ? innerSize(picker).height : listHeight(layout.list);
  return { offset: list.offset, last: 0, rows };
}

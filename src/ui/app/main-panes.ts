import type { Layout, PaneSize } from '../layout.ts';
import type { KeptRows } from '../list/kept-rows.ts';
import { listPane } from '../list/list-pane.ts';
import type { PaneContent } from '../pane/frame.ts';
import { timelinePane } from '../timeline/timeline-pane.ts';
import type { Board } from './board.ts';

/** A layout with room for a board. */
export type Divided = Exclude<Layout, { kind: 'too-small' }>;

/**
 * List and timeline: one of them, or both from left to right, or from top to bottom.
 * @param inPlace what stands in place of the timeline; null where that does
 */
export function shownPanes(
  board: Board,
  layout: Divided,
  kept: KeptRows,
  inPlace: ((size: PaneSize) => PaneContent) | null = null,
): readonly PaneContent[] {
  const isSingle = layout.kind === 'single';
  const isListShown = !isSingle || (layout.pane === 'list' && inPlace === null);
  const list = isListShown ? [listPane(board, layout.list, kept)] : [];
  if (isSingle && isListShown) return list;
  return [...list, inPlace?.(layout.timeline) ?? timelinePane(board, layout.timeline)];
}

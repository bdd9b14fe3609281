import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import { Lines, Pane } from '../pane/pane.tsx';
import { timelineFrame } from './timeline-frame.ts';

/** The timeline of the selected parcel. */
export function TimelinePane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { timeline, ui } = board;
  return (
    <Pane texts={timelineFrame(board)} size={size} isFocused={ui.focus === 'timeline'}>
      <Lines lines={timeline.lines} />
    </Pane>
  );
}

import { parcelTitle } from '../../board/status/view-stage.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import type { FrameTexts } from '../pane/frame.ts';
import { Lines, Pane } from '../pane/pane.tsx';
import { scrollStatus } from '../pane/scroll.ts';

/** The timeline of the selected parcel. */
export function TimelinePane({ board, size }: { readonly board: Board; readonly size: PaneSize }) {
  const { heading, selected, timeline, ui, zone } = board;
  const count = selected?.checkpointCount ?? 0;
  const texts: FrameTexts = {
    title: selected === null ? (heading?.title ?? 'Timeline') : parcelTitle(selected),
    ...(heading === null
      ? { titleRight: timeModeTitle(ui.timeMode, zone), status: count === 1 ? '1 event' : `${count} events` }
      : {}),
    ...scrollStatus(timeline.scroll),
  };
  return (
    <Pane texts={texts} size={size} isFocused={ui.focus === 'timeline'}>
      <Lines lines={timeline.lines} />
    </Pane>
  );
}

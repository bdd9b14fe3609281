import { parcelTitle } from '../../board/status/view-stage.ts';
import { counted } from '../../board/text/counted.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { SeenBoard } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import type { PaneContent } from '../pane/frame.ts';
import { scrollStatus } from '../pane/scroll.ts';

/** The timeline of the selected parcel. */
export function timelinePane({ heading, selected, timeline, ui, zone }: SeenBoard, size: PaneSize): PaneContent {
  const texts = {
    title: selected === null ? (heading?.title ?? 'Timeline') : parcelTitle(selected),
    ...(heading === null
      ? { titleRight: timeModeTitle(ui.timeMode, zone), status: counted(selected?.checkpointCount ?? 0, 'event') }
      : {}),
    ...scrollStatus(timeline.scroll),
  };
  return { texts, size, isFocused: ui.focus === 'timeline', lines: timeline.lines };
}

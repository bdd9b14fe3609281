import { parcelTitle } from '../../board/status/view-stage.ts';
import { counted } from '../../board/text/counted.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { SeenBoard } from '../board.ts';
import type { FrameTexts } from '../pane/frame.ts';
import { scrollStatus } from '../pane/scroll.ts';

/** What stands around the timeline. */
export function timelineFrame({ heading, selected, timeline, ui, zone }: SeenBoard): FrameTexts {
  return {
    title: selected === null ? (heading?.title ?? 'Timeline') : parcelTitle(selected),
    ...(heading === null
      ? { titleRight: timeModeTitle(ui.timeMode, zone), status: counted(selected?.checkpointCount ?? 0, 'event') }
      : {}),
    ...scrollStatus(timeline.scroll),
  };
}

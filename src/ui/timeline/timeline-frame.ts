import { parcelTitle } from '../../board/status/view-stage.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { SeenBoard } from '../board.ts';
import type { FrameTexts } from '../pane/frame.ts';
import { scrollStatus } from '../pane/scroll.ts';

/** What stands around the timeline. */
export function timelineFrame({ heading, selected, timeline, ui, zone }: SeenBoard): FrameTexts {
  const count = selected?.checkpointCount ?? 0;
  return {
    title: selected === null ? (heading?.title ?? 'Timeline') : parcelTitle(selected),
    ...(heading === null
      ? { titleRight: timeModeTitle(ui.timeMode, zone), status: count === 1 ? '1 event' : `${count} events` }
      : {}),
    ...scrollStatus(timeline.scroll),
  };
}

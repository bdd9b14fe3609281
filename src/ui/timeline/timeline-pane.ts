import { parcelTitle } from '../../board/status/view-stage.ts';
import { counted } from '../../board/text/counted.ts';
import type { Line } from '../../board/text/line.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { Board } from '../app/board.ts';
import { type PaneSize, sizesOf } from '../layout.ts';
import { innerSize, type PaneContent } from '../pane/frame.ts';
import { scrollStatus, scrollWithin } from '../pane/scroll.ts';
import { headingLines } from './heading-text.ts';

/** What is in sight of a timeline, or of what stands in its place while the heading of a group is selected. */
export function timelineInSight(
  { heading, layout, ui }: Pick<Board, 'heading' | 'layout' | 'ui'>,
  timeline: readonly Line[],
): Board['timeline'] {
  const lines = heading === null ? timeline : headingLines(heading);
  const scroll = scrollWithin(lines.length, ui.timelineOffset, innerSize(sizesOf(layout).timeline).height);
  return { lines: lines.slice(scroll.offset, scroll.offset + scroll.rows), scroll };
}

/** The timeline of the selected parcel. */
export function timelinePane({ heading, selected, timeline, ui, zone }: Board, size: PaneSize): PaneContent {
  const texts = {
    title: selected === null ? (heading?.title ?? 'Timeline') : parcelTitle(selected),
    ...(heading === null
      ? { titleRight: timeModeTitle(ui.timeMode, zone), status: counted(selected?.checkpointCount ?? 0, 'event') }
      : {}),
    ...scrollStatus(timeline.scroll),
  };
  return { texts, size, isFocused: ui.focus === 'timeline', lines: timeline.lines };
}

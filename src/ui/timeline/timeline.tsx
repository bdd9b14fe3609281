import { memo } from 'react';
import type { HeadingRow } from '../../board/list/list-rows.ts';
import { parcelTitle } from '../../board/status/view-stage.ts';
import { counted } from '../../board/text/counted.ts';
import { type TimeMode, timeModeTitle } from '../../board/time/checkpoint-time.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { PaneSize } from '../layout.ts';
import { Pane } from '../pane/pane.tsx';
import { scrollStatus } from '../pane/scroll.ts';
import type { TimelineInSight } from './timeline-text.ts';

/** What the timeline shows. */
export interface TimelineProps {
  /** The selected parcel; null when none is. */
  readonly parcel: Parcel | null;
  /** The selected heading; null when none is. */
  readonly heading: HeadingRow | null;
  readonly inSight: TimelineInSight;
  readonly timeMode: TimeMode;
  readonly zone: Zone;
  readonly size: PaneSize;
  readonly isFocused: boolean;
}

/** The timeline of the selected parcel. */
export const Timeline = memo(function Timeline(props: TimelineProps) {
  const { heading, inSight, isFocused, parcel, size, timeMode, zone } = props;
  const texts = {
    title: parcel === null ? (heading?.title ?? 'Timeline') : parcelTitle(parcel),
    ...(heading === null
      ? { titleRight: timeModeTitle(timeMode, zone), status: counted(parcel?.checkpointCount ?? 0, 'event') }
      : {}),
    ...scrollStatus(inSight.scroll),
  };
  return <Pane texts={texts} size={size} isFocused={isFocused} lines={inSight.lines} />;
});

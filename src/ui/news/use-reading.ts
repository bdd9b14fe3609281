import { useEffect, useState } from 'react';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import { inBackground } from '../footer/messages.ts';
import { type OpenedUnread, openedUnread } from './opened-unread.ts';

/** How long a parcel has to be open before its news count as read, in milliseconds: longer than moving over it takes. */
const readMs = 2000;

/** Remembers what was unread of the open parcel for as long as it is open. */
export function useOpenedUnread(opened: Parcel | null): OpenedUnread | null {
  const [remembered, remember] = useState<OpenedUnread | null>(null);
  const unread = openedUnread(remembered, opened);
  if (unread !== remembered) remember(unread);
  return unread;
}

/** What decides whether the open parcel is being read. */
export interface ReadingInput extends Pick<Board, 'change' | 'clock' | 'monitor' | 'isFocused' | 'selected'> {
  readonly isTimelineInSight: boolean;
}

/** Marks the open parcel as read once its timeline was in sight for a moment, in a terminal that has the focus. */
export function useReading({ change, clock, isTimelineInSight, isFocused, monitor, selected }: ReadingInput): void {
  const isRead = isTimelineInSight && isFocused && selected?.unread !== undefined;
  const parcelId = isRead ? selected.id : null;
  // What comes meanwhile wants its own moment.
  const changedAt = selected?.changedAt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins again with each change
  useEffect(() => {
    if (parcelId === null) return;
    return clock.setTimer(readMs, () => inBackground({ change }, () => monitor.markRead([parcelId])));
  }, [clock, monitor, change, parcelId, changedAt]);
}

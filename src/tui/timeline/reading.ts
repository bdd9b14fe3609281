import { useEffect, useRef, useState } from 'react';
import type { Clock } from '../../lib/clock.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEndedUnreported } from '../../parcels/parcel-stage.ts';
import type { Monitor } from '../../polling/state.ts';
import type { Checkpoint } from '../../service/record.ts';
import type { Board } from '../board.ts';
import { inBackground } from '../footer/messages.ts';
import type { UiState } from '../ui-state.ts';

export interface OpenedUnread {
  readonly parcelId: string;
  /** The newest event before what is new; null for none. */
  readonly lastRead: Checkpoint | null;
}

/** What is marked in the timeline of the open parcel, from what was marked in it before; the same object when that stays. */
export function openedUnread(before: OpenedUnread | null, opened: Parcel | null): OpenedUnread | null {
  if (opened === null) return null;
  if (before?.parcelId === opened.id) return before;
  return opened.unread === undefined ? null : { parcelId: opened.id, lastRead: opened.unread.lastRead };
}

/** The newest event of a parcel that was read; undefined when nothing of it is new. */
export function lastReadOf(parcel: Parcel, opened: OpenedUnread | null): Checkpoint | null | undefined {
  return opened?.parcelId === parcel.id ? opened.lastRead : parcel.unread?.lastRead;
}

/** How long a parcel has to be open before its news count as read, in milliseconds: longer than moving over it takes. */
const readMs = 2000;

/** Remembers what was unread of the open parcel for as long as it is open. */
export function useOpenedUnread(opened: Parcel | null): OpenedUnread | null {
  const [remembered, remember] = useState<OpenedUnread | null>(null);
  const unread = openedUnread(remembered, opened);
  if (unread !== remembered) remember(unread);
  return unread;
}

interface ReadingInput extends Pick<Board, 'change'> {
  readonly clock: Clock;
  readonly monitor: Monitor;
  readonly isFocused: boolean;
  readonly isTimelineInSight: boolean;
  readonly selected: Parcel | null;
  readonly ui: UiState;
}

interface Seen {
  readonly id: string;
  readonly changedAt: Parcel['changedAt'] | undefined;
}

/**
 * Marks the open parcel as read once its timeline was in sight for a moment, in a terminal that has the focus. One that is
 * closed by that is marked when the user leaves it: it would go to the end of the list while it is read, and the first one
 * of a board that nobody touches would stop asking for attention, and so would the next.
 */
export function useReading(input: ReadingInput): void {
  const { change, clock, isTimelineInSight, isFocused, monitor, selected, ui } = input;
  const isRead = isTimelineInSight && isFocused && selected?.unread !== undefined;
  const parcelId = isRead ? selected.id : null;
  const waits = isRead && hasEndedUnreported(selected);
  // What comes meanwhile wants its own moment.
  const changedAt = selected?.changedAt;
  const seen = useRef<Seen | null>(null);
  useEffect(() => {
    if (parcelId === null) return;
    return clock.setTimer(readMs, () => {
      if (waits) seen.current = { id: parcelId, changedAt };
      else inBackground({ change }, () => monitor.markRead([parcelId]));
    });
  }, [clock, monitor, change, parcelId, changedAt, waits]);

  const { focus, selectedGroup, selectedId } = ui;
  const hadTimeline = useRef(false);
  useEffect(() => {
    const hasClosedTimeline = hadTimeline.current && focus !== 'timeline';
    hadTimeline.current = focus === 'timeline';
    const left = seen.current;
    const isSelected = selectedGroup === null && (selectedId ?? left?.id) === left?.id;
    if (left === null || (isSelected && !hasClosedTimeline)) return;
    seen.current = null;
    const isUnchanged = (parcel: Parcel): boolean => parcel.id === left.id && parcel.changedAt === left.changedAt;
    if (monitor.getState().parcels.some(isUnchanged)) inBackground({ change }, () => monitor.markRead([left.id]));
  }, [monitor, change, focus, selectedGroup, selectedId]);
}

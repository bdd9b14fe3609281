import { useEffect, useRef, useState } from 'react';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEndedWithProblem } from '../../parcels/parcel-state.ts';
import type { Checkpoint } from '../../service/record.ts';
import type { Board } from '../board.ts';
import { inBackground } from '../footer.ts';

export interface OpenedUnread {
  readonly parcelId: string;
  /** The last event that was already read, or null. */
  readonly lastRead: Checkpoint | null;
}

/** Returns the open timeline's unread marks. The same object as long as they do not change. */
export function trackUnread(before: OpenedUnread | null, opened: Parcel | null): OpenedUnread | null {
  if (opened === null) return null;
  if (before?.parcelId === opened.id) return before;
  return opened.unread === undefined ? null : { parcelId: opened.id, lastRead: opened.unread.lastRead };
}

/** Returns the last event that was read (null if none was), or undefined if nothing is new. */
export function lastReadEvent(parcel: Parcel, opened: OpenedUnread | null): Checkpoint | null | undefined {
  return opened?.parcelId === parcel.id ? opened.lastRead : parcel.unread?.lastRead;
}

/** How long a timeline must be visible before its events count as read, in milliseconds. */
const minVisibleMs = 2000;

/** Keeps the open parcel's unread marks until a different one is opened. */
export function useOpenedUnread(opened: Parcel | null): OpenedUnread | null {
  const [remembered, remember] = useState<OpenedUnread | null>(null);
  const unread = trackUnread(remembered, opened);
  if (unread !== remembered) remember(unread);
  return unread;
}

interface ReadingInput extends Pick<Board, 'change' | 'clock' | 'monitor' | 'selected' | 'ui'> {
  readonly isFocused: boolean;
  readonly isTimelineVisible: boolean;
}

/**
 * Marks the open parcel as read once its timeline has been visible for a moment in a focused terminal. If this would
 * move a finished parcel in the list, waits until the user leaves it.
 */
export function useReading(input: ReadingInput): void {
  const { change, clock, isTimelineVisible, isFocused, monitor, selected, ui } = input;
  const isRead = isTimelineVisible && isFocused && selected?.unread !== undefined;
  const parcelId = isRead ? selected.id : null;
  const waits = isRead && hasEndedWithProblem(selected);
  // New changes restart the timer.
  const changedAt = selected?.changedAt;
  const seen = useRef<{ readonly id: string; readonly changedAt: string | undefined } | null>(null);
  useEffect(() => {
    if (parcelId === null) return;
    return clock.setTimer(minVisibleMs, () => {
      if (waits) seen.current = { id: parcelId, changedAt };
      else inBackground({ change }, () => monitor.markRead([parcelId]));
    });
  }, [clock, monitor, change, parcelId, changedAt, waits]);

  const { focus, selectedGroup, selectedId } = ui;
  const hadTimeline = useRef(false);
  useEffect(() => {
    const hasClosedTimeline = hadTimeline.current && focus !== 'timeline';
    hadTimeline.current = focus === 'timeline';
    const previous = seen.current;
    const isSelected = selectedGroup === null && (selectedId ?? previous?.id) === previous?.id;
    if (previous === null || (isSelected && !hasClosedTimeline)) return;
    seen.current = null;
    const isUnchanged = (parcel: Parcel): boolean =>
      parcel.id === previous.id && parcel.changedAt === previous.changedAt;
    if (monitor.getState().parcels.some(isUnchanged)) inBackground({ change }, () => monitor.markRead([previous.id]));
  }, [monitor, change, focus, selectedGroup, selectedId]);
}

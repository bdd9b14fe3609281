import type { Checkpoint } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** What was unread of the parcel that is open: its marks stay in the timeline until the user leaves it. */
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

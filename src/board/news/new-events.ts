import type { Checkpoint } from '../../service/record/record.ts';
import { isSameEvent } from '../../watchlist/changes/changes-between.ts';
import { instantOf } from '../status/view-stage.ts';

/**
 * How many of a parcel's events, newest first, nobody has looked at.
 * @param lastRead the newest event before them; null when there was none, undefined when nothing is unread
 */
export function newEventCount(checkpoints: readonly Checkpoint[], lastRead: Checkpoint | null | undefined): number {
  if (lastRead === undefined) return 0;
  if (lastRead === null) return checkpoints.length;
  const readAt = checkpoints.findIndex((checkpoint) => isSameEvent(lastRead, checkpoint));
  if (readAt !== -1) return readAt;
  // The courier words it otherwise by now, or has taken it back: then its time decides.
  const olderAt = checkpoints.findIndex((checkpoint) => !isNewer(checkpoint, lastRead));
  return olderAt === -1 ? checkpoints.length : olderAt;
}

/** Whether an event was after another one; where that cannot be known, it was not. */
function isNewer(checkpoint: Checkpoint, than: Checkpoint): boolean {
  const [at, thanAt] = [instantOf(checkpoint.at), instantOf(than.at)];
  if (at !== null && thanAt !== null) return at > thanAt;
  return checkpoint.local !== null && than.local !== null && checkpoint.local > than.local;
}

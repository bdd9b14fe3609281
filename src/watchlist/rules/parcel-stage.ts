import type { Checkpoint } from '../../service/record/record.ts';
import { isFinalProblem, isMovement, type Stage, stageOf, stageOfEvent, stages } from '../../service/record/status.ts';
import type { Parcel, RecordSummary } from '../model/parcel.ts';

/** Where a parcel stands for its reader, in the order of urgency: its stage, or `closed` (see {@link isClosed}). */
export const shownStages = [...stages, 'closed'] as const;
export type ShownStage = (typeof shownStages)[number];

/** What says where a parcel stands. */
export interface StagedParcel {
  readonly record: Pick<RecordSummary, 'transitStatus' | 'transitSubStatus'> | null;
  readonly lastEvent: Pick<Checkpoint, 'subStatus'> | null;
}

/** Our reading of a parcel's record: its core status, or that of its newest event where it has events and no core status. */
export function recordStage({ record, lastEvent }: StagedParcel): Stage {
  if (record === null) return 'no-record';
  const subStatus = eventStatus({ record, lastEvent });
  return subStatus === undefined ? stageOf(record.transitStatus, record.transitSubStatus) : stageOfEvent(subStatus);
}

/** Whether the journey of a parcel is over, by its record: it is delivered, has expired, or {@link hasFailed}. */
export function hasEnded(parcel: StagedParcel): boolean {
  const stage = recordStage(parcel);
  return stage === 'delivered' || stage === 'expired' || hasFailed(parcel);
}

/**
 * Whether a journey is over without a delivery, by its record: cancelled, back with the sender, lost or destroyed. Not one
 * whose newest event says that the parcel moves again, which the record's status may be late to say.
 */
export function hasFailed({ record, lastEvent }: StagedParcel): boolean {
  if (record === null || isMovement(lastEvent?.subStatus ?? null)) return false;
  if (record.transitStatus === 'ABNORMAL') return isFinalProblem(record.transitSubStatus);
  return isFinalProblem(eventStatus({ record, lastEvent }) ?? null);
}

/** Whether a journey is over without a delivery and the user has seen that, so that nothing is to be done any more. */
export function isClosed(parcel: Parcel): boolean {
  return parcel.unread === undefined && parcel.registration !== 'rejected' && hasFailed(parcel);
}

/** The stage under which a parcel is shown and counted: as {@link parcelStage}, but `closed` for one that is. */
export function shownStage(parcel: Parcel): ShownStage {
  return isClosed(parcel) ? 'closed' : parcelStage(parcel);
}

/** The stage of a parcel: that of its record; `attention` when the service rejected it, `no-record` without a record. */
export function parcelStage(parcel: Parcel): Stage {
  if (parcel.registration === 'rejected') return 'attention';
  return recordStage(parcel);
}

/**
 * The sub-status by which a parcel is described, null for none, where a record has events and no core status; undefined for
 * every other, whose core status decides. The newest event's: the record's own may be of an older answer.
 */
export function eventStatus({ record, lastEvent }: StagedParcel): string | null | undefined {
  if (record === null || record.transitStatus !== null || lastEvent === null) return undefined;
  return lastEvent.subStatus ?? record.transitSubStatus;
}

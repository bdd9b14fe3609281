import type { Checkpoint } from '../../service/record/record.ts';
import {
  isDelivery,
  isFinalProblem,
  isMovement,
  type Stage,
  stageOf,
  stageOfEvent,
  stages,
} from '../../service/record/status.ts';
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

/** Whether the journey of a parcel is over: it is delivered, has expired, or {@link hasEndedUnreported}. */
export function hasEnded(parcel: StagedParcel): boolean {
  const stage = recordStage(parcel);
  return stage === 'delivered' || stage === 'expired' || hasEndedUnreported(parcel);
}

/**
 * Whether a journey is over while the service goes on reporting a problem: cancelled, back with the sender, lost or destroyed, or
 * delivered by the newest event. Not where that event says that the parcel moves again: the record's status may be late to.
 */
export function hasEndedUnreported({ record, lastEvent }: StagedParcel): boolean {
  if (record === null || recordStage({ record, lastEvent }) !== 'attention') return false;
  const newest = lastEvent?.subStatus ?? null;
  if (isDelivery(newest)) return true;
  const isFinal = isFinalProblem(eventStatus({ record, lastEvent }) ?? record.transitSubStatus);
  return isFinal && record.transitStatus !== 'DELIVERY_FAILED' && !isMovement(newest);
}

/** Whether nothing is left to be done about a parcel: it {@link hasEndedUnreported}, and the user has seen that. */
export function isClosed(parcel: Parcel): boolean {
  return parcel.unread === undefined && parcel.registration !== 'rejected' && hasEndedUnreported(parcel);
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

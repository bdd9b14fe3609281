import type { Checkpoint } from '../../service/record/record.ts';
import { type Stage, stageOf, stageOfEvent } from '../../service/record/status.ts';
import type { Parcel, RecordSummary } from '../model/parcel.ts';

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

/** Whether a parcel is delivered or expired, by its record. */
export function hasEnded(parcel: StagedParcel): boolean {
  const stage = recordStage(parcel);
  return stage === 'delivered' || stage === 'expired';
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

import type { EpochMs } from '../../service/clock/clock.ts';
import { parseWallTime } from '../../service/clock/wall-time.ts';
import type { Checkpoint, TrackingRecord } from '../../service/record/record.ts';
import { stageOf } from '../../service/record/status.ts';
import { believed, instantOf } from '../../service/record/timeline-order.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';
import type { Parcel, ParcelHistory } from '../model/parcel.ts';
import { mergeCheckpoints } from './checkpoints.ts';
import { mergeHistory } from './merge.ts';

/**
 * Whether a record that came unasked, or while another was recorded, is older than what is known: its newest checkpoint
 * lies before ours. By instants where both have one, else by the courier's local times. A record without checkpoints
 * counts as older than any checkpoint, since nothing shows its age; one with the same newest checkpoint as newer.
 */
export function isLate(known: Checkpoint | null, record: TrackingRecord): boolean {
  if (known === null) return false;
  // The order in which the history would keep them, so that like is compared with like.
  const [newest] = believed(mergeCheckpoints([], record.checkpoints));
  if (newest === undefined) return true;
  const [at, knownAt] = [instantOf(newest), instantOf(known)];
  if (at !== null && knownAt !== null) return at < knownAt;
  const [local, knownLocal] = [parseWallTime(newest.local), parseWallTime(known.local)];
  return local !== null && knownLocal !== null && local < knownLocal;
}

/** What is known of a parcel when a record of it is pushed. */
export interface KnownBeforePush {
  readonly lastEvent: Checkpoint | null;
  /** What the service said last; null before the first. */
  readonly status: Pick<TrackingRecord, 'transitStatus' | 'transitSubStatus'> | null;
  /** When that was; null for never. */
  readonly checkedAt: EpochMs | null;
}

/** As much as the service's clock may differ from ours. */
const clockDifferenceMs = 5 * 60_000;

/**
 * Whether a pushed record is older than what is known: by checkpoints as {@link isLate}. One without checkpoints is
 * dated by the local time of its newest event, else it may not undo a delivery, nor what was recorded well after it was
 * sent (`sentAt`; a push that did not get through is sent again hours later, perhaps with its first time).
 */
export function isLatePush(known: KnownBeforePush, record: TrackingRecord, sentAt: EpochMs | null): boolean {
  if (record.checkpoints.length > 0) return isLate(known.lastEvent, record);
  const [local, knownLocal] = [parseWallTime(record.lastTrackingTime), parseWallTime(known.lastEvent?.local ?? null)];
  if (local !== null && knownLocal !== null) return local < knownLocal;
  const isDelivered = (status: KnownBeforePush['status']): boolean =>
    status !== null && stageOf(status.transitStatus, status.transitSubStatus) === 'delivered';
  if (isDelivered(known.status) && !isDelivered(record)) return true;
  return sentAt !== null && known.checkedAt !== null && sentAt + clockDifferenceMs < known.checkedAt;
}

/** The history after a push: a late one only adds checkpoints, and one without checkpoints takes nothing away. */
export function mergePush(history: ParcelHistory, record: TrackingRecord, late: boolean): ParcelHistory {
  if (late) return addCheckpoints(history, record);
  if (record.checkpoints.length > 0 || history.received === null) return mergeHistory(history, record);
  return mergeHistory(history, { ...record, received: completed(history.received, record.received) });
}

/** A record of which only a part came, completed by what was known: what is blank or left out stays as it was. */
function completed(known: JsonObject, part: JsonObject): JsonObject {
  const whole: Record<string, JsonValue> = { ...known };
  for (const [name, value] of Object.entries(part)) {
    const old = Object.hasOwn(known, name) ? known[name] : undefined;
    if (isJsonObject(value) && isJsonObject(old)) whole[name] = completed(old, value);
    else if (!isEmpty(value)) whole[name] = value;
  }
  return whole;
}

const isEmpty = (value: JsonValue): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** As `mergeHistory`, but a late record only adds checkpoints. */
export function mergePossiblyLate(history: ParcelHistory, record: TrackingRecord): ParcelHistory {
  return isLate(believed(history.checkpoints)[0] ?? null, record)
    ? addCheckpoints(history, record)
    : mergeHistory(history, record);
}

function addCheckpoints(history: ParcelHistory, record: TrackingRecord): ParcelHistory {
  const checkpoints = mergeCheckpoints(history.checkpoints, record.checkpoints);
  return checkpoints === history.checkpoints ? history : { ...history, checkpoints };
}

/** The parcel after a late record whose checkpoints are in `history` already: nothing but their number can change. */
export function applyLateRecord(parcel: Parcel, history: ParcelHistory): Parcel {
  const checkpointCount = Math.max(parcel.checkpointCount, history.checkpoints.length);
  return checkpointCount === parcel.checkpointCount ? parcel : { ...parcel, checkpointCount };
}

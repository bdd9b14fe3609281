import type { Checkpoint, TrackingRecord } from '../service/record.ts';
import { parseWallTime } from '../service/service-clock.ts';
import { mergeCheckpoints } from './checkpoints.ts';
import { mergeHistory } from './merge.ts';
import type { Parcel, ParcelHistory } from './parcel.ts';

/**
 * Whether a record that came unasked, or while another was recorded, is older than what is known: its newest checkpoint
 * lies before ours. By instants where both have one, else by the courier's local times. A record without checkpoints
 * counts as older than any checkpoint, since nothing tells its age; one with the same newest checkpoint as newer.
 */
export function isLate(known: Checkpoint | null, record: TrackingRecord): boolean {
  if (known === null) return false;
  // The order in which the history would keep them, so that like is compared with like.
  const newest = mergeCheckpoints([], record.checkpoints)[0];
  if (newest === undefined) return true;
  const [at, knownAt] = [instantOf(newest), instantOf(known)];
  if (at !== null && knownAt !== null) return at < knownAt;
  const [local, knownLocal] = [parseWallTime(newest.local), parseWallTime(known.local)];
  return local !== null && knownLocal !== null && local < knownLocal;
}

/** As `mergeHistory`, but a late record only adds checkpoints. */
export function mergePossiblyLate(history: ParcelHistory, record: TrackingRecord): ParcelHistory {
  if (!isLate(history.checkpoints[0] ?? null, record)) return mergeHistory(history, record);
  const checkpoints = mergeCheckpoints(history.checkpoints, record.checkpoints);
  return checkpoints === history.checkpoints ? history : { ...history, checkpoints };
}

/** The parcel after a late record whose checkpoints are in `history` already: nothing but their number can change. */
export function applyLateRecord(parcel: Parcel, history: ParcelHistory): Parcel {
  const checkpointCount = Math.max(parcel.checkpointCount, history.checkpoints.length);
  return checkpointCount === parcel.checkpointCount ? parcel : { ...parcel, checkpointCount };
}

function instantOf({ at }: Checkpoint): number | null {
  const instant = at === null ? Number.NaN : Date.parse(at);
  return Number.isFinite(instant) ? instant : null;
}

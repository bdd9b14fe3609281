import { isDeepStrictEqual } from 'node:util';
import type { EpochMs } from '../lib/clock.ts';
import { parseWallTime } from '../lib/date-time.ts';
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../lib/json.ts';
import type { Checkpoint, LastMile, TrackingRecord } from '../service/record.ts';
import { knownSpelling, stageOf } from '../service/status.ts';
import { instantOf, plausibleEvents } from '../service/timeline-order.ts';
import { findArrival } from './delivery.ts';
import { mergeCheckpoints } from './merge-checkpoints.ts';
import type { Parcel, ParcelHistory, RecordSummary } from './parcel.ts';
import { endIndexing, recordStage } from './parcel-state.ts';
import { longestStillDays } from './usual-times.ts';

export interface MergeResult {
  readonly parcel: Parcel;
  readonly history: ParcelHistory;
  /** See {@link isNews}. */
  readonly changed: boolean;
}

/**
 * Merges a record into what we know. Never loses a checkpoint. A blank response does not erase anything; it only updates
 * `checkedAt` and the time of the next update.
 */
export function mergeRecord(parcel: Parcel, history: ParcelHistory, record: TrackingRecord, now: EpochMs): MergeResult {
  const mergedHistory = mergeHistory(history, record);
  const merged = applyRecord(parcel, mergedHistory, record, now);
  return { parcel: merged, history: mergedHistory, changed: isNews(parcel, merged) };
}

/** Returns `history` itself if the record adds nothing. */
export function mergeHistory(history: ParcelHistory, record: TrackingRecord): ParcelHistory {
  const checkpoints = mergeCheckpoints(history.checkpoints, record.checkpoints);
  const keepsReceived = isBlank(record) && hasMoreThan(history, record);
  const isKept = keepsReceived || isDeepStrictEqual(history.received, record.received);
  const received = isKept ? history.received : record.received;
  if (checkpoints === history.checkpoints && received === history.received) return history;
  return { ...history, checkpoints, received };
}

/** Returns the parcel updated with a record that has already been merged into `history`. */
export function applyRecord(parcel: Parcel, history: ParcelHistory, record: TrackingRecord, now: EpochMs): Parcel {
  const events = plausibleEvents(history.checkpoints);
  const lastEvent = history.checkpoints.length === 0 ? parcel.lastEvent : (events[0] ?? null);
  return {
    ...endIndexing(parcel),
    courierCode: parcel.courierPinned ? parcel.courierCode : (record.courierCode ?? parcel.courierCode),
    record: addEventData(mergeSummary(parcel, record), events),
    lastEvent: isDeepStrictEqual(lastEvent, parcel.lastEvent) ? parcel.lastEvent : lastEvent,
    checkpointCount: history.checkpoints.length || parcel.checkpointCount,
    checkedAt: new Date(now).toISOString(),
    error: null,
  };
}

/** Whether there is news for the user: the first record, a new status, a new checkpoint, or a detected courier. */
export function isNews(before: Parcel, after: Parcel): boolean {
  return (
    before.record === null ||
    before.record.transitStatus !== after.record?.transitStatus ||
    before.record.transitSubStatus !== after.record.transitSubStatus ||
    before.courierCode !== after.courierCode ||
    before.checkpointCount < after.checkpointCount ||
    !isDeepStrictEqual(withoutCourier(before.lastEvent), withoutCourier(after.lastEvent))
  );
}

/** Removes the event's courier, because learning it later is not news. */
function withoutCourier(event: Checkpoint | null): Checkpoint | null {
  if (event === null || (event.courierCode === undefined && event.courierName === undefined)) return event;
  const { courierCode: _code, courierName: _name, ...rest } = event;
  return rest;
}

function isBlank(record: TrackingRecord): boolean {
  return record.checkpoints.length === 0 && stageOf(record.transitStatus, record.transitSubStatus) === 'no-record';
}

function hasMoreThan({ checkpoints, received }: ParcelHistory, blank: TrackingRecord): boolean {
  const status = received === null ? null : knownSpelling(textField(received, 'transitStatus'));
  return (
    checkpoints.length > 0 || stageOf(status, null) !== 'no-record' || (status !== null && blank.transitStatus === null)
  );
}

/**
 * Adds data derived from the events, because the index does not contain them: the event that brought the parcel into its
 * stage (unless it is the newest one) and, for a delivered parcel, the longest time without movement.
 */
function addEventData(record: RecordSummary, newestFirst: readonly Checkpoint[]): RecordSummary {
  const arrival = findArrival(record, newestFirst);
  const stillDays = longestStillDays(record, newestFirst);
  const isRedundant = arrival === null || arrival === newestFirst[0];
  if (isRedundant && stillDays === null) return record;
  return {
    ...record,
    ...(isRedundant ? {} : { arrival }),
    ...(stillDays === null ? {} : { longestStillDays: stillDays }),
  };
}

/** Fields of a record that are kept only in the history. */
const historyOnlyFields: ReadonlySet<string> = new Set([
  'checkpoints',
  'received',
  'id',
  'trackNo',
  'createTime',
  'receiptTime',
]);

/**
 * Merges the fields that do not come from events. The newer value wins unless it is missing. The lookup result, the next
 * update and the days without movement are always taken from the newer record, even if null.
 */
function mergeSummary({ record: known, lastEvent }: Parcel, record: TrackingRecord): RecordSummary {
  const newer = Object.entries(record).filter(([name]) => !historyOnlyFields.has(name));
  // What is left of a `TrackingRecord` without those fields is a `RecordSummary`.
  if (known === null) return Object.fromEntries<unknown>(newer) as unknown as RecordSummary;
  const { arrival: _arrival, longestStillDays: _stillDays, ...before } = known;
  const keepsStatus =
    record.transitStatus === null || (isBlank(record) && recordStage({ record: known, lastEvent }) !== 'no-record');
  // A status and its sub-status belong together.
  const { transitStatus, transitSubStatus } = keepsStatus ? known : record;
  const { nextUpdateTime, stayDays, trackingStatus } = record;
  return {
    ...before,
    ...Object.fromEntries(newer.filter(([, value]) => value !== null)),
    ...(record.lastMile === undefined ? {} : { lastMile: mergeLastMile(known.lastMile, record.lastMile) }),
    ...{ transitStatus, transitSubStatus, nextUpdateTime, stayDays, trackingStatus },
  };
}

/** Keeps known data that is missing from the newer report, unless the courier changed. */
function mergeLastMile(known: LastMile | undefined, newer: LastMile): LastMile {
  if (known === undefined) return newer;
  const isNewCourier = newer.courierCode !== null && newer.courierCode !== known.courierCode;
  if (isNewCourier) return newer;
  const presentFields = Object.fromEntries(Object.entries(newer).filter(([, value]) => value !== null));
  const merged: LastMile = { ...known, ...presentFields };
  return isDeepStrictEqual(merged, known) ? known : merged;
}

/**
 * Whether a record that may have arrived out of order is older than what we know, because its newest checkpoint is earlier
 * than ours. Compares instants, or local times if an instant is unknown. A record without checkpoints is older than any
 * checkpoint. A record with the same newest checkpoint is not older.
 */
export function isLate(known: Checkpoint | null, record: TrackingRecord): boolean {
  if (known === null) return false;
  // Merging sorts the checkpoints in the same way as in the history.
  const [newest] = plausibleEvents(mergeCheckpoints([], record.checkpoints));
  if (newest === undefined) return true;
  const [at, knownAt] = [instantOf(newest), instantOf(known)];
  if (at !== null && knownAt !== null) return at < knownAt;
  const [local, knownLocal] = [parseWallTime(newest.local), parseWallTime(known.local)];
  return local !== null && knownLocal !== null && local < knownLocal;
}

/** How far the service's clock and ours may differ. */
const clockDifferenceMs = 5 * 60_000;

/**
 * Like {@link isLate}, for a pushed record. A record without checkpoints is dated by its last tracking time. Without that
 * either, it must not undo a delivery, or overwrite data that we received well after the push was sent: a failed push is
 * repeated hours later, perhaps with its original `sentAt`.
 */
export function isLatePush(
  known: Pick<Parcel, 'checkedAt' | 'lastEvent' | 'record'>,
  record: TrackingRecord,
  sentAt: EpochMs | null,
): boolean {
  if (record.checkpoints.length > 0) return isLate(known.lastEvent, record);
  const [local, knownLocal] = [parseWallTime(record.lastTrackingTime), parseWallTime(known.lastEvent?.local ?? null)];
  if (local !== null && knownLocal !== null) return local < knownLocal;
  const isDelivered = (record: Pick<TrackingRecord, 'transitStatus' | 'transitSubStatus'> | null): boolean =>
    record !== null && stageOf(record.transitStatus, record.transitSubStatus) === 'delivered';
  if (isDelivered(known.record) && !isDelivered(record)) return true;
  return sentAt !== null && known.checkedAt !== null && sentAt + clockDifferenceMs < Date.parse(known.checkedAt);
}

/** A late push only adds checkpoints. A push without checkpoints keeps the data that it leaves out. */
export function mergePush(history: ParcelHistory, record: TrackingRecord, isLateRecord: boolean): ParcelHistory {
  if (isLateRecord) return addCheckpoints(history, record);
  if (record.checkpoints.length > 0 || history.received === null) return mergeHistory(history, record);
  return mergeHistory(history, { ...record, received: mergeFields(history.received, record.received) });
}

/** Merges a partial record into a known one. Blank or missing fields keep their old values. */
function mergeFields(known: JsonObject, update: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...known };
  for (const [name, value] of Object.entries(update)) {
    const oldValue = Object.hasOwn(known, name) ? known[name] : undefined;
    if (isJsonObject(value) && isJsonObject(oldValue)) merged[name] = mergeFields(oldValue, value);
    else if (!isEmpty(value)) merged[name] = value;
  }
  return merged;
}

const isEmpty = (value: JsonValue): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

export function mergePossiblyLate(history: ParcelHistory, record: TrackingRecord): ParcelHistory {
  return isLate(plausibleEvents(history.checkpoints)[0] ?? null, record)
    ? addCheckpoints(history, record)
    : mergeHistory(history, record);
}

function addCheckpoints(history: ParcelHistory, record: TrackingRecord): ParcelHistory {
  const checkpoints = mergeCheckpoints(history.checkpoints, record.checkpoints);
  return checkpoints === history.checkpoints ? history : { ...history, checkpoints };
}

/** Updates the number of checkpoints after a late record was merged into `history`. Changes nothing else. */
export function applyLateRecord(parcel: Parcel, history: ParcelHistory): Parcel {
  const checkpointCount = Math.max(parcel.checkpointCount, history.checkpoints.length);
  return checkpointCount === parcel.checkpointCount ? parcel : { ...parcel, checkpointCount };
}

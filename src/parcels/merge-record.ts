import { isDeepStrictEqual } from 'node:util';
import type { EpochMs } from '../lib/clock.ts';
import { parseWallTime } from '../lib/date-time.ts';
import { cleanedTextField, isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { Checkpoint, LastMile, TrackingRecord } from '../service/record.ts';
import { knownSpelling, stageOf } from '../service/status.ts';
import { believed, instantOf } from '../service/timeline-order.ts';
import { arrivalAmong } from './delivery.ts';
import { mergeCheckpoints } from './merge-checkpoints.ts';
import type { Parcel, ParcelHistory, RecordSummary } from './parcel.ts';
import { endIndexing, recordStage } from './parcel-stage.ts';
import { longestStillDays } from './stillness.ts';

/** What came of merging a record into a parcel. */
export interface Merged {
  readonly parcel: Parcel;
  readonly history: ParcelHistory;
  /** Whether there is news for a person: another status, a new checkpoint, a courier found, the first record. */
  readonly changed: boolean;
}

/**
 * Merges what the service says now into what we know. Never loses a checkpoint; an answer that is blank where we had
 * data never erases it, only `checkedAt` and the next update move on.
 */
export function mergeRecord(parcel: Parcel, history: ParcelHistory, record: TrackingRecord, now: EpochMs): Merged {
  const mergedHistory = mergeHistory(history, record);
  const merged = applyRecord(parcel, mergedHistory, record, now);
  return { parcel: merged, history: mergedHistory, changed: isNews(parcel, merged) };
}

/** The history with the record's checkpoints in it; itself when the record adds nothing. */
export function mergeHistory(history: ParcelHistory, record: TrackingRecord): ParcelHistory {
  const checkpoints = mergeCheckpoints(history.checkpoints, record.checkpoints);
  const keepsReceived = isBlank(record) && saysMore(history, record);
  const isKept = keepsReceived || isDeepStrictEqual(history.received, record.received);
  const received = isKept ? history.received : record.received;
  if (checkpoints === history.checkpoints && received === history.received) return history;
  return { ...history, checkpoints, received };
}

/** The parcel after a record whose checkpoints are in `history` already. */
export function applyRecord(parcel: Parcel, history: ParcelHistory, record: TrackingRecord, now: EpochMs): Parcel {
  const events = believed(history.checkpoints);
  const lastEvent = history.checkpoints.length === 0 ? parcel.lastEvent : (events[0] ?? null);
  return {
    ...endIndexing(parcel),
    courierCode: parcel.courierPinned ? parcel.courierCode : (record.courierCode ?? parcel.courierCode),
    record: withEvents(mergeSummary(parcel, record), events),
    lastEvent: isDeepStrictEqual(lastEvent, parcel.lastEvent) ? parcel.lastEvent : lastEvent,
    checkpointCount: history.checkpoints.length || parcel.checkpointCount,
    checkedAt: new Date(now).toISOString(),
    error: null,
  };
}

/** Whether a person would call the difference between two states of a parcel news. */
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

/** An event without who reported it: to learn that later is not news. */
function withoutCourier(event: Checkpoint | null): Checkpoint | null {
  if (event === null || (event.courierCode === undefined && event.courierName === undefined)) return event;
  const { courierCode: _code, courierName: _name, ...rest } = event;
  return rest;
}

/** Whether a record says nothing about the way of a parcel. */
function isBlank(record: TrackingRecord): boolean {
  return record.checkpoints.length === 0 && stageOf(record.transitStatus, record.transitSubStatus) === 'no-record';
}

function saysMore({ checkpoints, received }: ParcelHistory, blank: TrackingRecord): boolean {
  const status = received === null ? null : knownSpelling(cleanedTextField(received, 'transitStatus'));
  return (
    checkpoints.length > 0 || stageOf(status, null) !== 'no-record' || (status !== null && blank.transitStatus === null)
  );
}

/**
 * The record with what its events say of it, since the index is read without them: the event that brought its parcel where
 * it stands, unless that is the last one, and for how long a delivered one stood still at most.
 */
function withEvents(record: RecordSummary, newestFirst: readonly Checkpoint[]): RecordSummary {
  const arrival = arrivalAmong(record, newestFirst);
  const stillDays = longestStillDays(record, newestFirst);
  const isAside = arrival === null || arrival === newestFirst[0];
  if (isAside && stillDays === null) return record;
  return {
    ...record,
    ...(isAside ? {} : { arrival }),
    ...(stillDays === null ? {} : { longestStillDays: stillDays }),
  };
}

/** Fields of a record that only its history keeps. */
const inHistoryOnly: ReadonlySet<string> = new Set([
  'checkpoints',
  'received',
  'id',
  'trackNo',
  'createTime',
  'receiptTime',
]);

/**
 * Field by field the newer value where there is one, without what events say. How the lookup went, the next update and the
 * days without movement are always the newer: none means none, and days that were counted once go on.
 */
function mergeSummary({ record: known, lastEvent }: Parcel, record: TrackingRecord): RecordSummary {
  if (known === null) {
    const fields = Object.entries(record).filter(([name]) => !inHistoryOnly.has(name));
    return Object.fromEntries(fields) as unknown as RecordSummary;
  }
  const merged = withNews(known, record);
  const keepsStatus =
    record.transitStatus === null || (isBlank(record) && recordStage({ record: known, lastEvent }) !== 'no-record');
  // A status and its sub-status belong together: a new one never stands beside an old other.
  const status = keepsStatus ? known : record;
  merged.transitStatus = status.transitStatus;
  merged.transitSubStatus = status.transitSubStatus;
  if (record.lastMile !== undefined) merged.lastMile = mergeLastMile(known.lastMile, record.lastMile);
  // A doubt about an older lookup says nothing about this one.
  merged.trackingStatus = record.trackingStatus;
  merged.nextUpdateTime = record.nextUpdateTime;
  merged.stayDays = record.stayDays;
  return merged;
}

/** The last mile with what was known of the same courier and the newer record leaves out. */
function mergeLastMile(known: LastMile | undefined, newer: LastMile): LastMile {
  if (known === undefined) return newer;
  const isOther = newer.courierCode !== null && newer.courierCode !== known.courierCode;
  if (isOther) return newer;
  const said = Object.fromEntries(Object.entries(newer).filter(([, value]) => value !== null));
  const merged: LastMile = { ...known, ...said };
  return isDeepStrictEqual(merged, known) ? known : merged;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/**
 * A copy of `known` with what `newer` says, without what events say; what is the same in both stays the very same, so that
 * memory keeps it once.
 */
function withNews(known: RecordSummary, newer: TrackingRecord): Writable<RecordSummary> {
  const merged = withoutEvents(known);
  for (const name of Object.keys(newer)) {
    if (inHistoryOnly.has(name)) continue;
    const value: unknown = Reflect.get(newer, name);
    if (value !== null && !isDeepStrictEqual(value, Reflect.get(known, name))) Reflect.set(merged, name, value);
  }
  return merged;
}

/** A copy without what events say, which few records have: to copy all but some fields takes ten times as long as all. */
function withoutEvents(known: RecordSummary): Writable<RecordSummary> {
  if (known.arrival === undefined && known.longestStillDays === undefined) return { ...known };
  const { arrival: _arrival, longestStillDays: _stillDays, ...record } = known;
  return record;
}

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

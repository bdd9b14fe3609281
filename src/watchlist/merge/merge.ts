import type { EpochMs } from '../../service/clock/clock.ts';
import type { Checkpoint, LastMile, TrackingRecord } from '../../service/record/record.ts';
import { knownSpelling, stageOf } from '../../service/record/status.ts';
import { believed } from '../../service/record/timeline-order.ts';
import { cleanedTextField } from '../../service/text/json-fields.ts';
import { endIndexing } from '../model/indexing.ts';
import type { Parcel, ParcelHistory, RecordSummary } from '../model/parcel.ts';
import { sameJson } from '../model/same-json.ts';
import { recordStage } from '../rules/parcel-stage.ts';
import { arrivalAmong } from './arrival.ts';
import { mergeCheckpoints } from './checkpoints.ts';
import { shareJson } from './share-json.ts';
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
  const received = keepsReceived ? history.received : shareJson(history.received, record.received);
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
    lastEvent: sameJson(lastEvent, parcel.lastEvent) ? parcel.lastEvent : lastEvent,
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
    !sameJson(withoutCourier(before.lastEvent), withoutCourier(after.lastEvent))
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

/** Whether a history says more of the way of a parcel than a blank record. */
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

/**
 * Field by field the newer value where there is one, without what events say. How the lookup went, the next update and the
 * days without movement are always the newer: none means none, and days that were counted once go on.
 */
function mergeSummary({ record: known, lastEvent }: Parcel, record: TrackingRecord): RecordSummary {
  if (known === null) {
    const { checkpoints: _checkpoints, received: _received, ...summary } = record;
    return summary;
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
  return sameJson(merged, known) ? known : merged;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/**
 * A copy of `known` with what `newer` says, without what events say; what is the same in both stays the very same, so that
 * memory keeps it once.
 */
function withNews(known: RecordSummary, newer: TrackingRecord): Writable<RecordSummary> {
  const merged = withoutEvents(known);
  for (const name of Object.keys(newer)) {
    if (name === 'checkpoints' || name === 'received') continue;
    const value: unknown = Reflect.get(newer, name);
    if (value !== null && !sameJson(value, Reflect.get(known, name))) Reflect.set(merged, name, value);
  }
  return merged;
}

/** A copy without what events say, which few records have: to copy all but some fields takes ten times as long as all. */
function withoutEvents(known: RecordSummary): Writable<RecordSummary> {
  if (known.arrival === undefined && known.longestStillDays === undefined) return { ...known };
  const { arrival: _arrival, longestStillDays: _stillDays, ...record } = known;
  return record;
}

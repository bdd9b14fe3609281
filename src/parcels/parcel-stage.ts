import type { EpochMs } from '../lib/clock.ts';
import { type CourierNeed, missingNeed } from '../service/couriers.ts';
import type { Checkpoint } from '../service/record.ts';
import {
  coreOf,
  coreStatusText,
  isDelivery,
  isFinalProblem,
  isMovement,
  knownSubStatusText,
  lookupDoubt,
  type Stage,
  saysWhereLeft,
  stageOf,
  stageOfEvent,
  subStatusText,
} from '../service/status.ts';
import type { Parcel, RecordSummary } from './parcel.ts';
import { type ShownStage, stageTable } from './stages.ts';

/** What says where a parcel stands. */
interface StagedParcel {
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
function eventStatus({ record, lastEvent }: StagedParcel): string | null | undefined {
  if (record === null || record.transitStatus !== null || lastEvent === null) return undefined;
  return lastEvent.subStatus ?? record.transitSubStatus;
}

/** Whether the service has told neither a status nor an event of a parcel. */
export const hasNoRecord = (parcel: Pick<Parcel, 'checkpointCount' | 'lastEvent' | 'record'>): boolean =>
  recordStage(parcel) === 'no-record' && parcel.checkpointCount === 0;

/** Where a parcel stands between the user, this program and the service. */
type ParcelState = 'pending' | 'watching' | 'rejected' | 'archived';

export function parcelState({ archivedAt, registration }: Parcel): ParcelState {
  if (archivedAt !== null) return 'archived';
  return registration === 'registered' ? 'watching' : registration;
}

/** Whether the service has taken a number of which it has never sent a record, and does not know it in its queries yet. */
export function isBeingIndexed(parcel: Pick<Parcel, 'indexing' | 'record' | 'registration'>): boolean {
  return parcel.indexing !== undefined && parcel.record === null && parcel.registration === 'registered';
}

/** The parcel when nothing is known of such a wait, or when it is over; itself where there is none. */
export function endIndexing(parcel: Parcel): Parcel {
  if (parcel.indexing === undefined) return parcel;
  const { indexing: _over, ...rest } = parcel;
  return rest;
}

/** Whether a parcel has left the queue: archived, rejected, or ended so long ago that no further poll is planned. */
export function hasLeftQueue(parcel: Parcel): boolean {
  if (parcel.archivedAt !== null || parcel.registration === 'rejected') return true;
  if (parcel.registration === 'pending') return false;
  return parcel.nextPollAt === null && hasEnded(parcel);
}

/** Whether a parcel is not registered because the account has no credit left. */
export const isWaitingForCredit = ({ error, registration }: Pick<Parcel, 'error' | 'registration'>): boolean =>
  registration === 'pending' && error?.kind === 'quota-exhausted';

/** An update that is overdue by more than this has been missed: no batch or held-up call explains it. Milliseconds. */
export const missedAfterMs = 15 * 60_000;

/** `failed`: the last try failed; `late`: its update was missed; `doubtful`: the service could not look at the courier's. */
export type StaleReason = 'failed' | 'late' | 'doubtful';

/** Why what is known of a parcel may be older than it should be; null when it is fresh. */
export function staleReason(parcel: Parcel, now: EpochMs): StaleReason | null {
  if (parcel.error !== null) return 'failed';
  const lateAt = turnsLateAt(parcel);
  if (lateAt !== null && now >= lateAt) return 'late';
  return lookupDoubt(parcel.record?.trackingStatus ?? null) === null ? null : 'doubtful';
}

/** Whether what is known of a parcel may be older than it should be. */
export function isStale(parcel: Parcel, now: EpochMs): boolean {
  return staleReason(parcel, now) !== null;
}

/** The first instant at which a parcel counts as late unless it is checked before; null when it is not in the queue. */
export function turnsLateAt({ archivedAt, nextPollAt }: Pick<Parcel, 'archivedAt' | 'nextPollAt'>): EpochMs | null {
  if (archivedAt !== null || nextPollAt === null) return null;
  const due = Date.parse(nextPollAt);
  return Number.isNaN(due) ? null : due + missedAfterMs + 1;
}

/** A status in words, in the order in which they are read. */
export interface StatusWords {
  /** The core status, in the words of the sub-status where that belongs to it. */
  readonly main: string;
  /** What is said besides, with the sign that parts it from `main`; empty for nothing. */
  readonly besides: string;
  /** What is said besides, by itself; null where that makes no sense. */
  readonly short: string | null;
}

/**
 * A record's status in words. A sub-status of another core status is said behind that, since both are independent fields. A
 * code that is not known stands behind the words; a core status that is not known appears as the service wrote it.
 */
export function statusWords(transitStatus: string | null, transitSubStatus: string | null): StatusWords {
  const main = transitStatus === null ? stageTable['no-record'].title : coreStatusText(transitStatus);
  if (transitSubStatus === null) return { main, besides: '', short: null };
  const own = knownSubStatusText(transitSubStatus);
  if (own === undefined) return { main, besides: ` (${transitSubStatus})`, short: null };
  const core = transitStatus === 'OUT_FOR_DELIVERY' ? 'WAITING_DELIVERY' : transitStatus;
  if (coreOf(transitSubStatus) === core) return { main: own, besides: '', short: null };
  return { main, besides: `; ${own.charAt(0).toLowerCase()}${own.slice(1)}`, short: own };
}

const needTexts: Readonly<Record<CourierNeed, string>> = {
  'postal-code': 'Needs a postal code',
  'phone-suffix': 'Needs a phone number',
};

/** What its courier needs to find a parcel that it has not found, and was not given; null when that is not the cause. */
export function needOf(parcel: Parcel): CourierNeed | null {
  if (parcel.record === null && parcel.registration !== 'registered') return null;
  // No courier has been looked at for it.
  if (isBeingIndexed(parcel)) return null;
  return parcelStage(parcel) === 'no-record' ? missingNeed(parcel.courierCode, parcel.extras) : null;
}

/**
 * Where a parcel stands, in words: the record's status; for a rejected parcel the service's own words; for one that is
 * not found what its courier needs to find it.
 */
export function parcelStatusText(parcel: Parcel): string {
  const { main, besides } = parcelStatusWords(parcel);
  return `${main}${besides}`;
}

/** {@link parcelStatusText} in its parts. */
export function parcelStatusWords(parcel: Parcel): StatusWords {
  const { record } = parcel;
  if (parcel.registration === 'rejected') return only(parcel.error?.message ?? 'Not accepted by the service');
  const need = needOf(parcel);
  if (need !== null) return only(needTexts[need]);
  if (isBeingIndexed(parcel)) return only('Registered, waiting for the first result');
  const subStatus = eventStatus(parcel);
  if (subStatus !== undefined) return only(subStatusText(subStatus) ?? stageTable.unknown.title);
  if (record === null) {
    if (parcel.registration !== 'pending') return only(stageTable['no-record'].title);
    return only(isWaitingForCredit(parcel) ? 'Waiting for credit to register' : 'Waiting for registration');
  }
  const left = whereLeft(parcel);
  if (left !== null) return only(left);
  const words = statusWords(record.transitStatus, record.transitSubStatus);
  if (!isUnreportedDelivery(parcel)) return words;
  const others = isDelivery(record.transitSubStatus) ? '' : words.besides;
  return { main: words.main, besides: `${others}; newest event: delivered`, short: 'Newest event: delivered' };
}

const only = (main: string): StatusWords => ({ main, besides: '', short: null });

/** More characters than this are no status. */
const longestStatus = 80;

/** What the courier says of where it left a parcel; null where it was not left, or no text tells where. */
function whereLeft({ lastEvent, record }: Parcel): string | null {
  if (record?.transitStatus !== 'DELIVERED' || record.transitSubStatus !== 'DELIVERED_04') return null;
  const event = [record.arrival, lastEvent].find((one) => one?.subStatus === 'DELIVERED_04');
  const texts = [event?.translation, event?.detail].filter((text) => text != null);
  return texts.find((text) => text.length <= longestStatus && saysWhereLeft(text)) ?? null;
}

/** Whether the newest event tells of a delivery of which the service's status says nothing. */
export function isUnreportedDelivery({ lastEvent, record, registration }: Parcel): boolean {
  if (record === null || record.transitStatus === null || registration === 'rejected') return false;
  return isDelivery(lastEvent?.subStatus ?? null) && stageOf(record.transitStatus, null) !== 'delivered';
}

import type { EpochMs } from '../lib/clock.ts';
import { parseInstant } from '../lib/date-time.ts';
import { type CourierNeed, missingNeed } from '../service/couriers.ts';
import type { Checkpoint } from '../service/record.ts';
import {
  coreOf,
  coreStatusText,
  isDelivery,
  isFinalProblem,
  isMovement,
  knownSubStatusText,
  lookupWarning,
  mentionsDropOff,
  type Stage,
  stageOf,
  stageOfEvent,
  subStatusText,
} from '../service/status.ts';
import type { Parcel, RecordSummary } from './parcel.ts';
import { type ShownStage, stageTable } from './stages.ts';

interface StagedParcel {
  readonly record: Pick<RecordSummary, 'transitStatus' | 'transitSubStatus'> | null;
  readonly lastEvent: Pick<Checkpoint, 'subStatus'> | null;
}

/** Returns the stage for a record's core status, or for its newest event if it has no core status. */
export function recordStage({ record, lastEvent }: StagedParcel): Stage {
  if (record === null) return 'no-record';
  const subStatus = eventStatus({ record, lastEvent });
  return subStatus === undefined ? stageOf(record.transitStatus, record.transitSubStatus) : stageOfEvent(subStatus);
}

/** Whether a parcel was delivered or has expired, or {@link hasEndedWithProblem}. */
export function hasEnded(parcel: StagedParcel): boolean {
  const stage = recordStage(parcel);
  return stage === 'delivered' || stage === 'expired' || hasEndedWithProblem(parcel);
}

/**
 * Whether the journey is over although the service still reports a problem: the parcel was cancelled, returned, lost or
 * destroyed, or its newest event is a delivery. False if the newest event is a movement, because the status may lag
 * behind.
 */
export function hasEndedWithProblem({ record, lastEvent }: StagedParcel): boolean {
  if (record === null || recordStage({ record, lastEvent }) !== 'attention') return false;
  const newest = lastEvent?.subStatus ?? null;
  if (isDelivery(newest)) return true;
  const isFinal = isFinalProblem(eventStatus({ record, lastEvent }) ?? record.transitSubStatus);
  return isFinal && record.transitStatus !== 'DELIVERY_FAILED' && !isMovement(newest);
}

/** Whether a parcel {@link hasEndedWithProblem} and the user has seen all of its changes. */
export function isClosed(parcel: Parcel): boolean {
  return parcel.unread === undefined && parcel.registration !== 'rejected' && hasEndedWithProblem(parcel);
}

/** Like {@link parcelStage}, but returns `closed` for closed parcels. */
export function shownStage(parcel: Parcel): ShownStage {
  return isClosed(parcel) ? 'closed' : parcelStage(parcel);
}

/** Returns the record's stage, `attention` for a rejected parcel, or `no-record` if there is no record. */
export function parcelStage(parcel: Parcel): Stage {
  if (parcel.registration === 'rejected') return 'attention';
  return recordStage(parcel);
}

/**
 * Returns the sub-status that stands for the status of a record with events but without a core status. Returns undefined
 * if the core status decides.
 */
function eventStatus({ record, lastEvent }: StagedParcel): string | null | undefined {
  if (record === null || record.transitStatus !== null || lastEvent === null) return undefined;
  return lastEvent.subStatus ?? record.transitSubStatus;
}

export const hasNoRecord = (parcel: Pick<Parcel, 'checkpointCount' | 'lastEvent' | 'record'>): boolean =>
  recordStage(parcel) === 'no-record' && parcel.checkpointCount === 0;

type ParcelState = 'pending' | 'watching' | 'rejected' | 'archived';

export function parcelState({ archivedAt, registration }: Parcel): ParcelState {
  if (archivedAt !== null) return 'archived';
  return registration === 'registered' ? 'watching' : registration;
}

/** Whether the service has accepted the number but queries do not return it yet. */
export function isBeingIndexed(parcel: Pick<Parcel, 'indexing' | 'record' | 'registration'>): boolean {
  return parcel.indexing !== undefined && parcel.record === null && parcel.registration === 'registered';
}

export function endIndexing(parcel: Parcel): Parcel {
  if (parcel.indexing === undefined) return parcel;
  const { indexing: _over, ...rest } = parcel;
  return rest;
}

/** Whether a parcel is archived, rejected, or ended so long ago that no further poll is planned. */
export function hasLeftQueue(parcel: Parcel): boolean {
  if (parcel.archivedAt !== null || parcel.registration === 'rejected') return true;
  if (parcel.registration === 'pending') return false;
  return parcel.nextPollAt === null && hasEnded(parcel);
}

export const isWaitingForCredit = ({ error, registration }: Pick<Parcel, 'error' | 'registration'>): boolean =>
  registration === 'pending' && error?.kind === 'quota-exhausted';

/** A check that is overdue by more than this counts as missed. */
export const missedAfterMs = 15 * 60_000;

/** `failed`: the last check failed. `late`: a check was missed. `doubtful`: the service could not reach the courier. */
export type StaleReason = 'failed' | 'late' | 'doubtful';

/** Returns why a parcel's data may be outdated, or null if it is fresh. */
export function staleReason(parcel: Parcel, now: EpochMs): StaleReason | null {
  if (parcel.error !== null) return 'failed';
  const due = parcel.archivedAt === null ? parseInstant(parcel.nextPollAt) : null;
  if (due !== null && now - due > missedAfterMs) return 'late';
  return lookupWarning(parcel.record?.trackingStatus ?? null) === null ? null : 'doubtful';
}

export interface StatusParts {
  /** The core status, or the sub-status if it belongs to the core status. */
  readonly main: string;
  /** The rest, including the separator from `main`. May be empty. */
  readonly suffix: string;
  /** The rest on its own, or null if it makes no sense on its own. */
  readonly short: string | null;
}

/**
 * Returns a record's status in words. A sub-status that is unknown or belongs to a different core status follows the core
 * status.
 */
export function statusParts(transitStatus: string | null, transitSubStatus: string | null): StatusParts {
  const main = transitStatus === null ? stageTable['no-record'].title : coreStatusText(transitStatus);
  if (transitSubStatus === null) return { main, suffix: '', short: null };
  const subStatusLabel = knownSubStatusText(transitSubStatus);
  if (subStatusLabel === undefined) return { main, suffix: ` (${transitSubStatus})`, short: null };
  const core = transitStatus === 'OUT_FOR_DELIVERY' ? 'WAITING_DELIVERY' : transitStatus;
  if (coreOf(transitSubStatus) === core) return { main: subStatusLabel, suffix: '', short: null };
  return {
    main,
    suffix: `; ${subStatusLabel.charAt(0).toLowerCase()}${subStatusLabel.slice(1)}`,
    short: subStatusLabel,
  };
}

const needTexts: Readonly<Record<CourierNeed, string>> = {
  'postal-code': 'Needs a postal code',
  'phone-suffix': 'Needs a phone number',
};

/** Returns what the courier needs to find the parcel, or null if nothing is missing. */
export function courierNeed(parcel: Parcel): CourierNeed | null {
  if (parcel.record === null && parcel.registration !== 'registered') return null;
  // The service has not asked the courier yet.
  if (isBeingIndexed(parcel)) return null;
  return parcelStage(parcel) === 'no-record' ? missingNeed(parcel.courierCode, parcel.extras) : null;
}

/**
 * Returns the status in words: the service's reason for a rejected parcel, and what is missing for a parcel that was not
 * found.
 */
export function parcelStatusText(parcel: Parcel): string {
  const { main, suffix } = parcelStatusParts(parcel);
  return `${main}${suffix}`;
}

export function parcelStatusParts(parcel: Parcel): StatusParts {
  const { record } = parcel;
  if (parcel.registration === 'rejected') return plainStatus(parcel.error?.message ?? 'Not accepted by the service');
  const need = courierNeed(parcel);
  if (need !== null) return plainStatus(needTexts[need]);
  if (isBeingIndexed(parcel)) return plainStatus('Registered, waiting for the first result');
  const subStatus = eventStatus(parcel);
  if (subStatus !== undefined) return plainStatus(subStatusText(subStatus) ?? stageTable.unknown.title);
  if (record === null) {
    if (parcel.registration !== 'pending') return plainStatus(stageTable['no-record'].title);
    return plainStatus(isWaitingForCredit(parcel) ? 'Waiting for credit to register' : 'Waiting for registration');
  }
  const dropOff = dropOffText(parcel);
  if (dropOff !== null) return plainStatus(dropOff);
  const parts = statusParts(record.transitStatus, record.transitSubStatus);
  if (!isUnreportedDelivery(parcel)) return parts;
  const suffix = isDelivery(record.transitSubStatus) ? '' : parts.suffix;
  return { main: parts.main, suffix: `${suffix}; newest event: delivered`, short: 'Newest event: delivered' };
}

const plainStatus = (main: string): StatusParts => ({ main, suffix: '', short: null });

/** In characters. Anything longer is not a status. */
const maxStatusLength = 80;

/** Returns where the courier left the parcel, in the courier's words, or null if unknown. */
function dropOffText({ lastEvent, record }: Parcel): string | null {
  if (record?.transitStatus !== 'DELIVERED' || record.transitSubStatus !== 'DELIVERED_04') return null;
  const event = [record.arrival, lastEvent].find((candidate) => candidate?.subStatus === 'DELIVERED_04');
  const texts = [event?.translation, event?.detail].filter((text) => text != null);
  return texts.find((text) => text.length <= maxStatusLength && mentionsDropOff(text)) ?? null;
}

/** Whether the newest event is a delivery that the status does not reflect. */
export function isUnreportedDelivery({ lastEvent, record, registration }: Parcel): boolean {
  if (record === null || record.transitStatus === null || registration === 'rejected') return false;
  return isDelivery(lastEvent?.subStatus ?? null) && stageOf(record.transitStatus, null) !== 'delivered';
}

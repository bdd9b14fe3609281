import { foldNumber, isSameNumber } from '../lib/text.ts';
import { sameCourier } from '../parcels/identity.ts';
import type { IndexingWait, Parcel, ParcelError } from '../parcels/parcel.ts';
import { isoInstant, registerAgain } from '../parcels/parcel-factory.ts';
import { endIndexing, hasEnded } from '../parcels/parcel-state.ts';
import { nameOfCourier } from '../service/couriers.ts';
import { meaningOf } from '../service/failures.ts';
import type { QueryResponse, RegisterResponse, Rejection, TrackKey } from '../service/port.ts';
import type { TrackingRecord } from '../service/record.ts';
import { withoutPersonal } from '../service/redaction.ts';
import { isCourierUndetected, isUnknownCourier } from '../service/requests.ts';
import { plausibleEvents } from '../service/timeline-order.ts';
import { type Planning, planAfterRegistration, planAfterSilence, withPlan } from './schedule/schedule.ts';

export type QueryMatch =
  | { readonly kind: 'record'; readonly record: TrackingRecord }
  /** The service does not know the number. */
  | { readonly kind: 'unregistered'; readonly rejection: Rejection }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  /** The response does not mention the number. */
  | { readonly kind: 'silent' };

export interface MatchedParcel {
  readonly sent: Parcel;
  readonly match: QueryMatch;
}

export type RegisterMatch =
  | { readonly kind: 'accepted' | 'known'; readonly key: TrackKey }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'silent' };

/**
 * Matches records and rejections by number and courier. Only a rejection without a number is matched by position. A
 * record with the courier of a different watched parcel belongs to that parcel.
 */
export function matchQueries(
  batch: readonly Parcel[],
  response: QueryResponse,
  watched: readonly Parcel[],
): readonly MatchedParcel[] {
  const records = indexByNumber(response.records);
  const unregistered = indexByNumber(response.unregistered);
  const rejected = indexByNumber(response.rejected);
  const twinsOf = indexByNumber(watched);
  const matchOf = (parcel: Parcel, position: number): QueryMatch => {
    const { trackNo } = parcel;
    const record = chooseRecord(parcel, records(trackNo), twinsOf(trackNo));
    if (record !== null) return { kind: 'record', record };
    const unknown = findRejection(parcel, position, unregistered(trackNo));
    if (unknown !== null) return { kind: 'unregistered', rejection: unknown };
    const refused = findRejection(parcel, position, rejected(trackNo));
    return refused === null ? { kind: 'silent' } : { kind: 'rejected', rejection: refused };
  };
  return batch.map((sent, position) => ({ sent, match: matchOf(sent, position) }));
}

function indexByNumber<Item extends { readonly trackNo: string | null }>(
  items: readonly Item[],
): (trackNo: string) => readonly Item[] {
  if (items.length === 0) return () => items;
  const unnumbered = items.filter(({ trackNo }) => trackNo === null);
  const numbered = Map.groupBy(
    items.filter(({ trackNo }) => trackNo !== null),
    ({ trackNo }) => foldNumber(trackNo ?? ''),
  );
  return (trackNo) => {
    const matches = numbered.get(foldNumber(trackNo)) ?? [];
    return unnumbered.length === 0 ? matches : [...matches, ...unnumbered];
  };
}

export function matchRegistration(
  parcel: Parcel,
  position: number,
  response: RegisterResponse,
  batch: readonly Parcel[],
): RegisterMatch {
  const accepted = findKey(parcel, response.accepted, batch);
  if (accepted !== null) return { kind: 'accepted', key: accepted };
  const known = findKey(parcel, response.known, batch);
  if (known !== null) return { kind: 'known', key: known };
  const rejected = findRejection(parcel, position, response.rejected);
  return rejected === null ? { kind: 'silent' } : { kind: 'rejected', rejection: rejected };
}

/**
 * Returns the record of the parcel's own courier, or the best one that does not belong to a different parcel: the one
 * with the most checkpoints, or the newest of several such records.
 */
function chooseRecord(
  parcel: Parcel,
  records: readonly TrackingRecord[],
  watched: readonly Parcel[],
): TrackingRecord | null {
  const courierRecords = records.filter((record) => sameCourier(record.courierCode, parcel.courierCode));
  if (parcel.courierCode !== null && courierRecords.length > 0) return pickBest(courierRecords);
  const twins = watched.filter((other) => other.id !== parcel.id);
  const unclaimed = records.filter(
    (record) => record.courierCode === null || !twins.some((twin) => sameCourier(twin.courierCode, record.courierCode)),
  );
  return pickBest(unclaimed);
}

/** Returns the parcel with a pushed record's courier, or the only parcel whose courier is not certain. */
export function findAddressee(record: TrackingRecord, watched: readonly Parcel[]): Parcel | null {
  const candidates = watched.filter((parcel) => isSameNumber(parcel.trackNo, record.trackNo));
  const exact = candidates.find(
    (parcel) => record.courierCode !== null && sameCourier(parcel.courierCode, record.courierCode),
  );
  if (exact !== undefined) return exact;
  const uncertain = candidates.filter((parcel) => record.courierCode === null || !parcel.courierPinned);
  const withoutCourier = uncertain.filter((parcel) => parcel.courierCode === null);
  const [only, ...others] = withoutCourier.length > 0 ? withoutCourier : uncertain;
  return only !== undefined && others.length === 0 ? only : null;
}

function pickBest(records: readonly TrackingRecord[]): TrackingRecord | null {
  return records.reduce<TrackingRecord | null>((chosen, record) => {
    if (chosen === null) return record;
    const surplus = record.checkpoints.length - chosen.checkpoints.length;
    return surplus > 0 || (surplus === 0 && newestTime(record) > newestTime(chosen)) ? record : chosen;
  }, null);
}

/** Returns a comparable time: all formats start with the year, so they sort as text. */
function newestTime(record: TrackingRecord): string {
  const [event] = plausibleEvents(record.checkpoints);
  return event?.at?.replace('T', ' ') ?? event?.local ?? record.lastTrackingTime ?? '';
}

function findKey(parcel: Parcel, keys: readonly TrackKey[], batch: readonly Parcel[]): TrackKey | null {
  const number = foldNumber(parcel.trackNo);
  const candidates = keys.filter((key) => foldNumber(key.trackNo) === number);
  const exact = candidates.find((key) => sameCourier(key.courierCode, parcel.courierCode));
  if (exact !== undefined) return exact;
  const isAlone = batch.every((other) => other.id === parcel.id || !isSameNumber(other.trackNo, parcel.trackNo));
  return candidates.find((key) => key.courierCode === null || isAlone) ?? null;
}

function findRejection(parcel: Parcel, position: number, rejections: readonly Rejection[]): Rejection | null {
  const candidates = rejections.filter(
    (rejection) => rejection.trackNo !== null && isSameNumber(rejection.trackNo, parcel.trackNo),
  );
  if (candidates.some(isRateLimit)) return null;
  const exact = candidates.find((rejection) => sameCourier(rejection.courierCode, parcel.courierCode));
  const nearest =
    exact ?? candidates.find((rejection) => rejection.courierCode === null || parcel.courierCode === null);
  const unnamed = rejections.find((rejection) => rejection.trackNo === null && rejection.index === position);
  const rejection = nearest ?? unnamed ?? null;
  if (rejection === null || isRateLimit(rejection)) return null;
  // A query does not contain these, so the client cannot hide them.
  const { extras, merchant } = parcel;
  const personal = { ...extras, customerEmail: merchant?.customerEmail ?? null };
  return { ...rejection, message: withoutPersonal(rejection.message, personal) };
}

/** A rate limit says nothing about the number, so the number is retried later. */
const isRateLimit = ({ code }: Rejection): boolean => meaningOf(code, 200, '')?.kind === 'rate-limited';

export function applyRegistration(
  parcel: Parcel,
  match: RegisterMatch,
  response: Pick<RegisterResponse, 'traceId'>,
  planning: Planning,
): Parcel {
  switch (match.kind) {
    case 'accepted':
      return withPlan(
        { ...withRegistration(parcel, match.key.courierCode), registeredAt: isoInstant(planning.now) },
        planAfterRegistration(parcel, planning),
      );
    case 'known':
      // The service may already have a record, so query immediately. We do not know when the number was registered, so it
      // cannot be used to measure the clock.
      return {
        ...withRegistration(parcel, match.key.courierCode),
        registeredAt: null,
        nextPollAt: isoInstant(planning.now),
      };
    case 'rejected':
      return rejectParcel(parcel, match.rejection, response.traceId);
    case 'silent':
      return withPlan(parcel, planAfterSilence(parcel, planning));
  }
}

/**
 * Handles a number that the service does not know, perhaps because it has not indexed it yet. If this lasts, the number
 * is registered again, unless the parcel has ended.
 */
export function applyUnregistered(
  parcel: Parcel,
  rejection: Rejection,
  traceId: string | null,
  planning: Planning,
): Parcel {
  if (hasEnded(parcel)) return withPlan(parcel, planAfterSilence(parcel, planning));
  const now = isoInstant(planning.now);
  const before = parcel.indexing ?? { since: now, registeredAgainAt: null };
  // A time in the future comes from a wrong clock.
  const since = Date.parse(before.since) > planning.now ? now : before.since;
  const hasLasted = planning.now - Date.parse(since) >= planning.policy.registerAgainMs;
  const shouldRegister = hasLasted && before.registeredAgainAt === null && planning.canRegister;
  const indexing = { ...before, since, registeredAgainAt: shouldRegister ? now : before.registeredAgainAt };
  const error = parcel.record === null ? null : lostError(rejection, indexing, traceId);
  if (shouldRegister) return { ...registerAgain(parcel, planning.now), indexing, error };
  const waiting = { ...parcel, indexing, error };
  return withPlan(waiting, planAfterSilence(waiting, planning));
}

function lostError(rejection: Rejection, { registeredAgainAt }: IndexingWait, traceId: string | null): ParcelError {
  const next =
    registeredAgainAt === null
      ? 'It will be registered again if this lasts for an hour.'
      : 'It was registered again and is still being checked.';
  const message = `The service no longer knows this number (it says "${rejection.message}"). ${next}`;
  return { kind: notRegistered, code: rejection.code, message, traceId };
}

export function rejectParcel(parcel: Parcel, { code, message }: Rejection, traceId: string | null): Parcel {
  const error = { kind: 'rejected', code, message, traceId };
  return { ...endIndexing(parcel), registration: 'rejected', nextPollAt: null, error };
}

const notRegistered = 'not-registered';

function withRegistration(parcel: Parcel, courierCode: string | null): Parcel {
  return {
    ...parcel,
    registration: 'registered',
    courierCode: parcel.courierCode ?? courierCode,
    // This error stays until there is a record.
    error: parcel.error?.kind === notRegistered ? parcel.error : null,
  };
}

type RejectedParcel = Pick<Parcel, 'courierCode' | 'trackNo'>;

const maxSuggestions = 3;

/** Adds advice if the courier is the cause. @param commandWith returns the command to suggest; defaults to `edit` */
export async function explainRejection(
  rejection: Rejection,
  rejected: RejectedParcel,
  commandWith?: (courierCode: string) => string,
): Promise<Rejection> {
  const cause = describeCause(rejection, rejected);
  if (cause === null) return rejection;
  const { courierCode, trackNo } = rejected;
  const suggestions = (await likelyCodes(trackNo)).filter((code) => code !== courierCode).slice(0, maxSuggestions);
  const [first = 'CODE'] = suggestions;
  const command = commandWith?.(first) ?? `parcel-monitor edit ${trackNo} --courier ${first}, or press c on the board`;
  const target = courierCode === null ? 'one' : 'a different one';
  const choice = suggestions.length > 1 ? `${target} (likely: ${suggestions.join(', ')})` : target;
  const example = suggestions.length === 0 ? ':' : ', e.g.';
  const message = `${cause} (the service says "${rejection.message}"). Choose ${choice}${example} ${command}.`;
  return { ...rejection, message };
}

function describeCause(rejection: Rejection, { courierCode }: RejectedParcel): string | null {
  if (isUnknownCourier(rejection) && courierCode !== null)
    return `The service does not know the courier "${courierCode}"`;
  if (!isCourierUndetected(rejection)) return null;
  return courierCode === null
    ? 'The courier was not recognised'
    : `The service did not accept this number for ${nameOfCourier(courierCode)}`;
}

/** Loads the number formats on demand, because few numbers are rejected. */
async function likelyCodes(trackNo: string): Promise<readonly string[]> {
  try {
    const { likelyCouriers } = await import('../scan/couriers.ts');
    return likelyCouriers(trackNo);
  } catch {
    // A program update may have replaced the file. The response has been paid for, so it must not get lost.
    return [];
  }
}

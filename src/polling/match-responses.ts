import { foldNumber, isSameNumber } from '../lib/text.ts';
import { type IndexingWait, type Parcel, type ParcelError, sameCourier } from '../parcels/parcel.ts';
import { isoInstant, registerAgain } from '../parcels/parcel-factory.ts';
import { endIndexing, hasEnded } from '../parcels/parcel-stage.ts';
import { nameOfCourier } from '../service/couriers.ts';
import { meaningOf } from '../service/failures.ts';
import type { QueryResponse, RegisterResponse, Rejection, TrackKey } from '../service/port.ts';
import type { TrackingRecord } from '../service/record.ts';
import { withoutPersonal } from '../service/redaction.ts';
import { isCourierUndetected, isUnknownCourier } from '../service/requests.ts';
import { plausibleEvents } from '../service/timeline-order.ts';
import { type Planning, planAfterRegistration, planAfterSilence, planned } from './schedule/schedule.ts';

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
  const records = byNumber(response.records);
  const unregistered = byNumber(response.unregistered);
  const rejected = byNumber(response.rejected);
  const twinsOf = byNumber(watched);
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

function byNumber<Item extends { readonly trackNo: string | null }>(
  items: readonly Item[],
): (trackNo: string) => readonly Item[] {
  if (items.length === 0) return () => items;
  const unnumbered = items.filter(({ trackNo }) => trackNo === null);
  const numbered = Map.groupBy(
    items.filter(({ trackNo }) => trackNo !== null),
    ({ trackNo }) => foldNumber(trackNo ?? ''),
  );
  return (trackNo) => {
    const own = numbered.get(foldNumber(trackNo)) ?? [];
    return unnumbered.length === 0 ? own : [...own, ...unnumbered];
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
 * with the most checkpoints, and of several such records the newest.
 */
function chooseRecord(
  parcel: Parcel,
  records: readonly TrackingRecord[],
  watched: readonly Parcel[],
): TrackingRecord | null {
  const own = records.filter((record) => sameCourier(record.courierCode, parcel.courierCode));
  if (parcel.courierCode !== null && own.length > 0) return best(own);
  const twins = watched.filter((other) => other.id !== parcel.id);
  const free = records.filter(
    (record) => record.courierCode === null || !twins.some((twin) => sameCourier(twin.courierCode, record.courierCode)),
  );
  return best(free);
}

/** Returns the parcel with a pushed record's courier, or the only parcel whose courier is not certain. */
export function findAddressee(record: TrackingRecord, watched: readonly Parcel[]): Parcel | null {
  const ofNumber = watched.filter((parcel) => isSameNumber(parcel.trackNo, record.trackNo));
  const own = ofNumber.find(
    (parcel) => record.courierCode !== null && sameCourier(parcel.courierCode, record.courierCode),
  );
  if (own !== undefined) return own;
  const open = ofNumber.filter((parcel) => record.courierCode === null || !parcel.courierPinned);
  const withoutCourier = open.filter((parcel) => parcel.courierCode === null);
  const [only, ...others] = withoutCourier.length > 0 ? withoutCourier : open;
  return only !== undefined && others.length === 0 ? only : null;
}

function best(records: readonly TrackingRecord[]): TrackingRecord | null {
  return records.reduce<TrackingRecord | null>((chosen, record) => {
    if (chosen === null) return record;
    const surplus = record.checkpoints.length - chosen.checkpoints.length;
    return surplus > 0 || (surplus === 0 && newest(record) > newest(chosen)) ? record : chosen;
  }, null);
}

/** Returns a comparable time: all formats start with the year, so they sort as text. */
function newest(record: TrackingRecord): string {
  const [event] = plausibleEvents(record.checkpoints);
  return event?.at?.replace('T', ' ') ?? event?.local ?? record.lastTrackingTime ?? '';
}

function findKey(parcel: Parcel, keys: readonly TrackKey[], batch: readonly Parcel[]): TrackKey | null {
  const number = foldNumber(parcel.trackNo);
  const ofNumber = keys.filter((key) => foldNumber(key.trackNo) === number);
  const own = ofNumber.find((key) => sameCourier(key.courierCode, parcel.courierCode));
  if (own !== undefined) return own;
  const isAlone = batch.every((other) => other.id === parcel.id || !isSameNumber(other.trackNo, parcel.trackNo));
  return ofNumber.find((key) => key.courierCode === null || isAlone) ?? null;
}

function findRejection(parcel: Parcel, position: number, rejections: readonly Rejection[]): Rejection | null {
  const ofNumber = rejections.filter(
    (rejection) => rejection.trackNo !== null && isSameNumber(rejection.trackNo, parcel.trackNo),
  );
  if (ofNumber.some(isRateLimit)) return null;
  const own = ofNumber.find((rejection) => sameCourier(rejection.courierCode, parcel.courierCode));
  const nearest = own ?? ofNumber.find((rejection) => rejection.courierCode === null || parcel.courierCode === null);
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
      return planned(
        { ...registered(parcel, match.key.courierCode), registeredAt: isoInstant(planning.now) },
        planAfterRegistration(parcel, planning),
      );
    case 'known':
      // The service may already have a record, so query immediately. We do not know when the number was registered, so it
      // cannot be used to measure the clock.
      return { ...registered(parcel, match.key.courierCode), registeredAt: null, nextPollAt: isoInstant(planning.now) };
    case 'rejected':
      return rejectParcel(parcel, match.rejection, response.traceId);
    case 'silent':
      return planned(parcel, planAfterSilence(parcel, planning));
  }
}

/**
 * Applies that the service does not know a number, which it may not have indexed yet. If this lasts, the number is
 * registered again, unless the parcel has ended.
 */
export function applyUnregistered(
  parcel: Parcel,
  rejection: Rejection,
  traceId: string | null,
  planning: Planning,
): Parcel {
  if (hasEnded(parcel)) return planned(parcel, planAfterSilence(parcel, planning));
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
  return planned(waiting, planAfterSilence(waiting, planning));
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

function registered(parcel: Parcel, courierCode: string | null): Parcel {
  return {
    ...parcel,
    registration: 'registered',
    courierCode: parcel.courierCode ?? courierCode,
    // This error stays until there is a record.
    error: parcel.error?.kind === notRegistered ? parcel.error : null,
  };
}

type Rejected = Pick<Parcel, 'courierCode' | 'trackNo'>;

const maxSuggestions = 3;

/** Adds advice if the courier is the cause. @param commandWith returns the command to suggest; defaults to `edit` */
export async function explainRejection(
  rejection: Rejection,
  rejected: Rejected,
  commandWith?: (courierCode: string) => string,
): Promise<Rejection> {
  const cause = causeOf(rejection, rejected);
  if (cause === null) return rejection;
  const { courierCode, trackNo } = rejected;
  const likely = (await likelyCodes(trackNo)).filter((code) => code !== courierCode).slice(0, maxSuggestions);
  const [first = 'CODE'] = likely;
  const command = commandWith?.(first) ?? `parcel-monitor edit ${trackNo} --courier ${first}, or press c on the board`;
  const which = courierCode === null ? 'one' : 'a different one';
  const suggestion = likely.length > 1 ? `${which} (likely: ${likely.join(', ')})` : which;
  const example = likely.length === 0 ? ':' : ', e.g.';
  const message = `${cause} (the service says "${rejection.message}"). Choose ${suggestion}${example} ${command}.`;
  return { ...rejection, message };
}

function causeOf(rejection: Rejection, { courierCode }: Rejected): string | null {
  if (isUnknownCourier(rejection) && courierCode !== null)
    return `The service does not know the courier "${courierCode}"`;
  if (!isCourierUndetected(rejection)) return null;
  return courierCode === null
    ? 'The courier was not recognised'
    : `The service did not accept this number for ${nameOfCourier(courierCode)}`;
}

/** Loads the number formats only when a number is rejected. */
async function likelyCodes(trackNo: string): Promise<readonly string[]> {
  try {
    const { likelyCouriers } = await import('../scan/couriers.ts');
    return likelyCouriers(trackNo);
  } catch {
    // An update of the program may have replaced the file. The response has been paid for, so it must not fail.
    return [];
  }
}

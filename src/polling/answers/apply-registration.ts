import type { RegisterAnswer, Rejection } from '../../service/record/record.ts';
import { endIndexing } from '../../watchlist/model/indexing.ts';
import type { IndexingWait, Parcel, ParcelError } from '../../watchlist/model/parcel.ts';
import { isoInstant, registerAgain } from '../../watchlist/model/parcel-factory.ts';
import { hasEnded } from '../../watchlist/rules/parcel-stage.ts';
import { type Planning, planAfterRegistration, planAfterSilence, planned } from '../schedule/schedule.ts';
import type { RegisterMatch } from './match-answer.ts';

/** The parcel after an answer to its registration. */
export function applyRegistration(
  parcel: Parcel,
  match: RegisterMatch,
  answer: Pick<RegisterAnswer, 'traceId'>,
  planning: Planning,
): Parcel {
  switch (match.kind) {
    case 'accepted':
      return planned(
        { ...registered(parcel, match.key.courierCode), registeredAt: isoInstant(planning.now) },
        planAfterRegistration(parcel, planning),
      );
    case 'known':
      // The service may have a record already. When it was registered is not known, so it measures no clock.
      return { ...registered(parcel, match.key.courierCode), registeredAt: null, nextPollAt: isoInstant(planning.now) };
    case 'rejected':
      return rejectParcel(parcel, match.rejection, answer.traceId);
    case 'silent':
      return planned(parcel, planAfterSilence(parcel, planning));
  }
}

/**
 * The parcel after the service has said in a query that it does not know the number. What it has taken it may not have
 * indexed yet, so it is waited for; the number is sent once more when that lasts, and once only, since it may cost. A
 * number of which there was a record may have been deleted by somebody else: an error says so, and it goes the same way. What
 * is delivered or expired is not worth a registration.
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
  // A wait that has not begun yet was written while the clock was wrong.
  const since = Date.parse(before.since) > planning.now ? now : before.since;
  const lasts = planning.now - Date.parse(since) >= planning.policy.registerAgainMs;
  const isToRegister = lasts && before.registeredAgainAt === null && planning.canRegister;
  const indexing = { ...before, since, registeredAgainAt: isToRegister ? now : before.registeredAgainAt };
  const error = parcel.record === null ? null : lostError(rejection, indexing, traceId);
  if (isToRegister) return { ...registerAgain(parcel, planning.now), indexing, error };
  const waiting = { ...parcel, indexing, error };
  return planned(waiting, planAfterSilence(waiting, planning));
}

function lostError(rejection: Rejection, { registeredAgainAt }: IndexingWait, traceId: string | null): ParcelError {
  const next =
    registeredAgainAt === null
      ? 'If that lasts for an hour, it is registered again, once.'
      : 'It was registered again, and is checked further.';
  const message = `The service does not know this number any more (it says "${rejection.message}"). ${next}`;
  return parcelError(notRegistered, { ...rejection, message }, traceId);
}

/** A parcel that the service does not take, with the service's own words. Checked again only when the user wants it. */
export function rejectParcel(parcel: Parcel, rejection: Rejection, traceId: string | null): Parcel {
  return {
    ...endIndexing(parcel),
    registration: 'rejected',
    nextPollAt: null,
    error: parcelError('rejected', rejection, traceId),
  };
}

const notRegistered = 'not-registered';

function registered(parcel: Parcel, courierCode: string | null): Parcel {
  return {
    ...parcel,
    registration: 'registered',
    courierCode: parcel.courierCode ?? courierCode,
    // That the service did not know the number is remembered until it gives a record.
    error: parcel.error?.kind === notRegistered ? parcel.error : null,
  };
}

function parcelError(kind: string, { code, message }: Rejection, traceId: string | null): ParcelError {
  return { kind, code, message, traceId };
}

import type { RegisterAnswer, Rejection } from '../service/record.ts';
import type { Parcel, ParcelError } from '../watchlist/parcel.ts';
import { isoInstant, registerAgain } from '../watchlist/parcel-factory.ts';
import type { RegisterMatch } from './match-answer.ts';
import { type Planning, planAfterRegistration, planAfterSilence } from './schedule.ts';

/** The parcel after an answer to its registration. */
export function applyRegistration(
  parcel: Parcel,
  match: RegisterMatch,
  answer: Pick<RegisterAnswer, 'traceId'>,
  planning: Planning,
): Parcel {
  switch (match.kind) {
    case 'accepted':
      return {
        ...registered(parcel, match.key.courierCode),
        registeredAt: isoInstant(planning.now),
        ...planAfterRegistration(parcel, planning),
      };
    case 'known':
      // The service may have a record already. When it was registered is not known, so it measures no clock.
      return { ...registered(parcel, match.key.courierCode), registeredAt: null, nextPollAt: isoInstant(planning.now) };
    case 'rejected':
      return rejectParcel(parcel, 'rejected', match.rejection, answer.traceId);
    case 'silent':
      return { ...parcel, ...planAfterSilence(parcel, planning) };
  }
}

/**
 * The parcel after the service has said that it does not know the number: to be registered once more, or rejected when
 * that has been tried since the last good answer.
 */
export function applyUnregistered(
  parcel: Parcel,
  rejection: Rejection,
  traceId: string | null,
  planning: Planning,
): Parcel {
  if (parcel.error?.kind === notRegistered) return rejectParcel(parcel, notRegistered, rejection, traceId);
  return {
    ...registerAgain(parcel, planning.now),
    fruitlessPolls: parcel.fruitlessPolls + 1,
    error: parcelError(notRegistered, rejection, traceId),
  };
}

/** A parcel that the service does not take, with the service's own words. Asked about again only when the user wants it. */
export function rejectParcel(parcel: Parcel, kind: string, rejection: Rejection, traceId: string | null): Parcel {
  return { ...parcel, registration: 'rejected', nextPollAt: null, error: parcelError(kind, rejection, traceId) };
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

import type { EpochMs } from '../../service/clock/clock.ts';
import { assumedServiceClock, formatServiceTime } from '../../service/clock/service-clock.ts';
import type { WireData, WireRetrackOutcome, WireTrackKey } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { fullBatch, namedNumber, object, read, required, text } from './body-schemas.ts';
import { keyOf, rejectUnregistered } from './named-numbers.ts';

function refresh(account: Account, registration: Registration, now: EpochMs): WireRetrackOutcome {
  const { success, refreshedAt } = account.refresh(registration, now);
  return { success, actualRefreshTime: formatServiceTime(refreshedAt, assumedServiceClock) };
}

/**
 * Retrack a package: `{trackNo, courierCode}`. The answer says whether it counted, and when the number
 * was last refreshed; it brings no tracking data. Throws a `RefusedCallError` when the body is no such object.
 */
export function refreshTracking(
  account: Account,
  body: JsonValue,
  now: EpochMs,
): WireRetrackOutcome | WireData<readonly never[]> {
  const number = read(object({ trackNo: required('trackNo'), courierCode: text }), body);
  const [registration] = account.find(number.trackNo, number.courierCode);
  return registration === undefined
    ? { accepted: [], rejected: rejectUnregistered(account, [number]) }
    : refresh(account, registration, now);
}

/**
 * Retrack packages: an array of `{trackNo, courierCode}`. Without a courier code all registrations of the
 * number are refreshed. Throws a `RefusedCallError` when the body is of another shape, empty, or longer than a batch.
 */
export function refreshTrackings(
  account: Account,
  body: JsonValue,
  now: EpochMs,
): WireData<readonly (WireTrackKey & WireRetrackOutcome)[]> {
  const numbers = read(fullBatch(namedNumber), body);
  return {
    accepted: numbers.flatMap(({ trackNo, courierCode }) =>
      account
        .find(trackNo, courierCode)
        .map((registration) => ({ ...keyOf(registration), ...refresh(account, registration, now) })),
    ),
    rejected: rejectUnregistered(account, numbers),
  };
}

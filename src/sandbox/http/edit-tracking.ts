import type { EpochMs } from '../../service/clock/clock.ts';
import type { WireData, WireRegistrationItem, WireTrackKey } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import { type Account, isRefusal } from '../world/account.ts';
import { badParameter } from './answers.ts';
import { object, read, required } from './body-schemas.ts';
import { keyOf } from './named-numbers.ts';
import { blankedFields, flawOf, notRegistered, rejection, trackingItem, wordsFor } from './tracking-item.ts';

/**
 * Edit a tracking: number and courier code are required, fields that are absent or null stay as they
 * are, a blank text takes a merchant's field away. Throws a `RefusedCallError` when the body is of another shape.
 */
export function editTracking(
  account: Account,
  body: JsonValue,
  now: EpochMs,
): WireData<readonly WireRegistrationItem[]> {
  const item = read(trackingItem, body);
  const { courierCode } = read(object({ courierCode: required('courierCode') }), body);
  const flaw = flawOf(item);
  if (flaw !== null) throw badParameter(flaw);
  const [registration] = account.find(item.trackNo, courierCode);
  if (registration === undefined) return { accepted: [], rejected: [rejection(0, item, courierCode, notRegistered)] };
  account.edit(registration, { merchant: { ...item.merchant, ...blankedFields(body) }, extra: item.extra }, now);
  return { accepted: [item.echo], rejected: [] };
}

const courierChange = object({
  trackNo: required('trackNo'),
  courierCode: required('courierCode'),
  newCourierCode: required('newCourierCode'),
});

/**
 * Change carrier: `{trackNo, courierCode, newCourierCode}`, all required. Throws a `RefusedCallError`
 * when one is missing.
 */
export function changeCourier(account: Account, body: JsonValue, now: EpochMs): WireData<readonly WireTrackKey[]> {
  const { trackNo, courierCode, newCourierCode } = read(courierChange, body);
  const reject = (code: string, message: string): WireData<readonly WireTrackKey[]> => ({
    accepted: [],
    rejected: [rejection(0, { trackNo }, code, message)],
  });
  const [registration] = account.find(trackNo, courierCode);
  if (registration === undefined) return reject(courierCode, notRegistered);
  const moved = account.changeCourier(registration, newCourierCode, now);
  return isRefusal(moved) ? reject(newCourierCode, wordsFor(moved)) : { accepted: [keyOf(moved)], rejected: [] };
}

import type { EpochMs } from '../../service/clock/clock.ts';
import type { WireKeysData, WireRegisterData } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import type { Account } from '../world/account.ts';
import { badParameter } from './answers.ts';
import { requiredField } from './named-numbers.ts';
import { blankedFields, flawOf, notRegistered, readTrackingItem, rejection, wordsFor } from './tracking-item.ts';

/**
 * Edit a tracking: number and courier code are required, fields that are absent or null stay as they
 * are, a blank text takes a merchant's field away. Throws a `RefusedCallError` when the body is of another shape.
 */
export function editTracking(account: Account, body: JsonValue, now: EpochMs): WireRegisterData {
  const item = readTrackingItem(body);
  const courierCode = requiredField(body, 'courierCode');
  const flaw = flawOf(item);
  if (flaw !== null) throw badParameter(flaw);
  const [registration] = account.find(item.trackNo, courierCode);
  if (registration === undefined) return { accepted: [], rejected: [rejection(0, item, courierCode, notRegistered)] };
  account.edit(registration, { merchant: { ...item.merchant, ...blankedFields(body) }, extra: item.extra }, now);
  return { accepted: [item.echo], rejected: [] };
}

/**
 * Change carrier: `{trackNo, courierCode, newCourierCode}`, all required. Throws a `RefusedCallError`
 * when one is missing.
 */
export function changeCourier(account: Account, body: JsonValue, now: EpochMs): WireKeysData {
  const trackNo = requiredField(body, 'trackNo');
  const courierCode = requiredField(body, 'courierCode');
  const newCourierCode = requiredField(body, 'newCourierCode');
  const reject = (code: string, message: string): WireKeysData => ({
    accepted: [],
    rejected: [rejection(0, { trackNo }, code, message)],
  });
  const [registration] = account.find(trackNo, courierCode);
  if (registration === undefined) return reject(courierCode, notRegistered);
  const outcome = account.changeCourier(registration, newCourierCode, now);
  return outcome.kind === 'registered'
    ? { accepted: [{ trackNo: registration.trackNo, courierCode: newCourierCode }], rejected: [] }
    : reject(newCourierCode, wordsFor(outcome));
}

import type { WireKeysData } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import type { Account } from '../world/account.ts';
import { missingParameter } from './answers.ts';
import { batchOf } from './fields.ts';
import { keyOf, readNamedNumber, rejectUnregistered } from './named-numbers.ts';

/**
 * Delete trackings: an array of `{trackNo, courierCode}`, or one such object. Without a courier code all
 * registrations of the number go. Throws a `RefusedCallError` when the body is neither, empty, or longer than a batch.
 */
export function deleteTrackings(account: Account, body: JsonValue): WireKeysData {
  const numbers = (Array.isArray(body) ? batchOf(body) : [body]).map(readNamedNumber);
  if (numbers.length === 0) throw missingParameter('at least one tracking number is required');
  const rejected = rejectUnregistered(account, numbers);
  const accepted = numbers.flatMap(({ trackNo, courierCode }) =>
    account.find(trackNo, courierCode).map((registration) => {
      account.remove(registration);
      return keyOf(registration);
    }),
  );
  return { accepted, rejected };
}

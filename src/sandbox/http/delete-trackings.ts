import type { WireData, WireTrackKey } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import type { Account } from '../world/account.ts';
import { fullBatch, namedNumber, read } from './body-schemas.ts';
import { keyOf, rejectUnregistered } from './named-numbers.ts';

/**
 * Delete trackings: an array of `{trackNo, courierCode}`, or one such object. Without a courier code all
 * registrations of the number go. Throws a `RefusedCallError` when the body is neither, empty, or longer than a batch.
 */
export function deleteTrackings(account: Account, body: JsonValue): WireData<readonly WireTrackKey[]> {
  const numbers = read(fullBatch(namedNumber), Array.isArray(body) ? body : [body]);
  const rejected = rejectUnregistered(account, numbers);
  const accepted = numbers.flatMap(({ trackNo, courierCode }) =>
    account.find(trackNo, courierCode).map((registration) => {
      account.remove(registration);
      return keyOf(registration);
    }),
  );
  return { accepted, rejected };
}

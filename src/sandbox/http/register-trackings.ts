import type { EpochMs } from '../../service/clock/clock.ts';
import type { WireData, WireRegistrationItem, WireRejection } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import { type Account, isRefusal } from '../world/account.ts';
import { fullBatch, read } from './body-schemas.ts';
import type { Credit } from './credit.ts';
import { flawOf, rejection, type TrackingItem, trackingItem, wordsFor } from './tracking-item.ts';

/** How many registrations the items will make. */
function countNew(account: Account, items: readonly TrackingItem[]): number {
  const fresh = items.flatMap((item) => {
    const courier = account.settleCourier(item.trackNo, item.courierCode);
    return flawOf(item) !== null || isRefusal(courier) ? [] : [`${courier.code}/${item.trackNo.toUpperCase()}`];
  });
  return new Set(fresh).size;
}

/**
 * Register trackings. `accepted` is a plain array that echoes the items; every number that is
 * not taken stands in `rejected`, and only the words say why, and the call still is a success. Throws a
 * `RefusedCallError` when the body is no array of items, empty, or longer than a batch, or when the credit does not
 * cover all of it; then nothing is registered.
 */
export function registerTrackings(
  account: Account,
  credit: Credit,
  body: JsonValue,
  now: EpochMs,
): WireData<readonly WireRegistrationItem[]> {
  const items = read(fullBatch(trackingItem), body);
  credit.spend(countNew(account, items));
  const accepted: WireRegistrationItem[] = [];
  const rejected: WireRejection[] = [];
  items.forEach((item, index) => {
    const named = { trackNo: item.trackNo, orderNo: item.merchant.orderNo };
    const flaw = flawOf(item);
    if (flaw !== null) {
      rejected.push(rejection(index, named, item.courierCode, flaw));
      return;
    }
    const outcome = account.register(item, now);
    if (!isRefusal(outcome)) accepted.push(item.echo);
    else {
      const courierCode = outcome.kind === 'duplicate' ? outcome.courierCode : item.courierCode;
      rejected.push(rejection(index, named, courierCode, wordsFor(outcome)));
    }
  });
  return { accepted, rejected };
}

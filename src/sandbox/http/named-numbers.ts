import type { WireRejection, WireTrackKey } from '../../service/record/wire.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import type { NamedNumber } from './body-schemas.ts';
import { notRegistered, rejection } from './tracking-item.ts';

/** Names a registered number in an answer. */
export function keyOf({ trackNo, courier }: Registration): WireTrackKey {
  return { trackNo, courierCode: courier.code };
}

/** `data.rejected` for numbers that the account does not hold. */
export function rejectUnregistered(account: Account, numbers: readonly NamedNumber[]): readonly WireRejection[] {
  return numbers.flatMap(({ trackNo, courierCode }, index) =>
    account.find(trackNo, courierCode).length > 0 ? [] : [rejection(index, { trackNo }, null, notRegistered)],
  );
}

import { formatServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { AccountService } from '../../service/port.ts';
import type { MerchantFields, TrackKey } from '../../service/record/record.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';

/** Sends the service what has changed of what a merchant gave along with a registered number. Rejects with a `ServiceError`. */
export async function sendMerchantChange(
  service: Pick<AccountService, 'edit'>,
  { trackNo, courierCode }: TrackKey & { readonly courierCode: string },
  change: MerchantChange,
  { serviceClock, signal }: { readonly serviceClock: ServiceClock; readonly signal: AbortSignal },
): Promise<void> {
  await service.edit({ trackNo, courierCode, ...fieldsOf(change, serviceClock) }, signal);
}

/** The fields as the service takes them: an empty text takes one away, the ship time is on the service clock. */
function fieldsOf({ shippedAt, ...texts }: MerchantChange, serviceClock: ServiceClock): MerchantFields {
  const fields = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value ?? '']));
  if (shippedAt === undefined) return fields;
  return { ...fields, shipTime: shippedAt === null ? '' : formatServiceTime(Date.parse(shippedAt), serviceClock) };
}

import { formatServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { MerchantFields, RegistrationItem } from '../../service/record/record.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** A parcel as it is registered, with everything that was given along with it. */
export function registrationItem(parcel: Parcel, serviceClock: ServiceClock): RegistrationItem {
  const { trackNo, courierCode, extras, merchant = {} } = parcel;
  const { postalCode, phoneSuffix } = extras;
  return { trackNo, courierCode, postalCode, phoneSuffix, ...merchantFields(merchant, serviceClock) };
}

/** What a merchant gave along, as the service takes it: an empty text takes one away, the ship time is on the service clock. */
export function merchantFields({ shippedAt, ...texts }: MerchantChange, serviceClock: ServiceClock): MerchantFields {
  const fields = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value ?? '']));
  if (shippedAt === null) return { ...fields, shipTime: '' };
  const shipTime = shippedAt === undefined ? '' : formatServiceTime(Date.parse(shippedAt), serviceClock);
  return shipTime === '' ? fields : { ...fields, shipTime };
}

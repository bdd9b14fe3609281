import { formatServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { RegistrationItem } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** A parcel as it is registered, with everything that was given along with it; its ship time on the service clock. */
export function registrationItem(parcel: Parcel, serviceClock: ServiceClock): RegistrationItem {
  const { trackNo, courierCode, extras } = parcel;
  const { shippedAt, ...texts } = parcel.merchant ?? {};
  const shipTime = shippedAt === undefined ? '' : formatServiceTime(Date.parse(shippedAt), serviceClock);
  return {
    trackNo,
    courierCode,
    postalCode: extras.postalCode,
    phoneSuffix: extras.phoneSuffix,
    ...texts,
    ...(shipTime === '' ? {} : { shipTime }),
  };
}

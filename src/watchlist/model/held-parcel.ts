import type { EpochMs, Random } from '../../service/clock/clock.ts';
import { parseServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { TrackingRecord } from '../../service/record/record.ts';
import type { JsonObject } from '../../service/text/json.ts';
import { cleanedTextField } from '../../service/text/json-fields.ts';
import type { Parcel, ParcelMerchant } from './parcel.ts';
import { newParcel } from './parcel-factory.ts';

/** When and where a number of the account is taken over. */
export interface HeldParcelSituation {
  readonly now: EpochMs;
  readonly random: Random;
  readonly serviceClock: ServiceClock;
}

/** The parcel of a number that the account holds: registered, with what a merchant gave along; its record is not in it yet. */
export function heldParcel(
  { courierCode, received, trackNo }: TrackingRecord,
  { now, random, serviceClock }: HeldParcelSituation,
): Parcel {
  const merchant = merchantOf(received, serviceClock);
  const draft = { trackNo, courierCode, label: null, postalCode: null, phoneSuffix: null, merchant };
  // Nobody here has chosen the courier, and when it was registered nobody here has seen.
  return { ...newParcel(draft, now, random), courierPinned: false, registration: 'registered' };
}

const texts = ['orderNo', 'customerEmail', 'remark', 'custom1', 'custom2'] as const;

/** What a record says of its merchant; its ship time is on the service clock. */
function merchantOf(received: JsonObject, serviceClock: ServiceClock): ParcelMerchant {
  const shippedAt = parseServiceTime(cleanedTextField(received, 'shipTime'), serviceClock);
  const given = texts.flatMap((name): [string, string][] => {
    const text = cleanedTextField(received, name);
    return text === null ? [] : [[name, text]];
  });
  return {
    ...Object.fromEntries(given),
    ...(shippedAt === null ? {} : { shippedAt: new Date(shippedAt).toISOString() }),
  };
}

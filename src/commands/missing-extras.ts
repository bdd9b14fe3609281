import type { Parcel, ParcelExtras } from '../parcels/parcel.ts';
import { type CourierNeed, missingNeed, nameOfCourier, needWords } from '../service/couriers.ts';
import type { Configuration } from '../settings/configuration.ts';
import { type Session, say } from '../settings/session/session.ts';

type Extras = Pick<Configuration, 'courierExtras'>;

/** Whether a courier needs an extra that the configuration does not give for all its parcels. */
export function lacksExtra(configuration: Extras, courierCode: string): boolean {
  return lackOf(configuration, courierCode, { postalCode: null, phoneSuffix: null }) !== null;
}

/** Warns on standard error of parcels whose courier needs an extra that neither they nor the configuration give. */
export function warnOfNeeds({ context, configuration }: Session, parcels: readonly Parcel[]): void {
  for (const { trackNo, courierCode, extras, registration } of parcels) {
    // What the configuration gives goes along with a registration; later it is too late for that.
    const lack =
      registration === 'registered' ? missingNeed(courierCode, extras) : lackOf(configuration, courierCode, extras);
    if (lack === null) continue;
    const name = lack === 'postal-code' ? 'postalCode' : 'phoneSuffix';
    say(
      context,
      `${trackNo}: ${courierCode === null ? 'the courier' : nameOfCourier(courierCode)} finds a parcel only with ${needWords[lack]}; give it with "parcel-monitor edit ${trackNo} --${lack} …", or for all its parcels as "couriers.${courierCode}.${name}" in the configuration.`,
    );
  }
}

function lackOf(configuration: Extras, courierCode: string | null, extras: ParcelExtras): CourierNeed | null {
  if (courierCode === null) return null;
  const known = configuration.courierExtras(courierCode);
  return missingNeed(courierCode, {
    postalCode: extras.postalCode ?? known.postalCode ?? null,
    phoneSuffix: extras.phoneSuffix ?? known.phoneSuffix ?? null,
  });
}

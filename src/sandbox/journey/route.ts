import type { Random } from '../../lib/clock.ts';
import type { Courier } from '../couriers.ts';
import { countries, type Place, placesByCountry } from '../places.ts';
import { pick } from '../seeded-random.ts';
import type { PlaceRole } from './scenarios.ts';

/** The towns that a parcel passes; `unknown` has none. */
export interface Route {
  /** Countries, two letters. */
  readonly from: string;
  readonly to: string;
  readonly places: Readonly<Record<Exclude<PlaceRole, 'unknown'>, Place>>;
}

const townsOf = (country: string): readonly Place[] => placesByCountry.get(country) ?? [];

function countriesFor(courier: Courier, random: Random): readonly [from: string, to: string] {
  const abroad = (home: string): string =>
    pick(
      random,
      countries.filter((country) => country !== home),
    );
  switch (courier.reach) {
    case 'domestic':
      return [courier.country, courier.country];
    case 'export':
      return [courier.country, abroad(courier.country)];
    case 'post':
      return [courier.country, random() < 0.25 ? courier.country : abroad(courier.country)];
    case 'world': {
      const from = random() < 0.5 ? courier.country : pick(random, countries);
      return [from, random() < 0.35 ? from : abroad(from)];
    }
  }
}

/** A way that this courier could carry a parcel. */
export function planRoute(courier: Courier, random: Random): Route {
  const [from, to] = countriesFor(courier, random);
  const [gatewayOut = pick(random, townsOf(from))] = townsOf(from);
  const [gatewayIn = pick(random, townsOf(to))] = townsOf(to);
  const origin = pick(random, townsOf(from));
  const destination = pick(random, townsOf(to));
  return {
    from,
    to,
    places: {
      origin,
      'origin-hub': pick(random, townsOf(from)),
      'gateway-out': gatewayOut,
      'gateway-in': gatewayIn,
      'destination-hub': pick(random, townsOf(to)),
      destination,
    },
  };
}

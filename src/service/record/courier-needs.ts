/** Extra information without which a courier finds no parcel. */
export type CourierNeed = 'postal-code' | 'phone-suffix';

/**
 * Couriers and what they need. The service names them in its documentation only, so the list may be out of date.
 * `postal-code` is the recipient's, `phone-suffix` the last four digits of sender's or recipient's phone.
 */
const needs: Readonly<Record<string, CourierNeed>> = {
  alliedexpress: 'postal-code',
  'b2ceurope-be': 'postal-code',
  'colis-prive': 'postal-code',
  dxdelivery: 'postal-code',
  'gel-express-logistik': 'postal-code',
  'gls-spain': 'postal-code',
  mondialrelay: 'postal-code',
  postnl: 'postal-code',
  'postmedia-parcel-services-bni-pa': 'postal-code',
  thedeliverygroup: 'postal-code',
  xdpexpress: 'postal-code',
  yodel: 'postal-code',
  sfb2c: 'phone-suffix',
  'jtexpress-mx': 'phone-suffix',
  jetid: 'phone-suffix',
};

/** What a courier needs besides the number; null when nothing is known of it, or when the courier is not known yet. */
export function courierNeeds(courierCode: string | null): CourierNeed | null {
  const code = courierCode?.toLowerCase() ?? '';
  return Object.hasOwn(needs, code) ? (needs[code] ?? null) : null;
}

/** What a courier needs and was not given; null when nothing is missing. */
export function missingNeed(
  courierCode: string | null,
  given: { readonly postalCode: string | null; readonly phoneSuffix: string | null },
): CourierNeed | null {
  const need = courierNeeds(courierCode);
  const value = need === 'postal-code' ? given.postalCode : given.phoneSuffix;
  return value === null ? need : null;
}

/** A need as a person reads it. */
export const needWords: Readonly<Record<CourierNeed, string>> = {
  'postal-code': "the recipient's postal code",
  'phone-suffix': 'the last four digits of the phone number',
};

import type { Courier } from './port.ts';

export type CourierNeed = 'postal-code' | 'phone-suffix';

/**
 * Copied from the service's documentation, so it may be out of date. `phone-suffix`: the last four digits of the
 * sender's or the recipient's phone number.
 */
const needs: ReadonlyMap<string, CourierNeed> = new Map([
  ...[
    'alliedexpress b2ceurope-be colis-prive dxdelivery gel-express-logistik gls-spain mondialrelay postnl',
    'postmedia-parcel-services-bni-pa thedeliverygroup xdpexpress yodel',
  ]
    .flatMap((codes) => codes.split(' '))
    .map((code) => [code, 'postal-code'] as const),
  ...['sfb2c', 'jtexpress-mx', 'jetid'].map((code) => [code, 'phone-suffix'] as const),
]);

export function courierNeeds(courierCode: string | null): CourierNeed | null {
  return needs.get(courierCode?.toLowerCase() ?? '') ?? null;
}

export function missingNeed(
  courierCode: string | null,
  extras: { readonly postalCode: string | null; readonly phoneSuffix: string | null },
): CourierNeed | null {
  const need = courierNeeds(courierCode);
  const value = need === 'postal-code' ? extras.postalCode : extras.phoneSuffix;
  return value === null ? need : null;
}

export const requirementLabels: Readonly<Record<CourierNeed, string>> = {
  'postal-code': "the recipient's postal code",
  'phone-suffix': 'the last four digits of the phone number',
};

/** Words in courier names that are not simply capitalised. */
const spellings: ReadonlyMap<string, string> = new Map(
  [
    'UPS USPS EMS YTO STO TIPSA UK US USA EU UAE SEUR UBI CNE CTT OCS',
    'FedEx PostNL PostNord InPost bpost YunExpress DPEX OnTrac LaserShip SingPost',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => [name.toLowerCase(), name]),
);

export function nameFromCode(code: string): string {
  const words = code.split(/[-_\s]+/).filter((word) => word !== '');
  return words.length === 0 ? code : words.map(capitalise).join(' ');
}

/** Short words without a vowel are treated as initialisms. */
function capitalise(word: string): string {
  const spelling = spellings.get(word.toLowerCase());
  if (spelling !== undefined) return spelling;
  if (word.length <= 4 && !/[aeiouy]/i.test(word)) return word.toUpperCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Couriers that are known by the first word of their name. */
const brands: ReadonlySet<string> = new Set(
  'amazon aramex asendia cainiao dhl dpd evri fedex gls hermes inpost postnl postnord purolator seur sf tnt ups usps yunexpress'.split(
    ' ',
  ),
);

const shortNames: ReadonlyMap<string, string> = new Map([
  ['deutsche post', 'D. Post'],
  ['thailand post', 'Thai Post'],
  ['australia post', 'Aus Post'],
  ['singapore post', 'SingPost'],
  ['j&t express', 'J&T'],
]);

/** Shortens a well-known courier's name, such as `DHL Germany` to `DHL`. */
export function shortNameOfCourier(name: string): string {
  const shortName = shortNames.get(name.toLowerCase());
  if (shortName !== undefined) return shortName;
  const end = name.search(/[\s(]/);
  const first = end === -1 ? name : name.slice(0, end);
  return brands.has(first.toLowerCase()) ? first : name;
}

type KnownNames = { readonly [Name in 'nameCN' | 'nameEN']?: string | null };

export const nameOfCourier = (code: string, names: KnownNames = {}): string =>
  names.nameEN ?? names.nameCN ?? nameFromCode(code);

export function courierNamer(couriers: readonly Courier[]): (code: string) => string {
  const byCode = new Map(couriers.map((courier) => [courier.code.toLowerCase(), courier]));
  return (code) => nameOfCourier(code, byCode.get(code.toLowerCase()));
}

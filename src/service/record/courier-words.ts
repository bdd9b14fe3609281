import type { Courier } from './record.ts';

/** Words of courier codes that a name writes otherwise than with a capital at their beginning. */
const spellings: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'UPS',
      'USPS',
      'EMS',
      'YTO',
      'STO',
      'TIPSA',
      'UK',
      'US',
      'USA',
      'EU',
      'UAE',
      'SEUR',
      'UBI',
      'CNE',
      'CTT',
      'OCS',
    ],
    ...['FedEx', 'PostNL', 'PostNord', 'InPost', 'bpost', 'YunExpress', 'DPEX', 'OnTrac', 'LaserShip', 'SingPost'],
  ].map((name) => [name.toLowerCase(), name]),
);

/** A courier code as it can be read where its name is not known: `dhl-germany` is "DHL Germany". */
export function courierWords(code: string): string {
  const words = code.split(/[-_\s]+/).filter((word) => word !== '');
  return words.length === 0 ? code : words.map(wordOf).join(' ');
}

/** What is short and has no vowel is spelt, letter by letter. */
function wordOf(word: string): string {
  const known = spellings.get(word.toLowerCase());
  if (known !== undefined) return known;
  if (word.length <= 4 && !/[aeiouy]/i.test(word)) return word.toUpperCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The names that are known of a courier. */
type KnownNames = { readonly [Name in 'nameCN' | 'nameEN']?: string | null };

/** A courier as a person reads it: its English name, else its Chinese name, else its code in words. */
export const nameOfCourier = (code: string, names: KnownNames = {}): string =>
  names.nameEN ?? names.nameCN ?? courierWords(code);

/** Names couriers by their codes, from a list as far as it has them. */
export function courierNamer(couriers: readonly Courier[]): (code: string) => string {
  const byCode = new Map(couriers.map((courier) => [courier.code.toLowerCase(), courier]));
  return (code) => nameOfCourier(code, byCode.get(code.toLowerCase()));
}

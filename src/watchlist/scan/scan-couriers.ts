import type { Courier } from '../../service/record/record.ts';
import { courierTable } from './data/couriers.ts';
import type { ScanCandidate } from './scanned-number.ts';

/** A courier of our table. */
interface KnownCourier {
  readonly key: string;
  readonly name: string;
  /** Codes under which the service may list it, likeliest first. */
  readonly codes: readonly string[];
  /** Names in small letters. */
  readonly names: readonly string[];
  /** Domains. */
  readonly sites: readonly string[];
  /** ISO 3166-1, of a post; null for others. */
  readonly country: string | null;
}

/** The couriers of a scan, as the service lists them. */
export interface ScanCouriers {
  /** Key of the post of a country; null when it is not known. */
  ofCountry(country: string): string | null;
  /** Key of the courier whose site an address is at; null when it is no courier's. */
  ofHost(host: string): string | null;
  /** Key of the courier that a name means: one that we know, a code or a name in the service's list; null when it means none, or several. */
  ofName(name: string): string | null;
  /** Key of the courier that a code means; null when the service lists no such courier. Without its list, every code means one. */
  ofCode(code: string): string | null;
  /** Keys of the couriers that a line of text speaks of. */
  spokenOf(text: string): readonly string[];
  /** How a courier is called; null for a key that means none. */
  candidate(key: string): ScanCandidate | null;
}

const known: readonly KnownCourier[] = courierTable
  .trim()
  .split('\n')
  .map((row) => {
    const [key = '', name = '', codes = '', names = '', sites = '', country = null] = row.split(' | ');
    return { key, name, codes: codes.split(', '), names: names.split(', '), sites: sites.split(', '), country };
  });

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The words of a text, folded. Most texts are ASCII, which needs no table of all letters. */
const wordsOf = (text: string): readonly string[] =>
  /^[\x00-\x7f]*$/.test(text) ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? []) : folded(text).split(' ');

/** Couriers by the first word of their names. */
const namesByWord = Map.groupBy(
  known.flatMap(({ key, names }) =>
    names.map((name) => {
      const [word = '', ...rest] = folded(name).split(' ');
      return { key, word, rest };
    }),
  ),
  ({ word }) => word,
);

/** Names in scripts that have no blanks between words, or inflect names. */
const easternNames = known.flatMap(({ key, names }) =>
  names.filter((name) => /[\u0400-\uffff]/.test(name)).map((name) => ({ key, name })),
);

/** A key that stands for a courier of the service's list that our table does not have. */
const listedPrefix = 'listed:';

const byKey = new Map(known.map((courier) => [courier.key, courier]));
const byCountry = new Map(known.flatMap(({ country, key }) => (country === null ? [] : [[country, key]])));
const bySite = new Map(known.flatMap(({ key, sites }) => sites.map((site) => [site, key])));
const byName = new Map(
  known.flatMap(({ key, name, names }) => [folded(name), ...names.map(folded)].map((text) => [text, key])),
);

/**
 * Makes {@link ScanCouriers}.
 * @param listed the list of Get Carriers; empty when it is not known
 */
export function createScanCouriers(listed: readonly Courier[]): ScanCouriers {
  const listedByCode = new Map(listed.map((courier) => [courier.code.toLowerCase(), courier]));
  const listedByName = namesOf(listed);

  const listedAs = (courier: KnownCourier): Courier | null => {
    for (const code of courier.codes) {
      const row = listedByCode.get(code);
      if (row !== undefined) return row;
    }
    return listedByName.get(folded(courier.name)) ?? null;
  };
  const candidate = (key: string): ScanCandidate | null => {
    if (key.startsWith(listedPrefix)) {
      const code = key.slice(listedPrefix.length);
      if (listed.length === 0) return { courierCode: code, name: code };
      const row = listedByCode.get(code);
      return row === undefined ? null : { courierCode: row.code, name: row.nameEN ?? row.nameCN ?? row.code };
    }
    const courier = byKey.get(key);
    if (courier === undefined) return null;
    if (listed.length === 0) return { courierCode: courier.codes[0] ?? null, name: courier.name };
    const row = listedAs(courier);
    return { courierCode: row?.code ?? null, name: row?.nameEN ?? courier.name };
  };

  return {
    ofCountry: (country) => byCountry.get(country) ?? null,
    ofHost(host) {
      const labels = host.toLowerCase().replace(/\.$/, '').split('.');
      for (let index = 0; index < labels.length - 1; index += 1) {
        const key = bySite.get(labels.slice(index).join('.'));
        if (key !== undefined) return key;
      }
      return null;
    },
    ofName(name) {
      const wanted = folded(name);
      const key = byName.get(wanted);
      if (key !== undefined) return key;
      const row = listedByCode.get(name.trim().toLowerCase()) ?? listedByName.get(wanted);
      if (row !== undefined) return `${listedPrefix}${row.code.toLowerCase()}`;
      return known.find(({ codes }) => codes.includes(name.trim().toLowerCase()))?.key ?? null;
    },
    ofCode(code) {
      const small = code.toLowerCase();
      if (listed.length === 0 || listedByCode.has(small)) return `${listedPrefix}${small}`;
      return known.find(({ codes }) => codes.includes(small))?.key ?? null;
    },
    spokenOf(text) {
      const words = wordsOf(text);
      const keys: { readonly key: string; readonly length: number }[] = [];
      for (const [index, word] of words.entries()) {
        for (const { key, rest } of namesByWord.get(word) ?? []) {
          if (rest.every((next, offset) => words[index + 1 + offset] === next)) keys.push({ key, length: rest.length });
        }
      }
      const eastern = /[\u0400-\uffff]/.test(text) ? easternNames.filter(({ name }) => text.includes(name)) : [];
      // "DHL Paket" means more than "DHL".
      const ranked = [...eastern.map(({ key }) => ({ key, length: 1 })), ...keys].sort((a, b) => b.length - a.length);
      return [...new Set(ranked.map(({ key }) => key))];
    },
    candidate,
  };
}

/** Names that belong to one courier only. */
function namesOf(listed: readonly Courier[]): ReadonlyMap<string, Courier> {
  const found = new Map<string, Courier | null>();
  for (const courier of listed) {
    for (const name of new Set(
      [courier.nameEN, courier.nameCN].flatMap((text) => (text === null ? [] : [folded(text)])),
    )) {
      if (name !== '') found.set(name, found.has(name) ? null : courier);
    }
  }
  return new Map([...found].flatMap(([name, courier]) => (courier === null ? [] : [[name, courier]])));
}

import type { Courier } from '../service/port.ts';
import { courierTable } from './data/couriers.ts';
import { type ScanCandidate, uniqueCandidates } from './found-number.ts';
import { type FormatMatch, matchFormats } from './number-formats.ts';

interface KnownCourier {
  readonly key: string;
  readonly name: string;
  /** Codes under which the service may list the courier, most likely first. */
  readonly codes: readonly string[];
  readonly names: readonly string[];
  readonly sites: readonly string[];
  /** ISO 3166-1 code if it is a national post, or null. */
  readonly country: string | null;
}

export interface NamedCourier {
  readonly key: string;
  /** Only the key itself, or the keys of all companies that use the brand. */
  readonly keys: readonly string[];
  /** Position in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

const knownCouriers: readonly KnownCourier[] = courierTable
  .trim()
  .split('\n')
  .map((row) => {
    const [key = '', name = '', codes = '', names = '', sites = '', country = null] = row.split(' | ');
    return { key, name, codes: codes.split(', '), names: names.split(', '), sites: sites.split(', '), country };
  });

const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Handles ASCII separately, which is much faster and covers most text. */
function splitWords(text: string) {
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  return [...text.matchAll(isAscii ? /[a-z0-9]+/gi : /[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: isAscii ? word.toLowerCase() : foldText(word),
    from: index,
    to: index + word.length,
  }));
}

/** Brands that several companies use. */
const brands: Readonly<Record<string, readonly string[]>> = {
  dhl: ['dhl', 'dhl_paket', 'dhl_ecommerce', 'dhl_parcel_nl', 'dhl_parcel_uk'],
  dpd: ['dpd', 'dpd_uk', 'dpd_fr'],
  gls: ['gls', 'gls_it', 'gls_spain'],
  inpost_pl: ['inpost_pl', 'inpost_uk', 'inpost_it'],
};

const namesByWord = Map.groupBy(
  knownCouriers.flatMap(({ key, names }) =>
    names.map((name) => {
      const [word = '', ...rest] = foldText(name).split(' ');
      return { key, word, rest };
    }),
  ),
  ({ word }) => word,
);

/** Names in scripts without spaces or in languages that inflect names. They are searched as plain text. */
const nonLatinNames = knownCouriers.flatMap(({ key, names }) =>
  names.filter((name) => /[\u0400-\uffff]/.test(name)).map((name) => ({ key, name })),
);

/** Prefix of the keys of couriers that are identified by their code on the service's list. */
const listedPrefix = 'listed:';

const byKey = new Map(knownCouriers.map((courier) => [courier.key, courier]));
const byCountry = new Map(knownCouriers.flatMap(({ country, key }) => (country === null ? [] : [[country, key]])));
const bySite = new Map(knownCouriers.flatMap(({ key, sites }) => sites.map((site) => [site, key])));
const byName = new Map(
  knownCouriers.flatMap(({ key, name, names }) => [foldText(name), ...names.map(foldText)].map((text) => [text, key])),
);

export type ScanCouriers = ReturnType<typeof createScanCouriers>;

export function createScanCouriers(listed: readonly Courier[]) {
  const listedByCode = new Map(listed.map((courier) => [courier.code.toLowerCase(), courier]));
  const listedByName = indexByName(listed);

  const findListed = (courier: KnownCourier): Courier | null => {
    for (const code of courier.codes) {
      const row = listedByCode.get(code);
      if (row !== undefined) return row;
    }
    return listedByName.get(foldText(courier.name)) ?? null;
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
    const row = findListed(courier);
    return { courierCode: row?.code ?? null, name: row?.nameEN ?? courier.name };
  };

  return {
    /**
     * Returns the key of a courier by its name, or by a code or name on the service's list. Null unless exactly one
     * matches.
     */
    keyForName(name: string): string | null {
      const text = foldText(name);
      const key = byName.get(text);
      if (key !== undefined) return key;
      const row = listedByCode.get(name.trim().toLowerCase()) ?? listedByName.get(text);
      if (row !== undefined) return `${listedPrefix}${row.code.toLowerCase()}`;
      return knownCouriers.find(({ codes }) => codes.includes(name.trim().toLowerCase()))?.key ?? null;
    },
    /** Returns null if the service does not list the courier. Accepts every code if there is no list. */
    keyForCode(code: string): string | null {
      const lowerCode = code.toLowerCase();
      if (listed.length === 0 || listedByCode.has(lowerCode)) return `${listedPrefix}${lowerCode}`;
      return knownCouriers.find(({ codes }) => codes.includes(lowerCode))?.key ?? null;
    },
    candidate,
    codeForKey: (key: string): string | null => candidate(key)?.courierCode ?? null,
  };
}

/** Returns the key of the courier that a host belongs to, or null. */
export function courierFromHost(host: string): string | null {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  const sites = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  return sites.flatMap((site) => bySite.get(site) ?? [])[0] ?? null;
}

/** Returns the couriers that a text names, in order of appearance. "DHL Paket" does not also name "DHL". */
export function findNamedCouriers(text: string): readonly NamedCourier[] {
  const words = splitWords(text);
  const matches: NamedCourier[] = [];
  for (const [index, { from, to, word }] of words.entries()) {
    for (const { key, rest } of namesByWord.get(word) ?? []) {
      if (!rest.every((next, offset) => words[index + 1 + offset]?.word === next)) continue;
      const keys = rest.length === 0 ? (brands[key] ?? [key]) : [key];
      matches.push({ key, keys, from, to: words[index + rest.length]?.to ?? to });
    }
  }
  if (/[\u0400-\uffff]/.test(text)) {
    for (const { key, name } of nonLatinNames) {
      const from = text.indexOf(name);
      if (from !== -1) matches.push({ key, keys: [key], from, to: from + name.length });
    }
  }
  return matches
    .filter((courier) => !matches.some((other) => nameLength(other) > nameLength(courier) && contains(other, courier)))
    .sort((a, b) => a.from - b.from);
}

const nameLength = ({ from, to }: NamedCourier): number => to - from;
const contains = (outer: NamedCourier, inner: NamedCourier): boolean =>
  outer.from <= inner.from && outer.to >= inner.to;

function indexByName(listed: readonly Courier[]): ReadonlyMap<string, Courier> {
  const couriersByName = new Map<string, Courier | null>();
  for (const courier of listed) {
    for (const name of new Set(
      [courier.nameEN, courier.nameCN].flatMap((text) => (text === null ? [] : [foldText(text)])),
    )) {
      if (name !== '') couriersByName.set(name, couriersByName.has(name) ? null : courier);
    }
  }
  return new Map([...couriersByName].flatMap(([name, courier]) => (courier === null ? [] : [[name, courier]])));
}

/** Couriers that share the postal numbers of their country's national post. */
const secondPosts: Readonly<Record<string, readonly string[]>> = {
  CN: ['china_ems'],
  DE: ['dhl_paket'],
  GB: ['parcelforce'],
};

export function couriersForFormats(matches: readonly FormatMatch[]): readonly string[] {
  const keys = matches.flatMap(({ country, courier, trackNo }) => {
    if (country === null) return [courier];
    const posts = [byCountry.get(country) ?? [], secondPosts[country] ?? []].flat();
    return trackNo.startsWith('E') && country === 'CN' ? posts.toReversed() : posts;
  });
  return [...new Set(keys)];
}

export const createCandidates = (couriers: ScanCouriers, keys: readonly string[]): readonly ScanCandidate[] =>
  uniqueCandidates(keys.flatMap((key) => couriers.candidate(key) ?? []));

/** Formats that belong to other couriers but are often used for parcels shipped with Cainiao. */
const cainiaoFormats = /^(?:LP|JJD)/;

/**
 * Returns the codes of the couriers with a matching format, most likely first.
 * @param listed the couriers from Get Carriers; if empty, the usual codes are returned
 */
export function likelyCouriers(trackNo: string, listed: readonly Courier[] = []): readonly string[] {
  const couriers = createScanCouriers(listed);
  const formatKeys = couriersForFormats(matchFormats(trackNo));
  const keys = cainiaoFormats.test(trackNo) ? ['cainiao', ...formatKeys] : formatKeys;
  return [...new Set(keys.flatMap((key) => couriers.codeForKey(key) ?? []))];
}

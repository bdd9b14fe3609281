import { cleanText } from '../../lib/clean-text.ts';
import { counted } from '../../lib/text.ts';
import { isCourierCode, trackNoForm } from '../../lib/track-number.ts';
import { couriersForFormats, createScanCouriers, findNamedCouriers } from '../../scan/couriers.ts';
import { matchFormats } from '../../scan/number-formats.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CourierLookup } from '../couriers.ts';
import { placeList } from './cells-and-lines.ts';

/** Maps 17TRACK's most common keys to our own courier keys. */
const carrierKeys: Readonly<Record<string, string>> = {
  3011: 'china_post',
  3013: 'china_ems',
  7041: 'dhl_paket',
  21051: 'usps',
  100001: 'dhl',
  100002: 'ups',
  100003: 'fedex',
  100005: 'gls',
};
const carrierKey = /^\d{4,6}$/;

export type ImportCouriers = ReturnType<typeof createImportCouriers>;

/**
 * Like `CourierLookup.resolve`, but also knows the codes, keys and names that other trackers use. If several couriers
 * share a name, the format of the number decides. If that does not help either, the service detects the courier.
 * @param isOurs whether this program wrote the file, so that an unknown courier is an error
 */
export function createImportCouriers(
  { list, resolve }: CourierLookup,
  isOurs: boolean,
  courierMap: ReadonlyMap<string, string>,
) {
  const couriers = list?.couriers ?? [];
  const known = createScanCouriers(couriers);
  const codes = new Set(couriers.map(({ code }) => code));
  const listedCodes = new Set(couriers.map(({ code }) => code.toLowerCase()));
  const unresolved = new Map<string, { readonly why: string; readonly places: string[] }>();
  const families = new Map<string, readonly string[]>();
  const findFamily = (text: string): readonly string[] => {
    const family =
      families.get(text) ?? couriers.filter(({ nameEN }) => startsWithName(nameEN ?? '', text)).map(({ code }) => code);
    families.set(text, family);
    return family;
  };
  const isCourierName = (text: string): boolean =>
    couriers.some(({ nameCN, nameEN }) => [nameCN, nameEN].some((name) => fold(name ?? '') === fold(text)));
  /** Throws a `UsageError` if several couriers have the name. */
  const findCode = (text: string): string | null => {
    const key = known.keyForName(text);
    const tableCode = (key === null ? null : known.candidate(key)?.courierCode) ?? null;
    if (couriers.length === 0) return tableCode ?? (isLowerCaseCode(text) ? text : null);
    const code =
      isCourierName(text) || listedCodes.has(text.toLowerCase()) ? resolve(text) : (tableCode ?? resolve(text));
    return listedCodes.has(code.toLowerCase()) ? code : null;
  };
  /** Returns the code if the text mentions exactly one of these couriers, as in "UPS Standard" and "DPD Germany". */
  const findMentionedCode = (text: string, keys: readonly string[]): string | null => {
    const inText = new Set(findNamedCouriers(text).flatMap((found) => found.keys));
    const [only, ...others] = keys.filter((key) => inText.has(key));
    return only === undefined || others.length > 0 ? null : (known.candidate(only)?.courierCode ?? null);
  };
  const readCourier = (text: string, trackNo: string): { readonly code: string } | { readonly why: string } => {
    if (carrierKey.test(text)) {
      const key = carrierKeys[text];
      const code = key === undefined ? null : known.candidate(key)?.courierCode;
      return code == null ? { why: 'is an unknown courier key' } : { code };
    }
    const keys = couriersForFormats(matchFormats(trackNoForm(trackNo)));
    const fitting = keys.flatMap((key) => known.candidate(key) ?? []);
    const family = findFamily(text);
    const candidate = fitting.find(
      ({ courierCode, name }) => courierCode !== null && (startsWithName(name, text) || family.includes(courierCode)),
    );
    if (candidate?.courierCode != null) return { code: candidate.courierCode };
    const ambiguous = (names: readonly string[]) => ({
      why: `is ambiguous: it matches several couriers (${names.slice(0, 5).join(', ')})`,
    });
    if (family.length > 1 && !isCourierName(text)) return ambiguous(family);
    try {
      const code = findCode(text) ?? findMentionedCode(text, keys);
      return code === null ? { why: unknownReason } : { code };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { why: 'matches several couriers' };
    }
  };
  return {
    resolve: (cell: string, trackNo: string, place: string): string | null => {
      const text = cell.trim();
      const mappedCode = courierMap.get(fold(text));
      if (mappedCode !== undefined) return mappedCode;
      // Without a list, a code cannot be looked up.
      const isCode = couriers.length === 0 && isLowerCaseCode(text);
      if (text === '' || codes.has(text) || isCode) return isCode ? resolve(text) : text;
      const reading = readCourier(text, trackNo);
      if ('code' in reading) return reading.code;
      if (isOurs && reading.why === unknownReason) return resolve(text);
      const entry = unresolved.get(text) ?? { why: reading.why, places: [] };
      entry.places.push(place);
      unresolved.set(text, entry);
      return null;
    },
    /** Returns the mapped code or the text itself, or null for an unknown courier. */
    codeOrText: (cell: string): string | null => {
      const text = cell.trim();
      const reading = codes.has(text) ? { code: text } : readCourier(text, '');
      return courierMap.get(fold(text)) ?? ('why' in reading && reading.why === unknownReason ? null : cell);
    },
    unresolvedMessages: (): readonly string[] =>
      [...unresolved].map(([text, { places, why }]) => {
        const name = cleanText(text).slice(0, 40);
        const advice = why === unknownReason ? ` To set it, use --map-courier "${name}=CODE".` : '';
        return `${counted(places.length, 'row')}: courier "${name}" ${why}, so the service will detect the courier (${placeList(places)}).${advice}`;
      }),
  };
}

const isLowerCaseCode = (text: string): boolean =>
  text === text.toLowerCase() && isCourierCode(text) && !carrierKey.test(text);

const unknownReason = 'is not known';

/** Parses `NAME=CODE` pairs. The codes are not checked. Throws a {@link UsageError} for an invalid or repeated pair. */
export function readCourierMap(
  texts: readonly string[],
  { resolve }: Pick<CourierLookup, 'resolve'>,
): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const [name, courier] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
    if (name === '' || courier === '') {
      throw new UsageError(
        `"${cleanText(text)}" is not a valid pair. --map-courier takes NAME=CODE, such as AMZN_DE=amazon-logistics.`,
      );
    }
    const before = map.get(fold(name));
    if (before !== undefined) {
      throw new UsageError(`--map-courier maps "${cleanText(name)}" twice. Give each name only one courier.`);
    }
    map.set(fold(name), resolve(courier));
  }
  return map;
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

function startsWithName(name: string, text: string): boolean {
  const foldedName = fold(name);
  const query = fold(text);
  return foldedName === query || foldedName.startsWith(`${query} `);
}

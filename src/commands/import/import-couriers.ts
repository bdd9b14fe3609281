import { cleanText } from '../../service/text/clean-text.ts';
import { trackNoForm } from '../../service/text/track-number.ts';
import type { CourierNames } from '../input/courier-lookup.ts';

/** The keys of carriers in the files and answers of 17TRACK, with our keys of couriers; the commonest only. */
const carrierKeys: ReadonlyMap<string, string> = new Map([
  ['3011', 'china_post'],
  ['3013', 'china_ems'],
  ['7041', 'dhl_paket'],
  ['21051', 'usps'],
  ['100001', 'dhl'],
  ['100002', 'ups'],
  ['100003', 'fedex'],
  ['100005', 'gls'],
]);
const carrierKey = /^\d{4,6}$/;

/** What the texts of a file mean for couriers. */
export interface ImportCouriers {
  /** The courier code of a number; null where the service is to find it. */
  readonly meant: (text: string, trackNo: string) => string | null;
  /** A sentence for each text that leaves the courier open. */
  readonly leftOpen: () => readonly string[];
}

/**
 * As `CourierNames.meant`, and with the codes, keys and names by which other trackers call couriers. Where a name is that
 * of several couriers, as of all of a group, the formats of the number decide; where these don't, it stays open.
 */
export async function openImportCouriers({ list, meant }: CourierNames): Promise<ImportCouriers> {
  const couriers = list?.couriers ?? [];
  const [{ createScanCouriers }, { fittingCouriers }, { knownFormats }] = await Promise.all([
    import('../../watchlist/scan/scan-couriers.ts'),
    import('../../watchlist/scan/fitting-couriers.ts'),
    import('../../watchlist/scan/match-formats.ts'),
  ]);
  const known = createScanCouriers(couriers);
  const codes = new Set(couriers.map(({ code }) => code));
  const listedCodes = new Set(couriers.map(({ code }) => code.toLowerCase()));
  const open = new Map<string, { readonly why: string; count: number }>();
  const leaveOpen = (text: string, why: string): null => {
    const entry = open.get(text) ?? { why, count: 0 };
    entry.count += 1;
    open.set(text, entry);
    return null;
  };
  const families = new Map<string, readonly string[]>();
  const familyOf = (text: string): readonly string[] => {
    const family =
      families.get(text) ?? couriers.filter(({ nameEN }) => begins(nameEN ?? '', text)).map(({ code }) => code);
    families.set(text, family);
    return family;
  };
  const listedCode = (text: string, isNamed: boolean): string => {
    if (couriers.length === 0 || isNamed || listedCodes.has(text.toLowerCase())) return meant(text);
    const key = known.ofName(text);
    return (key === null ? null : known.candidate(key)?.courierCode) ?? meant(text);
  };
  return {
    meant: (given, trackNo) => {
      const text = given.trim();
      if (text === '' || codes.has(text)) return text;
      if (carrierKey.test(text)) {
        const key = carrierKeys.get(text);
        const code = key === undefined ? null : known.candidate(key)?.courierCode;
        return code ?? leaveOpen(text, 'is no key of a courier that is known here');
      }
      // A code without a list to look it up in.
      if (couriers.length === 0 && text === text.toLowerCase()) return meant(text);
      const fitting = fittingCouriers(known, knownFormats.match(trackNoForm(trackNo))).flatMap(
        (key) => known.candidate(key) ?? [],
      );
      const family = familyOf(text);
      const found = fitting.find(
        ({ courierCode, name }) => courierCode !== null && (begins(name, text) || family.includes(courierCode)),
      );
      if (found !== undefined) return found.courierCode;
      const isNamed = couriers.some(({ nameCN, nameEN }) =>
        [nameCN, nameEN].some((name) => fold(name ?? '') === fold(text)),
      );
      if (family.length < 2 || isNamed) return listedCode(text, isNamed);
      return leaveOpen(text, `is the name of several couriers (${family.slice(0, 5).join(', ')})`);
    },
    leftOpen: () =>
      [...open].map(
        ([text, { count, why }]) =>
          `"${cleanText(text).slice(0, 40)}" ${why}: ${count === 1 ? 'for 1 number' : `for ${count} numbers`} the service is left to find which.`,
      ),
  };
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/** Whether a name is a text, or that and more words. */
function begins(name: string, text: string): boolean {
  const whole = fold(name);
  const wanted = fold(text);
  return whole === wanted || whole.startsWith(`${wanted} `);
}

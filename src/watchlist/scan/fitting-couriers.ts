import type { FormatMatch } from './match-formats.ts';
import type { ScanCouriers } from './scan-couriers.ts';

/** Second posts of countries, by the country of a postal number. */
const alsoOf: Readonly<Record<string, readonly string[]>> = {
  CN: ['china_ems'],
  DE: ['dhl_paket'],
  GB: ['parcelforce'],
};

/** Keys of the couriers whose formats a number has, likeliest first. */
export function fittingCouriers(couriers: ScanCouriers, matches: readonly FormatMatch[]): readonly string[] {
  const keys = matches.flatMap(({ country, courier, trackNo }) => {
    if (country === null) return [courier];
    const posts = [couriers.ofCountry(country) ?? [], alsoOf[country] ?? []].flat();
    return trackNo.startsWith('E') && country === 'CN' ? posts.toReversed() : posts;
  });
  return [...new Set(keys)];
}

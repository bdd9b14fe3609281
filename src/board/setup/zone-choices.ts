import type { EpochMs } from '../../service/clock/clock.ts';
import { formatOffset } from '../../service/clock/utc-offset.ts';
import { Zone } from '../../service/clock/zone.ts';
import { fold } from '../text/fold.ts';
import type { SetupChoice } from './choice-lines.ts';
import type { SetupNow } from './setup-effects.ts';

/** Most zones that are listed; who looks for another one types more of it. */
const mostZones = 40;

/** All zones by name, as this Node knows them. */
export const allZones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);

/** How well a zone matches, the best with 0: its city begins so, then a word of it, then anywhere; null when it does not. */
function rankOf(zone: string, wanted: string): number | null {
  const text = fold(zone.replaceAll(/[/_-]/g, ' '));
  if (fold(cityOf(zone).replaceAll(/[_-]/g, ' ')).startsWith(wanted)) return 0;
  if (` ${text}`.includes(` ${wanted}`)) return 1;
  return text.includes(wanted) ? 2 : null;
}

/** The zones that a text may mean, best first; without a text the one that holds, the machine's, and UTC. */
export function matchingZones(query: string, now: SetupNow | null, zones: readonly string[]): readonly string[] {
  const wanted = fold(query.replaceAll(/[/_-]/g, ' ')).trim();
  const suggested = now === null ? [] : [now.zone, now.machineZone];
  if (wanted === '') return [...new Set([...suggested, 'UTC'])];
  if (wanted === 'local') return now === null ? [] : [now.machineZone];
  const named = zones
    .map((zone) => ({ zone, rank: rankOf(zone, wanted) }))
    .filter(({ rank }) => rank !== null)
    // Of two that begin alike, more people mean the shorter one: London, not Longyearbyen.
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || cityOf(a.zone).length - cityOf(b.zone).length)
    .slice(0, mostZones)
    .map(({ zone }) => zone);
  // Two capital letters are a country; two small ones are more often the beginning of a city.
  const ofCountry = /^[A-Z]{2}$/.test(query.trim()) || named.length === 0 ? zonesOfCountry(wanted) : [];
  return [...new Set([...ofCountry, ...named])].slice(0, mostZones);
}

/** What is said when a text means no zone. */
export const unknownZoneText =
  'There is no zone of that name. Known are large cities (Berlin, New York), regions (Europe), countries (Germany, DE), UTC and local.';

/** The zones of a country, by its code or its English name or the beginning of it; empty where none is meant, or this Node does not know. */
export function zonesOfCountry(wanted: string): readonly string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const meant = countryCodes().filter((code) => {
    const name = names.of(code);
    return code.toLowerCase() === wanted || (wanted.length > 2 && name !== undefined && fold(name).startsWith(wanted));
  });
  return [...new Set(meant.flatMap(zonesIn))];
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countryCodes = (): readonly string[] => letters.flatMap((first) => letters.map((second) => first + second));

/** A part of `Intl` that TypeScript does not know yet, and older runtimes have as a property. */
interface LocaleWithZones {
  getTimeZones?(): readonly string[] | undefined;
}

function zonesIn(code: string): readonly string[] {
  const locale: Intl.Locale & LocaleWithZones = new Intl.Locale('und', { region: code });
  return locale.getTimeZones?.() ?? [];
}

/** Zones as choices, with the time that it is there. */
export function zoneChoices(zones: readonly string[], now: SetupNow | null, at: EpochMs): readonly SetupChoice[] {
  return zones.map((zone) => {
    const why = [
      ...(now?.zone === zone ? ['in use'] : []),
      ...(now?.machineZone === zone ? ["this machine's"] : []),
    ].join(', ');
    return {
      id: zone,
      title: `${zone}  ${timeIn(zone, at)}${why === '' ? '' : `  (${why})`}`,
      details: [],
      unusable: null,
    };
  });
}

/** The time of day in a zone, with its offset from UTC. */
function timeIn(name: string, at: EpochMs): string {
  const zone = new Zone(name);
  const time = new Date(zone.wallTime(at)).toISOString().slice(11, 16);
  return `${time} UTC${formatOffset(zone.offsetAt(at) / 60_000)}`;
}

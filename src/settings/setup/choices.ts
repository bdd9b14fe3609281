import type { EpochMs } from '../../lib/clock.ts';
import { formatOffset, Zone } from '../../lib/date-time.ts';
import { counted, fold } from '../../lib/text.ts';
import {
  isHeaderName,
  isKeyText,
  isSameAddress,
  parseBaseUrl,
  UnusableBaseUrlError,
} from '../../service/connection.ts';
import { knownProfile, profiles } from '../service-address.ts';
import type { CurrentSetup, ServiceChoice, SettingOrigin, SetupChoice } from './board-setup.ts';

/** Ids of choices other than known services. */
export const otherAddressId = 'other address';
export const sandboxId = 'sandbox';

/** Returns the services to choose from: the known ones, a custom address and the sandbox. */
export function serviceChoices(active: CurrentSetup | null): readonly SetupChoice[] {
  const current = active?.service ?? null;
  return [
    ...profiles.map(({ name, page, profile }): SetupChoice => {
      const place = current?.kind === 'profile' && current.profile === profile ? [`Currently: ${current.place}.`] : [];
      return { id: profile, title: `${name}, the public service`, details: [...place, page], unusable: null };
    }),
    {
      id: otherAddressId,
      title: 'Another address',
      details: [
        ...(current?.kind === 'base-url' ? [`${current.baseUrl}, currently: ${current.place}.`] : []),
        'Your own server, or a sandbox.',
      ],
      unusable: null,
    },
    {
      id: sandboxId,
      title: 'The sandbox, to look around first',
      details: ['Sample parcels, no account, no network. Your own data is not touched.'],
      unusable: null,
    },
  ];
}

export function serviceChoiceId(service: ServiceChoice | null): string | null {
  return service?.kind === 'profile' ? service.profile : service && otherAddressId;
}

/** How a typed address was understood, or a sentence that says why it is not valid. */
type TypedAddress =
  | { readonly kind: 'address'; readonly baseUrl: string }
  | { readonly kind: 'known'; readonly profile: string }
  | {
      readonly kind: 'unusable';
      readonly problem: string;
      /** The most likely value; null if unknown. */
      readonly proposal: string | null;
    };

/** Reads a typed address. The address of a known service selects that service, with its header. */
export function readAddress(text: string): TypedAddress {
  const proposal = proposalFor(text.trim());
  if (proposal !== null) {
    return { kind: 'unusable', problem: `Did you mean ${proposal}? Press Enter to use it.`, proposal };
  }
  try {
    const baseUrl = parseBaseUrl(text).href;
    const known = profiles.find((service) => isSameAddress(service.baseUrl, baseUrl));
    return known === undefined ? { kind: 'address', baseUrl } : { kind: 'known', profile: known.profile };
  } catch (error) {
    if (!(error instanceof UnusableBaseUrlError)) throw error;
    return { kind: 'unusable', problem: error.message, proposal: null };
  }
}

/** The service's own paths, which do not belong to the base URL. */
const servicePath = /\/tk(?:\/v\d[^?#]*)?\/?$/i;
const thisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/i;
/** A host without a scheme, but with a dot or port, because a single word is not an address. */
const bareHost = /^(?:[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d)|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/|$)/i;

/**
 * Adds a missing scheme and removes the service's paths. Returns null if nothing changes or the text is not an address.
 */
function proposalFor(text: string): string | null {
  const isBare = bareHost.test(text) || thisMachine.test(text);
  const withScheme = isBare ? `${thisMachine.test(text) ? 'http' : 'https'}://${text}` : text;
  const proposed = withScheme.replace(servicePath, '');
  if (proposed === text) return null;
  try {
    return parseBaseUrl(proposed).href.replace(/\/$/, '');
  } catch (error) {
    if (error instanceof UnusableBaseUrlError) return null;
    throw error;
  }
}

export function headerProblem(text: string): string | null {
  if (isHeaderName(text)) return null;
  return 'That is not a valid header name: use letters, digits and hyphens, no spaces, no colon.';
}

export function serviceText(choice: ServiceChoice): string {
  if (choice.kind === 'base-url') return choice.baseUrl.replace(/\/$/, '');
  return knownProfile(choice.profile)?.name ?? choice.profile;
}

/**
 * Returns the possible sources of a service's key: the current key, a typed key, and a command that prints it. The id
 * of each is the kind of its `KeySource`. A current key that belongs to a different address comes last, with the host
 * that would receive it.
 */
export function keyChoices(active: CurrentSetup | null, service: ServiceChoice | null): readonly SetupChoice[] {
  const current = active?.key ?? null;
  const isForService = isKeyFor(service, active);
  const warning = isForService
    ? []
    : [`This key belongs to another address. Press Enter to send it to ${hostText(service)} anyway.`];
  const present =
    current === null
      ? []
      : [{ id: 'present', title: 'The current key', details: [`${current.place}.`, ...warning], unusable: null }];
  return [
    ...(isForService ? present : []),
    {
      id: 'entered',
      title: current === null ? 'Paste or type the key' : 'Another key',
      details: ['It is not shown.'],
      unusable: null,
    },
    {
      id: 'command',
      title: 'A command that prints it',
      details: [
        'Such as "pass show parcels/key", "op read op://VAULT/ITEM/FIELD" or "bw get password ITEM"; it runs without a shell.',
      ],
      unusable: null,
    },
    ...(isForService ? [] : present),
  ];
}

export function hostText(service: ServiceChoice | null): string {
  if (service === null) return 'the service';
  return service.kind === 'profile' ? service.profile : (URL.parse(service.baseUrl)?.host ?? service.baseUrl);
}

/**
 * Whether the current key may be sent to a service without asking the user: it was set for this address, or for none. A
 * profile and an address count as different, although they may be the same service.
 */
export function isKeyFor(service: ServiceChoice | null, active: CurrentSetup | null): boolean {
  const current = active?.service ?? null;
  if (service === null || current === null) return true;
  if (service.kind === 'profile') return current.kind === 'profile' && current.profile === service.profile;
  return current.kind === 'base-url' && isSameAddress(current.baseUrl, service.baseUrl);
}

/** Returns what is wrong with an entered key, as a sentence that does not repeat it, or null if it can be sent. */
export function keyProblem(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'Paste or type the key first, or press Tab to continue without one.';
  if (/\s/.test(key)) return 'A key has no spaces. Copy only the key, without its name (Ctrl+U clears the line).';
  if (!isKeyText(key)) return 'A key can contain only ASCII characters. Ctrl+U clears the line.';
  return null;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Replaces each character of a secret with a dot, so that the user sees that something was typed. */
export const maskSecret = (secret: string): string => '•'.repeat([...graphemes.segment(secret)].length);

export const lengthText = (secret: string): string =>
  counted([...graphemes.segment(secret.trim())].length, 'character');

/** Returns a warning if a setting overrides the one to be saved, or null. */
export function overrideWarning(current: SettingOrigin | null, what: string): string | null {
  if (current === null || !current.overridesFile) return null;
  return `${current.place} overrides what you save here. Remove it to use ${what}.`;
}

export function isSameService(a: ServiceChoice | null, b: ServiceChoice | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'profile') return b.kind === 'profile' && b.profile === a.profile;
  return b.kind === 'base-url' && isSameAddress(b.baseUrl, a.baseUrl) && b.header === a.header;
}

/** Maximum number of zones in the list. The user types more to narrow it down. */
const maxZones = 40;

export const allZones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

const cityName = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);

/**
 * Ranks a match, best first: the city begins with the text (0), another word does (1), the text is anywhere (2). Null
 * if it does not match.
 */
function matchRank(zone: string, query: string): number | null {
  const text = fold(zone.replaceAll(/[/_-]/g, ' '));
  if (fold(cityName(zone).replaceAll(/[_-]/g, ' ')).startsWith(query)) return 0;
  if (` ${text}`.includes(` ${query}`)) return 1;
  return text.includes(query) ? 2 : null;
}

/**
 * Returns the zones that match a query, best first. For an empty query, returns the current zone, the machine's, and
 * UTC.
 */
export function matchingZones(query: string, active: CurrentSetup | null, zones: readonly string[]): readonly string[] {
  const search = fold(query.replaceAll(/[/_-]/g, ' ')).trim();
  const suggested = active === null ? [] : [active.zone, active.machineZone];
  if (search === '') return [...new Set([...suggested, 'UTC'])];
  if (search === 'local') return active === null ? [] : [active.machineZone];
  const matches = zones
    .map((zone) => ({ zone, rank: matchRank(zone, search) }))
    .filter(({ rank }) => rank !== null)
    // Of two matches, the shorter one is more likely: London, not Longyearbyen.
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || cityName(a.zone).length - cityName(b.zone).length)
    .slice(0, maxZones)
    .map(({ zone }) => zone);
  // Two capital letters are a country code. Two small letters are more often the beginning of a city's name.
  const countryZones = /^[A-Z]{2}$/.test(query.trim()) || matches.length === 0 ? findCountryZones(search) : [];
  return [...new Set([...countryZones, ...matches])].slice(0, maxZones);
}

export const unknownZoneText =
  'There is no zone with that name. Use a large city (Berlin, New York), a region (Europe), a country (Germany, DE), UTC or local.';

/**
 * Finds a country's zones by its code or the beginning of its English name. Empty if there is no such country, or if
 * this version of Node does not know its zones.
 */
function findCountryZones(query: string): readonly string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const matches = countryCodes().filter((code) => {
    const name = names.of(code);
    return code.toLowerCase() === query || (query.length > 2 && name !== undefined && fold(name).startsWith(query));
  });
  return [...new Set(matches.flatMap(zonesIn))];
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countryCodes = (): readonly string[] => letters.flatMap((first) => letters.map((second) => first + second));

/** A method that TypeScript's types lack. Older runtimes have a `timeZones` property instead. */
interface LocaleWithZones {
  getTimeZones?(): readonly string[] | undefined;
}

function zonesIn(code: string): readonly string[] {
  const locale: Intl.Locale & LocaleWithZones = new Intl.Locale('und', { region: code });
  return locale.getTimeZones?.() ?? [];
}

export function zoneChoices(
  zones: readonly string[],
  active: CurrentSetup | null,
  at: EpochMs,
): readonly SetupChoice[] {
  return zones.map((zone) => {
    const notes = [
      ...(active?.zone === zone ? ['in use'] : []),
      ...(active?.machineZone === zone ? ["this machine's"] : []),
    ].join(', ');
    return {
      id: zone,
      title: `${zone}  ${timeIn(zone, at)}${notes === '' ? '' : `  (${notes})`}`,
      details: [],
      unusable: null,
    };
  });
}

function timeIn(name: string, at: EpochMs): string {
  const zone = new Zone(name);
  const time = new Date(zone.wallTime(at)).toISOString().slice(11, 16);
  return `${time} UTC${formatOffset(zone.offsetAt(at) / 60_000)}`;
}

import { nearestWord } from '../lib/text.ts';
import { defaultKeyHeader, defaultOperations, type OperationName } from '../service/port.ts';
import { UsageError } from './errors.ts';
import type { KnownService } from './setup/effects.ts';

/** What of a value is not shown to whoever looks over a shoulder. */
export type Hidden =
  /** The API key, which is never printed at all. */
  | 'key'
  /** Postal codes, digits of phone numbers, and an address that is not to get around. */
  | 'personal'
  /** Arguments of a program, which may hold secrets; its name is shown. */
  | 'arguments'
  /** A password in an address. */
  | 'password';

/** What there is to say about a setting. */
export interface SettingDescription {
  /** What it is for, as a sentence without its full stop. */
  readonly about: string;
  /** The value that holds where nothing is set; left out where there is none. */
  readonly usual?: string | number | boolean | readonly string[];
  /** What holds where nothing is set, in words, where that is no value. */
  readonly otherwise?: string;
  /** The option of the command line that outranks it. */
  readonly option?: '--base-url' | '--profile' | '--store' | '--zone';
  /** The variable of the environment that outranks it. */
  readonly variable?: string;
  readonly hidden?: Hidden;
  /**
   * The secret that goes where the setting says. While somebody else can write the file, such a setting of it is not used:
   * the secret would go where they want it.
   */
  readonly leads?: 'API key' | 'password';
  /** Values that can be used as they are, for the schema and for help. */
  readonly examples?: readonly unknown[];
}

const operationParts = {
  method: 'HTTP method of the operation',
  path: 'Path of the operation below the base URL',
  batchLimit: 'Most numbers in one call',
  callsPerSecond: 'Most calls a second',
} as const;

const operationSettings = Object.fromEntries(
  (Object.keys(defaultOperations) as OperationName[]).flatMap((name) =>
    (Object.keys(operationParts) as (keyof typeof operationParts)[]).map((part) => [
      `service.operations.${name}.${part}`,
      {
        about: `${defaultOperations[name].title}: ${operationParts[part]}`,
        usual: defaultOperations[name][part],
        ...(part === 'path' ? ({ leads: 'API key' } as const) : {}),
      },
    ]),
  ),
);

/** Every setting of `config.json` by its name with dots; `*` stands for any courier code. */
export const settingTable: Readonly<Record<string, SettingDescription>> = {
  $schema: { about: 'The schema by which editors check and complete this file' },
  baseUrl: {
    about: "Address of the service's gateway; outranks profile",
    option: '--base-url',
    variable: 'PARCEL_MONITOR_BASE_URL',
    examples: ['https://host/path'],
    leads: 'API key',
  },
  profile: {
    about: 'A known deployment of the service',
    option: '--profile',
    variable: 'PARCEL_MONITOR_PROFILE',
    examples: ['track123'],
    leads: 'API key',
  },
  apiKey: { about: 'The API key; outranks apiKeyFile', variable: 'PARCEL_MONITOR_API_KEY', hidden: 'key' },
  apiKeyFile: {
    about: 'A file that holds the API key and nothing else, relative to this one; outranks apiKeyCommand',
    examples: ['api-key'],
  },
  apiKeyCommand: {
    about: 'A program that prints the API key; no shell reads it',
    hidden: 'arguments',
    examples: [['pass', 'show', 'parcel-monitor']],
  },
  store: {
    about: 'Where the watchlist is: "file", or the address of a PostgreSQL database that several machines share',
    usual: 'file',
    option: '--store',
    variable: 'PARCEL_MONITOR_STORE',
    hidden: 'password',
    examples: ['file', 'postgres://user@host/database'],
    leads: 'password',
  },
  storeAccount: {
    about: 'Which of the watchlists in the database is yours; made when there is none of this name',
    otherwise: 'default, or the only one there is',
    variable: 'PARCEL_MONITOR_STORE_ACCOUNT',
    examples: ['home'],
  },
  storePasswordCommand: {
    about:
      "A program that prints the database's password; no shell reads it. PGPASSWORD outranks it, it outranks a passfile",
    hidden: 'arguments',
    examples: [['pass', 'show', 'parcels-database']],
  },
  zone: {
    about: 'Your time zone',
    otherwise: "the machine's",
    option: '--zone',
    variable: 'PARCEL_MONITOR_ZONE',
    examples: ['Europe/Berlin', 'utc', 'local'],
  },
  lang: {
    about: 'Language into which instant answers are translated',
    otherwise: 'as couriers write',
    examples: ['en', 'de', 'zh'],
  },
  title: { about: "Whether the title of the terminal's window says what matters", usual: true },
  keepScreen: { about: 'Whether the board is shown as it was left while the program loads', usual: true },
  'service.header': {
    about: 'Header that carries the API key',
    usual: defaultKeyHeader,
    variable: 'PARCEL_MONITOR_API_HEADER',
    leads: 'API key',
  },
  'service.clock': {
    about: "Time zone of the service's clock, or its offset from UTC",
    otherwise: 'measured',
    variable: 'PARCEL_MONITOR_CLOCK',
    examples: ['+08:00', 'Asia/Shanghai'],
  },
  'service.queryVersion': { about: 'Version of the operation that queries', usual: 'v2.1' },
  'service.registerVersion': { about: 'Version of the operation that registers', usual: 'v2' },
  'service.timeoutSeconds': { about: 'How long a call may take, in seconds', usual: 10 },
  ...operationSettings,
  'budget.queriesPerDay': { about: 'Most queries a day (UTC)', otherwise: 'no limit', examples: [2000] },
  'budget.registrationsPerMonth': { about: 'Most registrations a month (UTC)', otherwise: 'no limit', examples: [100] },
  'polling.leastMinutes': {
    about: 'Least time between two automatic queries of one number, in minutes; 0 for none',
    usual: 5,
    variable: 'PARCEL_MONITOR_LEAST_MINUTES',
    examples: [0.5, 15],
  },
  'archive.deliveredAfterDays': { about: 'Days after its delivery until a parcel is archived; 0 for never', usual: 30 },
  'archive.closedAfterDays': {
    about: 'Days after its last event until a closed parcel (cancelled, returned, lost) is archived; 0 for never',
    usual: 30,
  },
  'instant.whenSilent': {
    about: 'Whether a number that has no record for a day is looked up live once, which costs one registration',
    usual: false,
  },
  'webhook.maxAgeMinutes': { about: 'How old a callback of the service may be, in minutes', usual: 5 },
  'webhook.signature': {
    about: 'How the service signs its callbacks; "none" needs webhook.path',
    usual: 'hmac',
  },
  'webhook.path': {
    about: 'The secret path that callbacks go to, of 16 characters or more; any other is not found',
    otherwise: 'any path',
    hidden: 'personal',
  },
  'notify.stages': {
    about: 'Stages of which changes are notified',
    usual: ['attention', 'pickup', 'out-for-delivery', 'delivered'],
  },
  'notify.quietHours': { about: 'When nothing is notified', otherwise: 'none', examples: ['22:00-07:00'] },
  'notify.channels': { about: 'How changes are notified', usual: [], examples: [['desktop', 'bell']] },
  'notify.command': {
    about: 'Program that the channel "command" runs for each change; no shell reads it',
    hidden: 'arguments',
    otherwise: 'none',
    examples: [['notify-send', 'Parcels']],
  },
  'couriers.*.postalCode': {
    about: "Recipient's postal code for parcels of this courier that have none of their own",
    hidden: 'personal',
  },
  'couriers.*.phoneSuffix': {
    about: 'Last four digits of the phone number, in the same way',
    hidden: 'personal',
  },
};

/** What stands before the name of a setting where it is said that something is set by the file. */
const inFile = 'config.json: ';

/** The first of the places in effect that is a setting of the file and decides where a secret goes; null for none. */
export function leadingSetting(secret: SettingDescription['leads'], places: readonly (string | null)[]): string | null {
  const names = places.flatMap((place) => (place?.startsWith(inFile) === true ? [place.slice(inFile.length)] : []));
  return names.find((name) => describeSetting(name.split('.'))?.leads === secret) ?? null;
}

/** What there is to say about a setting; null for one that is not known, or for an object of settings. */
export function describeSetting(path: readonly string[]): SettingDescription | null {
  const [first, _any, ...rest] = path;
  const name = first === 'couriers' ? ['couriers', '*', ...rest].join('.') : path.join('.');
  return Object.hasOwn(settingTable, name) ? (settingTable[name] ?? null) : null;
}

/** Most minutes that `polling.leastMinutes` can be: a day. */
export const longestLeastMinutes = 24 * 60;

/** The environment variable that outranks `polling.leastMinutes`. */
export const leastMinutesVariable = 'PARCEL_MONITOR_LEAST_MINUTES';

/** The minutes that a text says; null where it is not a number from 0 to {@link longestLeastMinutes}. */
export function parseLeastMinutes(text: string): number | null {
  const minutes = text.trim() === '' ? Number.NaN : Number(text);
  return minutes >= 0 && minutes <= longestLeastMinutes ? minutes : null;
}

/** A known deployment of the service. */
export interface Profile extends KnownService {
  /** Name of the header that carries the key. */
  readonly header: string;
}

/** All known deployments. */
export const profiles: readonly Profile[] = [
  {
    profile: 'track123',
    name: 'Track123',
    baseUrl: 'https://api.track123.com/gateway/open-api',
    header: 'Track123-Api-Secret',
    wayToKey: 'Log in to the admin portal, then Developers, API: the key is there.',
    page: 'https://www.track123.com',
  },
];

/** The names of all known deployments. */
export const profileNames: readonly string[] = profiles.map(({ profile }) => profile);

/** The deployment of a name. Throws a {@link UsageError} that names the nearest, or all, when there is none. */
export function profileNamed(name: string): Profile {
  const profile = knownProfile(name);
  if (profile !== null) return profile;
  const meant = nearestWord(name, profileNames);
  const advice = meant === null ? `there is: ${profileNames.join(', ')}.` : `did you mean ${meant}?`;
  throw new UsageError(`The profile "${name}" is not known; ${advice}`);
}

/** The deployment of a name; null when there is none. */
export const knownProfile = (name: string): Profile | null => profiles.find(({ profile }) => profile === name) ?? null;

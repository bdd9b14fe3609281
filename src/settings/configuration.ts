import { dirname } from 'node:path';
import { minuteMs } from '../lib/clock.ts';
import { parseOffset } from '../lib/date-time.ts';
import { nearestWord } from '../lib/text.ts';
import { isZoneName, Zone } from '../lib/zone.ts';
import type { NotifySettings } from '../notify/channels.ts';
import type { ArchiveDays } from '../parcels/delivery.ts';
import type { ParcelExtras } from '../parcels/parcel.ts';
import type { Budget } from '../polling/gate/budget.ts';
import { isHeaderName, parseBaseUrl, UnusableBaseUrlError } from '../service/address.ts';
import { defaultKeyHeader, defaultOperations, type OperationName, type OperationTable } from '../service/port.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import { defaultWebhookMaxAgeMs, type WebhookSignature } from '../service/webhook-rules.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import { type ApiKeySource, apiKeySource } from './api-key.ts';
import { notifySettings } from './command-settings.ts';
import type { ProgramPaths } from './config-file.ts';
import type { ConfigFile } from './config-schema.ts';
import { orUsageError, UsageError } from './errors.ts';
import { notUsed } from './file-trust.ts';
import { chooseProxy, type ProxyChoice } from './proxy.ts';
import type { CommandContext } from './session/context.ts';
import { leadingSetting, leastMinutesVariable, parseLeastMinutes, profileNamed } from './setting-table.ts';
import { chooseStore, type StoreChoice, type StoreSource } from './store-choice.ts';

/** Options of the command line that concern every command; absent when not given. */
export interface GlobalOptions {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly config?: string;
  readonly zone?: string;
  readonly store?: string;
  readonly ascii: boolean;
  /** False with `--no-color`. */
  readonly color: boolean;
}

/** Everything that can be set, settled: option, environment, `config.json`, default, in this order. */
export interface Configuration {
  /** Null when none is set: there is no default. */
  readonly baseUrl: URL | null;
  /** The name of the profile that it comes from; null where it was given itself. */
  readonly profile: string | null;
  /** Name of the header that carries the key. */
  readonly header: string;
  /** Where each of what can stand in several places does stand; null for what is set nowhere. */
  readonly setBy: Readonly<Record<'baseUrl' | 'header' | 'key' | 'store' | 'zone', string | null>>;
  readonly apiKey: ApiKeySource;
  /**
   * Why the key is not sent to the base URL, as sentences: somebody else who can write the file decides where that leads. Null
   * where it may be sent.
   */
  readonly keyWithheld: string | null;
  /** Where the watchlist is kept. */
  readonly store: StoreChoice;
  /** From what a choice of another place is made. */
  readonly storeSource: ConfigurationSource;
  /** Whether the service is reached through a proxy; one that cannot be used costs only the calls. */
  readonly proxy: ProxyChoice;
  /** Set by the user; null when it is to be measured. */
  readonly serviceClock: ServiceClock | null;
  /** The viewer's zone, IANA. A zone that was set has been checked; the machine's is found out when it is needed. */
  zone(): string;
  /** Language of the translations that instant answers bring; null for none. */
  readonly lang: string | null;
  readonly operations: OperationTable;
  readonly queryVersion: 'v2.1' | 'v2';
  readonly registerVersion: 'v2' | 'v2.1';
  /** Extras for parcels of a courier that were given none; nothing for a courier about which nothing is set. */
  courierExtras(courierCode: string): Partial<ParcelExtras>;
  readonly timeoutMs: number;
  /** How old a webhook callback may be. */
  readonly webhookMaxAgeMs: number;
  /** How webhook callbacks are signed. */
  readonly webhookSignature: WebhookSignature;
  /** The secret path that callbacks go to, without a slash before it; null for any path. */
  readonly webhookPath: string | null;
  /** How much of the service may be used. */
  readonly budget: Budget;
  /** Least time between two automatic queries of one number, in milliseconds; 0 for none. */
  readonly leastMs: number;
  /** When parcels are archived by themselves. */
  readonly archiveAfterDays: ArchiveDays;
  /** Whether a number without a record for a day is looked up live, once. */
  readonly looksUpWhenSilent: boolean;
  /** Whether the title of the board's terminal says what matters. */
  readonly title: boolean;
  /** Whether the board's last frame is kept, and shown by the next start before anything is loaded. */
  readonly keepScreen: boolean;
  /** What is notified, when and how. */
  readonly notify: NotifySettings;
  /** What in the environment is not valid and is ignored. */
  readonly warnings: readonly EnvironmentWarning[];
}

/** A variable of the environment whose value is ignored. */
interface EnvironmentWarning {
  readonly variable: string;
  /** What is wrong with it, and what is used instead. */
  readonly sentence: string;
}

/** A place where a setting may stand, and what it says: an option, a variable of the environment, a setting of `config.json`. */
type Place = readonly [place: string, value: string | undefined];

const variable = (environment: Environment, name: string): Place => [name, environment[name]];

/** The first place that says something; null when none does. */
function firstSet(places: readonly Place[]): { readonly place: string; readonly value: string } | null {
  for (const [place, text] of places) {
    const value = nonEmpty(text);
    if (value !== undefined) return { place, value };
  }
  return null;
}

/** Where the settings come from. */
export interface ConfigurationSource extends StoreSource {
  readonly options: Pick<GlobalOptions, 'baseUrl' | 'profile' | 'store' | 'zone'>;
  readonly file: ConfigFile;
  /** The machine's zone, one that is known. */
  readonly systemZone: () => string;
}

/** What a command settles the configuration with whose file is at `config`, but for what the file says. */
export const settledBy = (
  context: Pick<CommandContext, 'environment' | 'systemZone'>,
  { config }: Pick<ProgramPaths, 'config'>,
): Pick<ConfigurationSource, 'environment' | 'folder' | 'systemZone'> => ({
  environment: context.environment,
  folder: dirname(config),
  systemZone: () => context.systemZone(),
});

/** How long a parcel that was delivered or closed stays on the board. */
const defaultArchiveDays = 30;
/** Limit of one call, answer included. */
const defaultTimeoutMs = 10_000;

/** Default of `polling.leastMinutes`. */
const defaultLeastMinutes = 5;

/** What the file alone says, without options and the program's own variables. Throws a {@link UsageError} as it is settled. */
export function configurationOfFile({ storeSource }: Pick<Configuration, 'storeSource'>): Configuration {
  const others = Object.entries(storeSource.environment).filter(([name]) => !name.startsWith('PARCEL_MONITOR_'));
  return resolveConfiguration({ ...storeSource, options: {}, environment: Object.fromEntries(others) });
}

/** Settles the configuration. Throws a {@link UsageError} for what cannot be used, naming where it was set. */
export function resolveConfiguration(source: ConfigurationSource): Configuration {
  const { environment, file } = source;
  const service = resolveService(source);
  const apiKey = apiKeySource(environment, file, source.foreignWriter, source.folder);
  const store = chooseStore(source);
  const clock = firstSet([
    variable(environment, 'PARCEL_MONITOR_CLOCK'),
    ['config.json: service.clock', file.service?.clock],
  ]);
  return {
    ...service,
    setBy: {
      ...service.setBy,
      zone: zoneSet(source)?.place ?? null,
      key: apiKey.kind === 'none' ? null : apiKey.setBy,
      store: store.setBy,
    },
    apiKey,
    keyWithheld: keyWithheld(source, service.setBy),
    store,
    storeSource: source,
    proxy: chooseProxy(service.baseUrl, environment),
    serviceClock: clock === null ? null : configuredClock(clock.value),
    zone: resolveZone(source),
    lang: file.lang ?? null,
    operations: operationsOf(file),
    queryVersion: file.service?.queryVersion ?? 'v2.1',
    registerVersion: file.service?.registerVersion ?? 'v2',
    courierExtras: courierExtrasOf(file),
    timeoutMs: file.service?.timeoutSeconds === undefined ? defaultTimeoutMs : file.service.timeoutSeconds * 1000,
    webhookMaxAgeMs:
      file.webhook?.maxAgeMinutes === undefined ? defaultWebhookMaxAgeMs : file.webhook.maxAgeMinutes * 60_000,
    webhookSignature: file.webhook?.signature ?? 'hmac',
    webhookPath: file.webhook?.path?.replace(/^\//, '') ?? null,
    budget: {
      queriesPerDay: file.budget?.queriesPerDay ?? null,
      registrationsPerMonth: file.budget?.registrationsPerMonth ?? null,
    },
    ...resolveLeast(environment, file),
    archiveAfterDays: {
      delivered: file.archive?.deliveredAfterDays ?? defaultArchiveDays,
      closed: file.archive?.closedAfterDays ?? defaultArchiveDays,
    },
    looksUpWhenSilent: file.instant?.whenSilent ?? false,
    title: file.title ?? true,
    keepScreen: file.keepScreen ?? true,
    notify: notifySettings(file.notify ?? {}, source.foreignWriter ?? null, source.folder ?? ''),
  };
}

/** The least time between two queries of one number. A variable that is not valid costs only itself. */
function resolveLeast(environment: Environment, file: ConfigFile): Pick<Configuration, 'leastMs' | 'warnings'> {
  const text = nonEmpty(environment[leastMinutesVariable]);
  const given = text === undefined ? null : parseLeastMinutes(text);
  const minutes = given ?? file.polling?.leastMinutes ?? defaultLeastMinutes;
  const sentence = `${leastMinutesVariable} must be a number of minutes from 0 to 1440. It is ignored, and ${minutes} is used.`;
  return {
    leastMs: minutes * minuteMs,
    warnings: text === undefined || given !== null ? [] : [{ variable: leastMinutesVariable, sentence }],
  };
}

const zoneSet = ({ options, environment, file }: Omit<ConfigurationSource, 'systemZone'>) =>
  firstSet([['--zone', options.zone], variable(environment, 'PARCEL_MONITOR_ZONE'), ['config.json: zone', file.zone]]);

/**
 * The viewer's zone from `--zone`, `PARCEL_MONITOR_ZONE`, `config.json` or the machine; `utc` and `local` are
 * understood. Throws a {@link UsageError} for a zone that does not exist, at once and not when it is needed.
 */
export function resolveZone({ systemZone, ...source }: ConfigurationSource): () => string {
  const wanted = zoneSet(source)?.value;
  if (wanted === undefined || /^local$/i.test(wanted)) return systemZone;
  const zone = namedZone(wanted, systemZone);
  return () => zone;
}

/** The IANA zone meant by a text: `utc`, `local` (the zone handed in) or a name. Throws a {@link UsageError}. */
export function namedZone(text: string, local: () => string): string {
  if (/^local$/i.test(text)) return local();
  if (/^utc$/i.test(text)) return 'UTC';
  if (isZoneName(text)) return text;
  const meant = nearestZone(text);
  const advice = meant === null ? 'use a name such as Europe/Berlin, "utc" or "local".' : `did you mean ${meant}?`;
  throw new UsageError(`The zone "${text}" does not exist; ${advice}`);
}

/** The zone that somebody may have meant, who may have named the city alone; null when none is near. */
function nearestZone(text: string): string | null {
  const wanted = text.trim().replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone');
  const cities = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const near = nearestWord(wanted, zones) ?? nearestWord(wanted, ['utc', 'local']);
  if (near !== null) return near;
  const city = nearestWord(wanted, cities.keys());
  return city === null ? null : (cities.get(city) ?? null);
}

/** Where a profile can be named, what goes before first. */
const profilePlaces: readonly string[] = ['--profile', 'PARCEL_MONITOR_PROFILE', 'config.json: profile'];

/** Base URL and header of the key, each with where it stands. */
function resolveService({ options, environment, file }: ConfigurationSource) {
  const named = [options.profile, environment['PARCEL_MONITOR_PROFILE'], file.profile].map(nonEmpty);
  const [byOption, byVariable, byFile] = named.map((name) => (name === undefined ? undefined : profileNamed(name)));
  const baseUrl = firstSet([
    ['--base-url', options.baseUrl],
    ['--profile', byOption?.baseUrl],
    variable(environment, 'PARCEL_MONITOR_BASE_URL'),
    ['PARCEL_MONITOR_PROFILE', byVariable?.baseUrl],
    ['config.json: baseUrl', file.baseUrl],
    ['config.json: profile', byFile?.baseUrl],
  ]);
  const header = firstSet([
    ['--profile', byOption?.header],
    variable(environment, 'PARCEL_MONITOR_API_HEADER'),
    ['PARCEL_MONITOR_PROFILE', byVariable?.header],
    ['config.json: service.header', file.service?.header],
    ['config.json: profile', byFile?.header],
  ]);
  return {
    baseUrl: baseUrl === null ? null : usableBaseUrl(baseUrl.value),
    profile: named[profilePlaces.indexOf(baseUrl?.place ?? '')] ?? null,
    header: usableHeader(header?.value ?? defaultKeyHeader),
    setBy: { baseUrl: baseUrl?.place ?? null, header: header?.place ?? null },
  };
}

/** Nothing is withheld from what options and variables say, which are the user's own. */
function keyWithheld(
  { file, foreignWriter }: ConfigurationSource,
  { baseUrl, header }: Pick<Configuration['setBy'], 'baseUrl' | 'header'>,
): string | null {
  if (foreignWriter == null) return null;
  const paths = Object.entries(file.service?.operations ?? {}).flatMap(([name, operation]) =>
    operation?.path === undefined ? [] : [`config.json: service.operations.${name}.path`],
  );
  const leading = leadingSetting('API key', [baseUrl, header, ...paths]);
  return leading === null ? null : notUsed(leading, 'used', foreignWriter);
}

/** The address of a gateway. Throws a {@link UsageError} for one that cannot be used. */
export const usableBaseUrl = (text: string): URL => orUsageError(UnusableBaseUrlError, () => parseBaseUrl(text));

/** The text, when it can be the name of a header. Throws a {@link UsageError}. */
export function usableHeader(name: string): string {
  if (isHeaderName(name)) return name;
  throw new UsageError(`"${name}" cannot be the name of a header; the usual one is ${defaultKeyHeader}.`);
}

/** The service clock of an offset such as `+08:00` or of an IANA zone. Throws a {@link UsageError}. */
export function configuredClock(text: string): ServiceClock {
  const offsetMinutes = parseOffset(text);
  if (offsetMinutes !== null) return { offsetMinutes, source: 'configured' };
  if (/^local$/i.test(text) || !isZoneName(text)) {
    const meant = nearestZone(text);
    const advice = meant === null ? 'Write it like +08:00 or Asia/Shanghai.' : `Did you mean ${meant}?`;
    throw new UsageError(`The service clock "${text}" is neither an offset from UTC nor a time zone. ${advice}`);
  }
  return { zone: new Zone(text), source: 'configured' };
}

function courierExtrasOf({ couriers = {} }: ConfigFile): Configuration['courierExtras'] {
  const byCode = new Map(Object.entries(couriers).map(([name, extras]) => [name.toLowerCase(), extras]));
  return (courierCode) => byCode.get(courierCode.toLowerCase()) ?? {};
}

function operationsOf(file: ConfigFile): OperationTable {
  const changes = file.service?.operations ?? {};
  const names = Object.keys(defaultOperations) as OperationName[];
  return Object.fromEntries(
    names.map((name) => [name, { ...defaultOperations[name], ...changes[name] }]),
  ) as unknown as OperationTable;
}

import { minuteMs } from '../lib/clock.ts';
import type { Theme } from '../lib/paint.ts';
import type { WebChannelName } from '../notify/notification.ts';
import type { WebChoice } from '../notify/web-channels.ts';
import type { ParcelExtras } from '../parcels/parcel.ts';
import { defaultOperations, type OperationName, type OperationTable } from '../service/port.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import type { RunProgram } from '../system/run-program.ts';
import { apiKeySource, fetchApiKey, secretSource } from './api-key.ts';
import type { CustomActions, CustomCommand, CustomKeys } from './board-settings.ts';
import { refusalReason, type SettingFile } from './file-trust.ts';
import { chooseProxy, profileNamed, proxyInUse, usableBaseUrl, usableHeader } from './service-address.ts';
import { describeOrigin, resolvedSetting, type SettingOptions } from './setting-values.ts';
import { chooseStore, type StoreSource } from './store-choice.ts';
import { type ConfigFile, type SettingName, settings, type ValueOf } from './table.ts';
import { chooseCommand, parseServiceClock, resolveCommand, resolveZoneName } from './usable-values.ts';

export interface GlobalOptions extends SettingOptions {
  readonly config?: string;
  readonly ascii: boolean;
  /** Defaults to `auto`. */
  readonly color?: ColourChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** False if no questions may be asked. */
  readonly input?: boolean;
  /** False to print long output without a pager. */
  readonly pager?: boolean;
}

export const colourChoices = ['auto', 'always', 'never'] as const;
export type ColourChoice = (typeof colourChoices)[number];

export interface ConfigurationSource extends StoreSource {
  readonly options: SettingOptions;
  readonly file: ConfigFile;
  readonly systemZone: () => string;
}

/**
 * All settings, resolved: an option overrides the environment, which overrides `config.json`, which overrides the
 * default.
 */
export type Configuration = Readonly<ReturnType<typeof resolveConfiguration>>;

type SingleSetting = Exclude<SettingName, `couriers.${string}` | `service.operations.${string}`>;
type Resolved<Name extends SingleSetting> =
  | ValueOf<Name>
  | ((typeof settings)[Name] extends { readonly defaultValue: unknown } ? never : null);

/** Resolves the configuration. Throws a {@link UsageError} that names where an unusable value was set. */
export function resolveConfiguration(source: ConfigurationSource) {
  const { environment, file, options } = source;
  const resolve = (name: SingleSetting) => resolvedSetting(name.split('.') as [string, ...string[]], source);
  const valueFor = <Name extends SingleSetting>(name: Name) => resolve(name).value as Resolved<Name>;
  const setBy = (name: SingleSetting): string | null => describeOrigin(resolve(name));

  const profiles: Readonly<Record<string, string | undefined>> = {
    '--profile': options.profile,
    PARCEL_MONITOR_PROFILE: environment['PARCEL_MONITOR_PROFILE'],
    'config.json: profile': file.profile,
  };
  for (const name of Object.values(profiles).map(nonEmpty)) if (name !== undefined) profileNamed(name);
  const baseUrl = valueFor('baseUrl');
  const usedBaseUrl = baseUrl === null ? null : usableBaseUrl(baseUrl);
  const header = usableHeader(valueFor('service.header'));
  const apiKey = apiKeySource(environment, file, source);
  const store = chooseStore(source);
  const clock = valueFor('service.clock');
  const leastMinutes = valueFor('polling.leastMinutes');
  const command = valueFor('notify.command');
  const origins = { baseUrl: setBy('baseUrl'), header: setBy('service.header') };
  return {
    /** Null if not set. There is no default. */
    baseUrl: usedBaseUrl,
    /** The profile that the base URL comes from, or null if the URL itself is set. */
    profile: nonEmpty(profiles[origins.baseUrl ?? '']) ?? null,
    header,
    setBy: {
      ...origins,
      zone: setBy('zone'),
      key: apiKey.kind === 'none' ? null : apiKey.setBy,
      store: store.setBy,
    },
    apiKey,
    /** Why the key is not sent to the base URL, as sentences, or null if it may be sent. */
    keyWithheldReason: keyWithheldReason(source, Object.values(origins)),
    store,
    storeSource: source,
    /** An unusable proxy is an error only when a request is made. */
    proxy: chooseProxy(usedBaseUrl, environment),
    /** Null to measure it. */
    serviceClock: clock === null ? null : parseServiceClock(clock),
    /** Returns the viewer's zone, IANA. The machine's zone is determined on first use. */
    zone: resolveZone(source),
    /** Target language of live lookups. Null for no translation. */
    lang: valueFor('lang'),
    operations: resolveOperations(file),
    queryVersion: valueFor('service.queryVersion'),
    registerVersion: valueFor('service.registerVersion'),
    /** Returns a courier's default extras, for parcels without extras of their own. */
    courierExtras: createCourierExtras(file),
    timeoutMs: valueFor('service.timeoutSeconds') * 1000,
    webhookMaxAgeMs: valueFor('webhook.maxAgeMinutes') * minuteMs,
    webhookSignature: valueFor('webhook.signature'),
    /** Without a leading slash. Null for any path. */
    webhookPath: valueFor('webhook.path')?.replace(/^\//, '') ?? null,
    budget: {
      queriesPerDay: valueFor('budget.queriesPerDay'),
      registrationsPerMonth: valueFor('budget.registrationsPerMonth'),
    },
    /** Minimum time between two automatic checks of a number, in milliseconds. 0 means no minimum. */
    minPauseMs: leastMinutes * minuteMs,
    archiveAfterDays: {
      delivered: valueFor('archive.deliveredAfterDays'),
      closed: valueFor('archive.closedAfterDays'),
    },
    looksUpWhenSilent: valueFor('instant.whenSilent'),
    title: valueFor('title'),
    mouse: valueFor('mouse'),
    /** Absent for the default colours. */
    theme: themeFor(valueFor('theme'), environment),
    /** Whether the theme depends on the background that the terminal reports. */
    queriesBackground: valueFor('theme') === 'auto',
    accent: valueFor('accent'),
    customActions: resolveCustomActions(valueFor('keys') ?? {}, valueFor('commands') ?? [], source),
    keepScreen: valueFor('keepScreen'),
    views: valueFor('views'),
    phrases: valueFor('phrases') ?? {},
    notify: {
      stages: valueFor('notify.stages'),
      tags: valueFor('notify.tags') ?? [],
      template: valueFor('notify.template'),
      quietHours: valueFor('notify.quietHours'),
      channels: [...new Set(valueFor('notify.channels'))],
      command: command === null ? ({ kind: 'none' } as const) : chooseCommand('notify.command', command, source),
    },
    webChannel: createWebChoice(source),
    warnings: ignoredVariables(environment, leastMinutes),
  };
}

/** Until the terminal has reported its background, `auto` uses `COLORFGBG`. */
function themeFor(theme: Theme | 'auto', { COLORFGBG: colours }: Environment): Theme | undefined {
  if (theme !== 'auto') return theme;
  return /;(?:7|15)$/.test(colours ?? '') ? 'light' : undefined;
}

function resolveCustomActions(
  keys: CustomKeys,
  commands: readonly CustomCommand[],
  { folder = '', foreignWriter = null }: SettingFile,
): CustomActions {
  return {
    keys,
    commands: commands.map((command) => ({ ...command, run: resolveCommand(folder, command.run) })),
    refused: foreignWriter === null ? null : refusalReason('commands', 'run', foreignWriter),
  };
}

const minutesVariable = settings['polling.leastMinutes'].variable;

function ignoredVariables(environment: Environment, minutes: number) {
  const text = nonEmpty(environment[minutesVariable]);
  if (text === undefined || 'value' in settings['polling.leastMinutes'].type.read(Number(text))) return [];
  const sentence = `${minutesVariable} must be a number of minutes from 0 to 1440. It is ignored, and ${minutes} is used.`;
  return [{ variable: minutesVariable, sentence }];
}

/**
 * Also accepts `utc` and `local`. Throws a {@link UsageError} for an unknown zone immediately, not when the zone is
 * first used.
 */
export function resolveZone(source: ConfigurationSource): () => string {
  const { systemZone } = source;
  const name = resolvedSetting(['zone'], source).value as string | null;
  if (name === null || /^local$/i.test(name)) return systemZone;
  const zone = resolveZoneName(name, systemZone);
  return () => zone;
}

const filePrefix = 'config.json: ';

/**
 * Returns why the key is withheld, or null. Addresses from options and variables are trusted, because those come from
 * the user.
 * @param origins where the base URL and the key's header are set
 */
function keyWithheldReason(
  { file, foreignWriter }: ConfigurationSource,
  origins: readonly (string | null)[],
): string | null {
  if (foreignWriter == null) return null;
  const paths = Object.entries(file.service?.operations ?? {}).flatMap(([name, operation]) =>
    operation?.path === undefined ? [] : [`${filePrefix}service.operations.${name}.path`],
  );
  const origin = [...origins, ...paths].find((candidate) => candidate?.startsWith(filePrefix));
  return origin == null ? null : refusalReason(origin.slice(filePrefix.length), 'used', foreignWriter);
}

function createCourierExtras({ couriers = {} }: ConfigFile): (courierCode: string) => Partial<ParcelExtras> {
  const byCode = new Map(Object.entries(couriers).map(([name, extras]) => [name.toLowerCase(), extras]));
  return (courierCode) => byCode.get(courierCode.toLowerCase()) ?? {};
}

function resolveOperations(file: ConfigFile): OperationTable {
  const changes = file.service?.operations ?? {};
  const names = Object.keys(defaultOperations) as OperationName[];
  return Object.fromEntries(
    names.map((name) => [name, { ...defaultOperations[name], ...changes[name] }]),
  ) as unknown as OperationTable;
}

const defaultAddresses: Readonly<Partial<Record<WebChannelName, string>>> = {
  telegram: 'https://api.telegram.org',
  pushover: 'https://api.pushover.net',
};

/** Returns a function that reads a web channel's settings. Refuses them if another user can write the file. */
function createWebChoice(source: ConfigurationSource) {
  const { environment, file, foreignWriter = null } = source;
  return (name: WebChannelName): WebChoice => {
    const channel: Readonly<Record<string, string | readonly string[] | undefined>> = file.notify?.[name] ?? {};
    const read = async (field: 'token' | 'url', runProgram: RunProgram): Promise<string | null> => {
      const setting = `notify.${name}.${field}`;
      const value = channel[field];
      const secret =
        typeof value === 'string'
          ? ({ kind: 'given', key: value, setBy: setting } as const)
          : secretSource(
              setting,
              { file: textOrUndefined(channel[`${field}File`]), command: channel[`${field}Command`] },
              source,
            );
      return await fetchApiKey(secret, runProgram, { name: `${field} of ${name}`, setting });
    };
    return {
      isSet: Object.keys(channel).length > 0,
      refused: foreignWriter === null ? null : refusalReason(`notify.${name}`, 'used', foreignWriter),
      read: async (runProgram) => ({
        url: (await read('url', runProgram)) ?? defaultAddresses[name] ?? null,
        token: await read('token', runProgram),
        to: textOrUndefined(channel['chat'] ?? channel['user']) ?? null,
      }),
      proxyOf: (url) => proxyInUse(chooseProxy(url, environment))?.url ?? null,
    };
  };
}

const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

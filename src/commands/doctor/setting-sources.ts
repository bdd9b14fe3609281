import type { Environment } from '../../process/environment.ts';
import { nonEmpty } from '../../process/environment.ts';
import { formatOffset } from '../../service/clock/service-clock.ts';
import { defaultOperations, type OperationName } from '../../service/operations.ts';
import type { ConfigFile } from '../configuration/config-schema.ts';
import type { Configuration, ConfigurationSource } from '../configuration/configuration.ts';
import { describeProxy } from '../configuration/proxy.ts';

/** A setting with its value and where that was set. */
interface SettledSetting {
  readonly name: string;
  readonly value: string;
  /** An option, an environment variable, a setting of `config.json`, or `default`. */
  readonly source: string;
}

/** A place where a setting may stand; the first with a value counts. */
type Place = readonly [source: string, value: unknown];

/** All settings that decide how the program works, each with its source. Holds no key and no extra information. */
export function settingSources(
  { options, environment, file }: Omit<ConfigurationSource, 'systemZone'>,
  configuration: Configuration,
): readonly SettledSetting[] {
  const variable = (name: string): Place => [name, nonEmpty(environment[name])];
  const setting = (name: string, value: unknown): Place => [`config.json: ${name}`, value];
  const { service } = file;
  const profiles: readonly Place[] = [
    ['--profile', nonEmpty(options.profile)],
    variable('PARCEL_MONITOR_PROFILE'),
    setting('profile', file.profile),
  ];
  const [profileOption, profileVariable, profileSetting] = profiles as [Place, Place, Place];
  return [
    {
      name: 'base URL',
      value: configuration.baseUrl?.href ?? 'not set',
      source: sourceOf(
        [
          ['--base-url', nonEmpty(options.baseUrl)],
          profileOption,
          variable('PARCEL_MONITOR_BASE_URL'),
          profileVariable,
          setting('baseUrl', file.baseUrl),
          profileSetting,
        ],
        'nowhere',
      ),
    },
    {
      name: 'key header',
      value: configuration.header,
      source: sourceOf([
        profileOption,
        variable('PARCEL_MONITOR_API_HEADER'),
        profileVariable,
        setting('service.header', service?.header),
        profileSetting,
      ]),
    },
    { name: 'proxy', ...describeProxy(configuration.proxy) },
    {
      name: 'service clock',
      value: configuration.serviceClock === null ? 'measured' : formatOffset(configuration.serviceClock.offsetMinutes),
      source: sourceOf([variable('PARCEL_MONITOR_CLOCK'), setting('service.clock', service?.clock)]),
    },
    {
      name: 'zone',
      value: configuration.zone(),
      source: sourceOf(
        [['--zone', nonEmpty(options.zone)], variable('PARCEL_MONITOR_ZONE'), setting('zone', file.zone)],
        'the machine',
      ),
    },
    {
      name: 'language',
      value: configuration.lang ?? 'as couriers write',
      source: sourceOf([setting('lang', file.lang)]),
    },
    {
      name: 'query version',
      value: configuration.queryVersion,
      source: sourceOf([setting('service.queryVersion', service?.queryVersion)]),
    },
    {
      name: 'register version',
      value: configuration.registerVersion,
      source: sourceOf([setting('service.registerVersion', service?.registerVersion)]),
    },
    {
      name: 'time limit',
      value: `${configuration.timeoutMs / 1000} s`,
      source: sourceOf([setting('service.timeoutSeconds', service?.timeoutSeconds)]),
    },
    ...(file.webhook?.maxAgeMinutes === undefined
      ? []
      : [
          {
            name: 'webhook age',
            value: `at most ${configuration.webhookMaxAgeMs / 60_000} min`,
            source: 'config.json: webhook.maxAgeMinutes',
          },
        ]),
    ...overriddenOperations(file, configuration),
    ...courierExtras(file),
  ];
}

/** Where the API key is set; null when it is not. Of a command, only the name of the program is shown. */
export function keySource(environment: Environment, file: ConfigFile, configuration: Configuration): string | null {
  switch (configuration.apiKey.kind) {
    case 'none':
      return null;
    case 'given':
      return nonEmpty(environment['PARCEL_MONITOR_API_KEY']) === undefined
        ? 'config.json: apiKey'
        : 'PARCEL_MONITOR_API_KEY';
    case 'refused':
      return 'config.json: apiKeyCommand';
    case 'command':
      return file.apiKeyCommand === undefined ? null : `config.json: apiKeyCommand (${configuration.apiKey.program})`;
  }
}

function sourceOf(places: readonly Place[], otherwise = 'default'): string {
  return places.find(([, value]) => value !== undefined)?.[0] ?? otherwise;
}

function overriddenOperations(file: ConfigFile, { operations }: Configuration): readonly SettledSetting[] {
  const names = Object.keys(file.service?.operations ?? {}) as OperationName[];
  return names.map((name) => {
    const { method, path, batchLimit, callsPerSecond } = operations[name];
    return {
      name: `operation ${defaultOperations[name].title}`,
      value: `${method} ${path}, ${batchLimit} a call, ${callsPerSecond} calls/s`,
      source: `config.json: service.operations.${name}`,
    };
  });
}

/** That there are some, and not what they are. */
function courierExtras(file: ConfigFile): readonly SettledSetting[] {
  return Object.entries(file.couriers ?? {}).map(([code, { postalCode, phoneSuffix }]) => ({
    name: `extras of ${code}`,
    value: [postalCode === undefined ? [] : ['postal code'], phoneSuffix === undefined ? [] : ['phone suffix']]
      .flat()
      .join(', '),
    source: `config.json: couriers.${code}`,
  }));
}

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
  const profileOption: Place = ['--profile', nonEmpty(options.profile)];
  const profileVariable = variable('PARCEL_MONITOR_PROFILE');
  const profileSetting = setting('profile', file.profile);
  const { baseUrl, lang, queryVersion, registerVersion, serviceClock, timeoutMs, webhookMaxAgeMs } = configuration;
  const addresses = [
    ['--base-url', nonEmpty(options.baseUrl)],
    profileOption,
    variable('PARCEL_MONITOR_BASE_URL'),
    profileVariable,
    setting('baseUrl', file.baseUrl),
    profileSetting,
  ] as const;
  const headers = [
    profileOption,
    variable('PARCEL_MONITOR_API_HEADER'),
    profileVariable,
    setting('service.header', service?.header),
    profileSetting,
  ];
  const clocks = [variable('PARCEL_MONITOR_CLOCK'), setting('service.clock', service?.clock)];
  const zones = [
    ['--zone', nonEmpty(options.zone)],
    variable('PARCEL_MONITOR_ZONE'),
    setting('zone', file.zone),
  ] as const;
  return [
    settled('base URL', baseUrl?.href ?? 'not set', addresses, 'nowhere'),
    settled('key header', configuration.header, headers),
    { name: 'proxy', ...describeProxy(configuration.proxy) },
    settled('service clock', serviceClock === null ? 'measured' : formatOffset(serviceClock.offsetMinutes), clocks),
    settled('zone', configuration.zone(), zones, 'the machine'),
    settled('language', lang ?? 'as couriers write', [setting('lang', file.lang)]),
    settled('query version', queryVersion, [setting('service.queryVersion', service?.queryVersion)]),
    settled('register version', registerVersion, [setting('service.registerVersion', service?.registerVersion)]),
    settled('time limit', `${timeoutMs / 1000} s`, [setting('service.timeoutSeconds', service?.timeoutSeconds)]),
    ...(file.webhook?.maxAgeMinutes === undefined
      ? []
      : [
          settled('webhook age', `at most ${webhookMaxAgeMs / 60_000} min`, [
            setting('webhook.maxAgeMinutes', file.webhook),
          ]),
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

function settled(name: string, value: string, places: readonly Place[], otherwise: string = 'default'): SettledSetting {
  return { name, value, source: places.find(([, given]) => given !== undefined)?.[0] ?? otherwise };
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

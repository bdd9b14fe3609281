import { quietHoursText } from '../../process/notifications/quiet-hours.ts';
import { formatOffset } from '../../service/clock/utc-offset.ts';
import { defaultOperations, type OperationName } from '../../service/operations.ts';
import type { ConfigFile } from '../configuration/config-schema.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { describeProxy } from '../configuration/proxy.ts';

/** A setting with its value and where that was set. */
interface SettledSetting {
  readonly name: string;
  readonly value: string;
  /** An option, an environment variable, a setting of `config.json`, or `default`. */
  readonly source: string;
}

/** All settings that decide how the program works, each with its source. Holds no key and no extra information. */
export function settingSources(file: ConfigFile, configuration: Configuration): readonly SettledSetting[] {
  const { service } = file;
  const { baseUrl, header, lang, proxy, queryVersion, registerVersion, serviceClock, setBy, store, timeoutMs } =
    configuration;
  return [
    { name: 'base URL', value: baseUrl?.href ?? 'not set', source: setBy.baseUrl ?? 'nowhere' },
    { name: 'key header', value: header, source: setBy.header ?? 'default' },
    {
      name: 'store',
      value: store.kind === 'file' ? 'files' : store.address.place,
      source: store.setBy ?? 'default',
    },
    { name: 'proxy', ...describeProxy(proxy) },
    {
      name: 'service clock',
      value: serviceClock === null ? 'measured' : formatOffset(serviceClock.offsetMinutes),
      source: setBy.serviceClock ?? 'default',
    },
    { name: 'zone', value: configuration.zone(), source: setBy.zone ?? 'the machine' },
    ofFile('language', lang ?? 'as couriers write', 'lang', file.lang),
    ofFile('title', configuration.title ? 'says what matters' : 'left alone', 'title', file.title),
    ofFile(
      'last screen',
      configuration.keepScreen ? 'kept for the next start' : 'not kept',
      'keepScreen',
      file.keepScreen,
    ),
    ...notifications(file, configuration),
    ofFile('query version', queryVersion, 'service.queryVersion', service?.queryVersion),
    ofFile('register version', registerVersion, 'service.registerVersion', service?.registerVersion),
    ofFile('time limit', `${timeoutMs / 1000} s`, 'service.timeoutSeconds', service?.timeoutSeconds),
    archiveAge(file, configuration),
    ...webhookAge(file, configuration),
    ...overriddenOperations(file, configuration),
    ...courierExtras(file),
  ];
}

/** A setting that stands in `config.json` or nowhere. */
function ofFile(name: string, value: string, setting: string, given: unknown): SettledSetting {
  return { name, value, source: given === undefined ? 'default' : `config.json: ${setting}` };
}

function archiveAge({ archive }: ConfigFile, { archiveDeliveredAfterDays: days }: Configuration): SettledSetting {
  const value = days === 0 ? 'never' : `${days} ${days === 1 ? 'day' : 'days'} after delivery`;
  return ofFile('archived', value, 'archive.deliveredAfterDays', archive?.deliveredAfterDays);
}

/** With what of the channels is left to its default. The arguments of a command may hold secrets. */
function notifications({ notify: given }: ConfigFile, { notify }: Configuration): readonly SettledSetting[] {
  const { channels, command, quietHours, stages } = notify;
  const names = channels.map((name) =>
    name === 'command' && command.kind === 'command' ? `command (${command.command[0]})` : name,
  );
  const channel = ofFile('notifications', names.join(', ') || 'none', 'notify.channels', given?.channels);
  if (channels.length === 0) return [channel];
  return [
    channel,
    ofFile('notified', stages.join(', ') || 'nothing', 'notify.stages', given?.stages),
    ofFile(
      'quiet hours',
      quietHours === null ? 'none' : quietHoursText(quietHours),
      'notify.quietHours',
      given?.quietHours,
    ),
  ];
}

function webhookAge({ webhook }: ConfigFile, { webhookMaxAgeMs }: Configuration): readonly SettledSetting[] {
  const given = webhook?.maxAgeMinutes;
  if (given === undefined) return [];
  return [ofFile('webhook age', `at most ${webhookMaxAgeMs / 60_000} min`, 'webhook.maxAgeMinutes', given)];
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

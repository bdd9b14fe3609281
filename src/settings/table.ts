import { builtInViews } from '../board/views.ts';
import { accents, themes } from '../lib/paint.ts';
import { channelNames, templateProblem } from '../notify/notification.ts';
import { parseQuietHours } from '../notify/silence.ts';
import { defaultKeyHeader, defaultOperations, type OperationName } from '../service/port.ts';
import { stages } from '../service/status.ts';
import { minWebhookPathLength, webhookSignatures } from '../service/webhook.ts';
import { customCommands, customKeys, viewsType } from './board-settings.ts';
import { readPhoneSuffix, readPostalCode } from './parcel-fields.ts';
import { profileNamed, usableBaseUrl, usableHeader } from './service-address.ts';
import {
  anyText,
  boolean,
  choice,
  choices,
  command,
  commandWords,
  count,
  number,
  pattern,
  readable,
  type Setting,
  stringsByName,
  type Type,
  text,
  texts,
} from './setting-types.ts';
import { usableAccount, usableStore } from './store-address.ts';
import { parseServiceClock, readLanguage, resolveZoneName } from './usable-values.ts';

const operationParts = {
  method: { type: choice(['GET', 'POST']), about: 'HTTP method for the operation' },
  path: {
    type: text((path) => (path.startsWith('/') ? { value: path } : { problem: 'must begin with "/"' }), {
      pattern: '^/',
    }),
    about: 'Path of the operation below the base URL',
  },
  batchLimit: { type: count, about: 'Maximum numbers per request' },
  callsPerSecond: {
    type: number({ min: 0.001, belowMin: 'must be above 0' }),
    about: 'Maximum requests per second',
  },
} as const satisfies Record<string, Setting>;

type OperationPart = keyof typeof operationParts;
type OperationSettings = {
  readonly [Part in OperationPart as `service.operations.${OperationName}.${Part}`]: (typeof operationParts)[Part];
};

const operationSettings = Object.fromEntries(
  (Object.keys(defaultOperations) as OperationName[]).flatMap((name) =>
    (Object.keys(operationParts) as OperationPart[]).map((part) => [
      `service.operations.${name}.${part}`,
      {
        ...operationParts[part],
        about: `${defaultOperations[name].title}: ${operationParts[part].about}`,
        defaultValue: defaultOperations[name][part],
      },
    ]),
  ),
) as unknown as OperationSettings;

/** Maximum: ten years. */
const archiveDays = number({
  min: 0,
  max: 3650,
  isWhole: true,
  belowMin: 'must be 0 (off) or more',
});

const quietHours = text((value) => {
  const hours = parseQuietHours(value);
  return hours === null ? { problem: 'must be two times of day, such as "22:00-07:00"' } : { value: hours };
});

type SettingOf<Value> = Omit<Setting, 'type'> & { readonly type: Type<Value> };

/** The settings for a secret: the secret itself, a file that contains it, and a program that prints it. */
const secret = <Name extends string>(name: Name, about: string) =>
  ({
    [name]: { type: text(), about, hidden: 'key', owner: 'notifier' },
    [`${name}File`]: { type: text(), about: `${about}: a file that contains it`, owner: 'notifier' },
    [`${name}Command`]: {
      type: command,
      about: `${about}: a program that prints it`,
      hidden: 'arguments',
      owner: 'notifier',
    },
  }) as { readonly [Key in Name | `${Name}File`]: SettingOf<string> } & {
    readonly [Key in `${Name}Command`]: SettingOf<string | readonly string[]>;
  };

/** All settings by their dotted names, in the order in which they are listed. `*` is any courier code. */
export const settings = {
  $schema: { type: anyText, about: 'JSON Schema for checks and completion in editors', owner: 'screen' },
  baseUrl: {
    type: text(),
    about: "Address of the service's gateway; overrides profile",
    option: '--base-url',
    variable: 'PARCEL_MONITOR_BASE_URL',
    profileField: 'baseUrl',
    examples: ['https://host/path'],
    whenInvalid: 'refused',
    use: usableBaseUrl,
  },
  profile: {
    type: text(),
    about: 'A known deployment of the service',
    option: '--profile',
    variable: 'PARCEL_MONITOR_PROFILE',
    examples: ['track123'],
    whenInvalid: 'refused',
    use: profileNamed,
  },
  apiKey: {
    type: text(),
    about: 'The API key; overrides apiKeyFile',
    variable: 'PARCEL_MONITOR_API_KEY',
    hidden: 'key',
    whenInvalid: 'refused',
  },
  apiKeyFile: {
    type: text(),
    about: 'A file that contains only the API key, relative to config.json; overrides apiKeyCommand',
    examples: ['api-key'],
    whenInvalid: 'refused',
  },
  apiKeyCommand: {
    type: command,
    about: 'A program that prints the API key; it runs without a shell',
    hidden: 'arguments',
    examples: [['pass', 'show', 'parcel-monitor']],
    whenInvalid: 'refused',
  },
  store: {
    type: text(),
    about: 'Where the watchlist is: "file", or the address of a PostgreSQL database that several machines share',
    defaultValue: 'file',
    option: '--store',
    variable: 'PARCEL_MONITOR_STORE',
    hidden: 'password',
    examples: ['file', 'postgres://user@host/database'],
    whenInvalid: 'refused',
    use: usableStore,
  },
  storeAccount: {
    type: readable(usableAccount),
    about: 'Name of your watchlist in the database; created if it does not exist',
    defaultText: 'default, or the only one',
    variable: 'PARCEL_MONITOR_STORE_ACCOUNT',
    examples: ['home'],
    whenInvalid: 'refused',
  },
  storePasswordCommand: {
    type: command,
    about:
      "A program that prints the database's password; it runs without a shell. PGPASSWORD overrides it, and it overrides a passfile",
    hidden: 'arguments',
    examples: [['pass', 'show', 'parcels-database']],
    whenInvalid: 'refused',
  },
  zone: {
    type: text(),
    about: 'Your time zone',
    defaultText: "the machine's",
    option: '--zone',
    variable: 'PARCEL_MONITOR_ZONE',
    examples: ['Europe/Berlin', 'utc', 'local'],
    whenInvalid: 'refused',
    use: (zone: string) => resolveZoneName(zone, () => 'UTC'),
    owner: 'notifier',
  },
  lang: {
    type: readable(readLanguage),
    about: 'Translation language for live lookups',
    defaultText: 'not translated',
    examples: ['en', 'de', 'zh'],
    owner: 'core',
  },
  title: {
    type: boolean,
    about: "Whether the terminal's title shows what needs attention",
    defaultValue: true,
    owner: 'screen',
  },
  keepScreen: {
    type: boolean,
    about: 'Whether the last screen is shown while the program loads',
    defaultValue: true,
    owner: 'screen',
  },
  'service.header': {
    type: text(),
    about: 'Header for the API key',
    defaultValue: defaultKeyHeader,
    variable: 'PARCEL_MONITOR_API_HEADER',
    profileField: 'header',
    whenInvalid: 'refused',
    use: usableHeader,
  },
  'service.clock': {
    type: text(),
    about: "Time zone of the service's clock, or its offset from UTC",
    defaultText: 'measured',
    variable: 'PARCEL_MONITOR_CLOCK',
    examples: ['+08:00', 'Asia/Shanghai'],
    whenInvalid: 'refused',
    use: parseServiceClock,
  },
  'service.queryVersion': {
    type: choice(['v2.1', 'v2']),
    about: 'Version of the query operation',
    defaultValue: 'v2.1',
  },
  'service.registerVersion': {
    type: choice(['v2', 'v2.1']),
    about: 'Version of the registration operation',
    defaultValue: 'v2',
  },
  'service.timeoutSeconds': {
    type: number({ min: 1, max: 600 }),
    about: 'How long a request may take, in seconds',
    defaultValue: 10,
  },
  ...operationSettings,
  'budget.queriesPerDay': {
    type: count,
    about: 'Maximum queries per day (UTC)',
    defaultText: 'no limit',
    examples: [2000],
    whenInvalid: 'nearest',
    owner: 'core',
  },
  'budget.registrationsPerMonth': {
    type: count,
    about: 'Maximum registrations per month (UTC)',
    defaultText: 'no limit',
    examples: [100],
    whenInvalid: 'nearest',
    owner: 'core',
  },
  'polling.leastMinutes': {
    type: number({ min: 0, max: 24 * 60, belowMin: 'must be 0 (no limit) or more' }),
    about: 'Minimum minutes between two automatic checks of one number; 0 for no limit',
    defaultValue: 5,
    variable: 'PARCEL_MONITOR_LEAST_MINUTES',
    examples: [0.5, 15],
    owner: 'core',
  },
  'archive.deliveredAfterDays': {
    type: archiveDays,
    about: 'Days after delivery before a parcel is archived; 0 turns this off',
    defaultValue: 30,
    owner: 'core',
  },
  'archive.closedAfterDays': {
    type: archiveDays,
    about: 'Days after the last event before a closed parcel (cancelled, returned, lost) is archived; 0 turns this off',
    defaultValue: 30,
    owner: 'core',
  },
  'instant.whenSilent': {
    type: boolean,
    about: 'Whether a number that has no record for a day is looked up live once, which costs one registration',
    defaultValue: false,
    owner: 'core',
  },
  'webhook.maxAgeMinutes': {
    // A week, because the service gives up before that.
    type: number({ min: 1, max: 7 * 24 * 60 }),
    about: 'Maximum age of a callback, in minutes',
    defaultValue: 5,
  },
  'webhook.signature': {
    type: choice(webhookSignatures),
    about: 'How the service signs its callbacks; "none" needs webhook.path',
    defaultValue: 'hmac',
  },
  'webhook.path': {
    type: pattern(
      new RegExp(`^/?[\\w.~-][\\w.~/-]{${minWebhookPathLength - 2},}[\\w.~-]$`),
      `must be at least ${minWebhookPathLength} letters, digits, "-", "_", ".", "~" or "/"`,
    ),
    about: 'Secret path for callbacks, at least 16 characters; other paths return 404',
    defaultText: 'any path',
    hidden: 'personal',
  },
  'notify.stages': {
    type: choices(stages, 'stages'),
    about: 'Stages that you are notified about',
    defaultValue: ['attention', 'pickup', 'out-for-delivery', 'delivered'],
    owner: 'notifier',
  },
  'notify.quietHours': {
    type: quietHours,
    about: 'Quiet hours without notifications',
    defaultText: 'none',
    examples: ['22:00-07:00'],
    owner: 'notifier',
  },
  'notify.channels': {
    type: choices(channelNames, 'channels'),
    about: 'Notification channels',
    defaultValue: [],
    examples: [['desktop', 'bell']],
    owner: 'notifier',
  },
  'notify.command': {
    type: commandWords,
    about: 'Program that the channel "command" runs for each change, without a shell',
    hidden: 'arguments',
    defaultText: 'none',
    examples: [['notify-send', 'Parcels']],
    owner: 'notifier',
  },
  'notify.tags': {
    type: texts('tags'),
    about: 'You are notified of every new status of parcels with these tags',
    defaultText: 'none',
    examples: [['vip']],
    owner: 'notifier',
  },
  'notify.template': {
    type: text((template) => {
      const problem = templateProblem(template);
      return problem === null ? { value: template } : { problem };
    }),
    about: 'Notification text: {label} {number} {status} {place} {courier} {link}',
    defaultText: 'what changed',
    examples: ['{label}: {status} {place} {link}'],
    owner: 'notifier',
  },
  'notify.telegram.chat': { type: text(), about: 'Telegram chat that the bot writes to', owner: 'notifier' },
  'notify.telegram.url': { type: text(), about: 'Address of the Telegram API', owner: 'notifier' },
  'notify.pushover.user': {
    type: text(),
    about: 'Your Pushover user key',
    hidden: 'personal',
    owner: 'notifier',
  },
  'notify.pushover.url': { type: text(), about: 'Address of the Pushover API', owner: 'notifier' },
  'notify.gotify.url': { type: text(), about: 'Address of your Gotify server', owner: 'notifier' },
  ...secret('notify.slack.url', 'Address of a Slack incoming webhook'),
  ...secret('notify.discord.url', 'Address of a Discord webhook'),
  ...secret('notify.telegram.token', 'Your Telegram bot token'),
  ...secret('notify.ntfy.url', 'Address of a topic on an ntfy server'),
  ...secret('notify.ntfy.token', 'ntfy access token'),
  ...secret('notify.pushover.token', 'Your Pushover application token'),
  ...secret('notify.gotify.token', 'Your Gotify application token'),
  ...secret('notify.webhook.url', 'Address that receives each change as JSON'),
  ...secret('notify.webhook.token', 'Token that is sent to the webhook as "Authorization: Bearer"'),
  'couriers.*.postalCode': {
    type: readable(readPostalCode),
    about: "Recipient's postal code for parcels of this courier without a postal code",
    hidden: 'personal',
    owner: 'core',
  },
  'couriers.*.phoneSuffix': {
    type: readable(readPhoneSuffix),
    about: 'Last four digits of the phone number for parcels of this courier without phone digits',
    hidden: 'personal',
    owner: 'core',
  },
  views: {
    type: viewsType,
    about: 'Views, which are tabs on the board: filter, order, columns, collapsed groups, notify',
    defaultValue: builtInViews,
    examples: [[{ name: 'Late', filter: 'is:late', order: 'expected', columns: ['label', 'courier', 'expected'] }]],
    owner: 'screen',
  },
  phrases: {
    type: stringsByName,
    about: "Your own translations of couriers' sentences, which the board shows after T; * is any text",
    defaultText: 'none',
    examples: [{ 'Abgestellt bei *': 'Left with *' }],
    owner: 'screen',
  },
  keys: {
    type: customKeys,
    about: 'Your own keys, by action name: a key or a list of keys',
    defaultText: "the program's",
    examples: [{ archive: 'F5', delete: [] }],
    owner: 'screen',
  },
  commands: {
    type: customCommands,
    about: 'Programs that keys on the board run for the selected or marked parcels, without a shell',
    defaultText: 'none',
    examples: [[{ key: 'F6', name: 'Open ticket', run: ['./ticket', '{order}'] }]],
    owner: 'screen',
    hidden: 'personal',
  },
  mouse: {
    type: boolean,
    about:
      'Whether the board uses the mouse: click rows, headings and column names, turn the wheel; Shift selects text as usual',
    defaultValue: false,
    owner: 'screen',
  },
  theme: {
    type: choice(['auto', ...themes]),
    about: 'Board colours; auto asks the terminal whether its background is light',
    defaultValue: 'auto',
    owner: 'screen',
  },
  accent: {
    type: choice(accents),
    about: 'Colour of selection and focus on the board',
    defaultText: "the theme's",
    examples: ['cyan'],
    owner: 'screen',
  },
} as const satisfies Record<string, Setting>;

export const settingTable: Readonly<Record<string, Setting>> = settings;

type Settings = typeof settings;
export type SettingName = keyof Settings;
export type ValueOf<Name extends SettingName> = Settings[Name]['type'] extends Type<infer Value> ? Value : never;

type Nested<Name extends string, Value> = Name extends `${infer First}.${infer Rest}`
  ? First extends '*'
    ? { readonly [courier: string]: Nested<Rest, Value> }
    : { readonly [Key in First]?: Nested<Rest, Value> }
  : { readonly [Key in Name]?: Value };
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The content of `config.json`. Each setting is optional. */
export type ConfigFile = Intersection<{ [Name in SettingName]: Nested<Name, ValueOf<Name>> }[SettingName]>;

import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { channelNames } from '../notify/notification.ts';
import { parseQuietHours } from '../notify/silence.ts';
import { defaultOperations, type OperationName } from '../service/port.ts';
import { stages } from '../service/status.ts';
import { shortestWebhookPath, webhookSignatures } from '../service/webhook-rules.ts';
import { parseConfigText } from './config-text.ts';
import { UsageError } from './errors.ts';
import { readLanguage } from './language.ts';
import { readPhoneSuffix, readPostalCode } from './parcel-fields.ts';
import { longestLeastMinutes } from './setting-table.ts';
import { usableAccount } from './store-address.ts';

const text = v.pipe(v.string('must be a text'), v.trim(), v.nonEmpty('must not be empty'));

const number = v.number('must be a number');
const atLeastOne = v.pipe(number, v.minValue(1, 'must be at least 1'));
const count = v.pipe(number, v.integer('must be a whole number'), v.minValue(1, 'must be at least 1'));
const upTo = (most: number) => v.pipe(atLeastOne, v.maxValue(most, `must be at most ${most}`));

const mustBeObject = 'must be an object';
/** An object of settings that may all be absent. */
const settingsOf = <Entries extends v.ObjectEntries>(entries: Entries) => v.partial(v.object(entries, mustBeObject));

const operation = settingsOf({
  method: v.picklist(['GET', 'POST'], 'must be "GET" or "POST"'),
  path: v.pipe(text, v.startsWith('/', 'must begin with "/"')),
  batchLimit: count,
  callsPerSecond: v.pipe(number, v.minValue(0.001, 'must be above 0')),
});

const operationEntries = Object.fromEntries(
  (Object.keys(defaultOperations) as OperationName[]).map((name) => [name, operation]),
) as Record<OperationName, typeof operation>;

const service = settingsOf({
  header: text,
  clock: text,
  queryVersion: v.picklist(['v2.1', 'v2'], 'must be "v2.1" or "v2"'),
  registerVersion: v.picklist(['v2', 'v2.1'], 'must be "v2" or "v2.1"'),
  timeoutSeconds: upTo(600),
  operations: settingsOf(operationEntries),
});

/** How much of the service may be used; days and months are UTC's. */
const budget = settingsOf({ queriesPerDay: count, registrationsPerMonth: count });

/** How often numbers are queried. */
const polling = settingsOf({
  leastMinutes: v.pipe(
    number,
    v.minValue(0, 'must be at least 0, which is none'),
    v.maxValue(longestLeastMinutes, `must be at most ${longestLeastMinutes}`),
  ),
});

/** Ten years. */
const longestArchiveDays = 3650;

const archiveDays = v.pipe(
  number,
  v.integer('must be a whole number'),
  v.minValue(0, 'must be at least 0, which is never'),
  v.maxValue(longestArchiveDays, `must be at most ${longestArchiveDays}`),
);

/** When parcels are archived by themselves. */
const archive = settingsOf({ deliveredAfterDays: archiveDays, closedAfterDays: archiveDays });

/** Live look-ups, which cost. */
const instant = settingsOf({ whenSilent: v.boolean('must be true or false') });

/** A week: the service gives a callback up sooner. */
const longestAgeMinutes = 7 * 24 * 60;

/** What is taken of what the service pushes. */
const webhook = settingsOf({
  maxAgeMinutes: upTo(longestAgeMinutes),
  signature: v.picklist(webhookSignatures, `must be one of ${webhookSignatures.join(', ')}`),
  path: v.pipe(
    text,
    v.regex(
      new RegExp(`^/?[\\w.~-][\\w.~/-]{${shortestWebhookPath - 2},}[\\w.~-]$`),
      `must be at least ${shortestWebhookPath} letters, digits, "-", "_", ".", "~" or "/"`,
    ),
  ),
});

/** What a reader makes of a text; the reader's own sentence says why it does not take it. */
const readable = <Value>(read: (value: string) => Value) =>
  v.pipe(
    text,
    v.rawTransform(({ addIssue, dataset, NEVER }) => {
      try {
        return read(dataset.value);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        addIssue({ message: `cannot be used: ${error.message.replace(/\.$/, '')}` });
        return NEVER;
      }
    }),
  );

/** What is known for all parcels of a courier. */
const courier = v.object(
  {
    postalCode: v.exactOptional(readable(readPostalCode)),
    phoneSuffix: v.exactOptional(readable(readPhoneSuffix)),
  },
  mustBeObject,
);

/** What is notified, when and how. */
const notify = settingsOf({
  stages: v.array(v.picklist(stages, `must be one of ${stages.join(', ')}`), 'must be a list of stages'),
  quietHours: v.pipe(
    text,
    v.transform(parseQuietHours),
    v.check((hours) => hours !== null, 'must be two times of day, such as "22:00-07:00"'),
  ),
  channels: v.array(
    v.picklist(channelNames, `must be one of ${channelNames.join(', ')}`),
    'must be a list of channels',
  ),
  command: v.pipe(v.array(text, 'must be a list of texts'), v.minLength(1, 'must name a program')),
});

/** All settings; each may be absent. */
export const configSchema = settingsOf({
  $schema: v.string('must be a text'),
  baseUrl: text,
  profile: text,
  apiKey: text,
  apiKeyFile: text,
  apiKeyCommand: v.union([text, v.pipe(v.array(text), v.minLength(1))], 'must be a text or a list of texts'),
  store: text,
  storeAccount: readable(usableAccount),
  storePasswordCommand: v.union([text, v.pipe(v.array(text), v.minLength(1))], 'must be a text or a list of texts'),
  zone: text,
  lang: readable(readLanguage),
  title: v.boolean('must be true or false'),
  keepScreen: v.boolean('must be true or false'),
  service,
  budget,
  polling,
  archive,
  instant,
  webhook,
  notify,
  couriers: v.record(text, courier, mustBeObject),
});

/** Settings as `config.json` holds them; every one may be absent. Meaning and defaults: `configuration.ts`. */
export type ConfigFile = v.InferOutput<typeof configSchema>;

/** What is wrong with a setting. */
export interface SettingProblem {
  /** The setting as written with dots. */
  readonly name: string;
  /** What is wrong, as a sentence. The value is not repeated: it may be the key or a postal code. */
  readonly sentence: string;
}

/** What was read, and what a person should know about it. */
export interface ConfigFileContent {
  readonly settings: ConfigFile;
  /** Sentences that name the file. */
  readonly warnings: readonly SettingProblem[];
}

/**
 * Parses the content of `config.json`. A wrong setting costs only itself: it is named with what is nearest and right, and
 * left out; so are settings that the program does not know. Rejects with a {@link UsageError} for what is no object of
 * JSON, and for settings without which the program would go elsewhere, show other times, or spend without limit.
 */
export async function parseConfigFile(content: string, path: string): Promise<ConfigFileContent> {
  const parsed = await readConfigObject(content, path);
  const { settings, complaints } = usableSettings(parsed);
  const decisive = complaints.find(({ isDecisive }) => isDecisive);
  if (decisive !== undefined) throw new UsageError(`${path}: ${decisive.sentence}`);
  const names = unknownSettings(parsed);
  const unknown = await Promise.all(
    names.slice(0, mostNamed).map(async (name) => {
      const { nearestSetting } = await import('./nearest-setting.ts');
      const meant = nearestSetting(name, settingNames());
      const advice = meant === null ? '' : `; there is "${meant}"`;
      return { name, sentence: `the setting "${shownName(name)}" is not known and ignored${advice}.` };
    }),
  );
  const warnings = [
    ...someOf(complaints, complaints.length, 'settings are not right and are ignored'),
    ...someOf(unknown, names.length, 'settings are not known and ignored'),
  ].map(({ name, sentence }) => ({
    name,
    sentence: `${path}: ${sentence}`,
  }));
  return { settings, warnings };
}

/** The object that is the content of `config.json`. Rejects with a {@link UsageError} for anything else. */
export async function readConfigObject(content: string, path: string): Promise<JsonObject> {
  const parsed = await parseConfigText(content, path);
  if (isJsonObject(parsed)) return parsed;
  throw new UsageError(`${path}: the content must be an object, like {"baseUrl": "https://host/path"}.`);
}

/** More complaints of a kind than these are counted, not named: nobody reads them, and each is looked into. */
export const mostNamed = 10;

/** A name in a sentence. */
export const shownName = (name: string): string => (name.length <= 80 ? name : `${name.slice(0, 79)}…`);

function someOf(problems: readonly SettingProblem[], count: number, what: string): readonly SettingProblem[] {
  const named = problems.slice(0, mostNamed);
  return count <= mostNamed
    ? named
    : [
        ...named,
        { name: '', sentence: `${count - mostNamed} more ${what}; "parcel-monitor config edit" opens the file.` },
      ];
}

interface Complaint extends SettingProblem {
  /** The program must not go on without it. */
  readonly isDecisive: boolean;
}

/** Settings that say where calls go and with whose key, and on which clock times are read: a default in their place would mislead. */
const decisiveSettings: ReadonlySet<string> = new Set([
  'baseUrl',
  'profile',
  'apiKey',
  'apiKeyFile',
  'apiKeyCommand',
  'store',
  'storeAccount',
  'storePasswordCommand',
  'zone',
  'service',
  'service.header',
  'service.clock',
]);

/** Takes out what is wrong, setting by setting; a number of the budget is brought to the nearest that can be. */
function usableSettings(parsed: JsonObject): {
  readonly settings: ConfigFile;
  readonly complaints: readonly Complaint[];
} {
  const kept = structuredClone(parsed);
  const complaints: Complaint[] = [];
  for (;;) {
    const result = v.safeParse(configSchema, kept);
    if (result.success) return { settings: result.output, complaints };
    for (const [name, issue] of issuesByName(result.issues)) {
      const keys = (issue.path ?? []).map(({ key }) => String(key));
      const given = nearestNumber(issue);
      const nearest = name.startsWith('budget.') && given !== null ? Math.max(1, Math.floor(given)) : null;
      replaceAt(kept, keys, nearest);
      const isDecisive = decisiveSettings.has(name) || (name.startsWith('budget') && nearest === null);
      const outcome = nearest === null ? ignored(name, given) : ` ${nearest} is used.`;
      const sentence = `"${v.getDotPath(issue) ?? ''}" ${issue.message}.${isDecisive ? '' : outcome}`;
      complaints.push({ name, sentence, isDecisive });
      if (isDecisive) return { settings: {}, complaints };
    }
  }
}

/** What is wrong, by the names of the settings; what else is wrong with one of them does not matter any more. */
export const issuesByName = (issues: readonly v.BaseIssue<unknown>[]): ReadonlyMap<string, v.BaseIssue<unknown>> =>
  new Map(issues.map((issue) => [settingOf(issue), issue] as const).reverse());

/** Of a list, an item is no setting. */
function settingOf({ path }: v.BaseIssue<unknown>): string {
  const keys = path?.map(({ key }) => key) ?? [];
  const item = keys.findIndex((key) => typeof key === 'number');
  return keys.slice(0, item === -1 ? keys.length : item).join('.');
}

/** Postal codes and phone digits are not repeated, not even in part. */
const ignored = (name: string, nearest: number | null): string =>
  ` It is ignored${nearest === null || name.startsWith('couriers.') ? '' : `; the nearest is ${nearest}`}.`;

/** The number that is nearest to a wrong one and right; null where none was meant. */
export function nearestNumber({ input, requirement, type }: v.BaseIssue<unknown>): number | null {
  const given = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  if (typeof given !== 'number' || !Number.isFinite(given)) return null;
  if (type === 'min_value' || type === 'max_value') return typeof requirement === 'number' ? requirement : null;
  if (type === 'integer') return Math.max(1, Math.floor(given));
  return type === 'number' ? given : null;
}

/** Puts a number in the place of a setting, or takes the setting out. */
function replaceAt(object: JsonObject, [name = '', ...deeper]: readonly string[], value: number | null): void {
  const inner = object[name];
  if (deeper.length > 0 && isJsonObject(inner)) replaceAt(inner, deeper, value);
  else if (value === null) Reflect.deleteProperty(object, name);
  else Reflect.set(object, name, value);
}

type Entries = Readonly<Record<string, unknown>>;

/** A schema itself, where what it stands for may be absent. */
const unwrapped = (part: unknown): unknown => (isJsonObject(part) && 'wrapped' in part ? part['wrapped'] : part);

/** What may stand in an object: settings of these names, or any name with the same settings below each; null for no object. */
function entryOf(schemaPart: unknown): ((name: string) => unknown) | null {
  const inner = unwrapped(schemaPart);
  if (!isJsonObject(inner)) return null;
  const { type, entries, value } = inner as {
    readonly type?: unknown;
    readonly entries?: Entries;
    readonly value?: unknown;
  };
  if (type === 'record') return () => value;
  return entries === undefined ? null : (name) => (Object.hasOwn(entries, name) ? entries[name] : undefined);
}

/** The schema of a setting; undefined for one that is not known. */
export function schemaAt(path: readonly string[]): unknown {
  return unwrapped(path.reduce<unknown>((above, name) => entryOf(above)?.(name), configSchema));
}

/** The names of all settings, or of those below a part of the schema; "couriers" stands for those of any courier. */
export function settingNames(schemaPart: unknown = configSchema, prefix = ''): readonly string[] {
  const inner = unwrapped(schemaPart);
  const entries = isJsonObject(inner) ? (inner as { readonly entries?: Entries }).entries : undefined;
  if (entries === undefined) return prefix === '' ? [] : [prefix];
  return Object.entries(entries).flatMap(([name, part]) =>
    settingNames(part, prefix === '' ? name : `${prefix}.${name}`),
  );
}

/** The settings that the program does not know. */
export function unknownSettings(
  settings: JsonObject,
  schemaPart: unknown = configSchema,
  prefix = '',
): readonly string[] {
  const entry = entryOf(schemaPart);
  if (entry === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const deeper = entry(name);
    if (deeper === undefined) return [path];
    return isJsonObject(value) ? unknownSettings(value, deeper, `${path}.`) : [];
  });
}

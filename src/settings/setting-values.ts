import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, valueAt } from '../lib/json.ts';
import { nearestWord } from '../lib/text.ts';
import { isSameAddress } from '../service/connection.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import { settingAt, settingProblems } from './check-settings.ts';
import { UsageError } from './errors.ts';
import { knownProfile } from './service-address.ts';
import type { Setting } from './setting-types.ts';
import { redactedStoreAddress } from './store-address.ts';
import { type ConfigFile, settingTable } from './table.ts';
import { splitCommand } from './usable-values.ts';

export type SettingPath = readonly [string, ...string[]];

/** A setting with its effective value and the origin of that value. */
export interface ResolvedSetting {
  readonly path: SettingPath;
  /** Null for an unknown setting. */
  readonly description: Setting | null;
  /** Null if nothing is set. */
  readonly value: unknown;
  /** An option, an environment variable, `config.json`, `profile NAME` or `default`. Null if nothing is set. */
  readonly origin: string | null;
  /** Whether it overrides a different value in the file. */
  readonly isOverridden: boolean;
  /** What is wrong with the value in the file, as a sentence, or null. */
  readonly problem: string | null;
  /** Whether the program rejects the file because of it. */
  readonly isRefused?: boolean | undefined;
}

/** The command-line options that set a setting, by its name. Absent if not given. */
export interface SettingOptions {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly store?: string;
  readonly zone?: string;
}

export interface SettingsSource {
  readonly options: SettingOptions;
  readonly environment: Environment;
  /** Content of the file, valid or not. */
  readonly file: JsonObject | ConfigFile;
}

const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? nonEmpty(value) : undefined;

/** Returns the value of a variable, or undefined if it is not set or not valid. */
function variableValue({ type }: Setting, text: string | undefined): unknown {
  const value = nonEmpty(text);
  if (type.kind !== 'number' || value === undefined) return value;
  const reading = type.read(Number(value));
  return 'value' in reading ? reading.value : undefined;
}

/**
 * Returns a setting's effective value: the first of option, variable, file and default that is set. Leaves `problem`
 * null.
 */
export function resolvedSetting(
  path: SettingPath,
  { options, environment, file: content }: SettingsSource,
): ResolvedSetting {
  const file = content as JsonObject;
  const description = settingAt(path);
  const { profileField, option, defaultValue, variable } = description ?? {};
  const inFile = valueAt(file, path);
  const fromProfile = (name: unknown): string | undefined =>
    profileField && knownProfile(textOrUndefined(name) ?? '')?.[profileField];
  const places: readonly (readonly [origin: string | undefined, value: unknown])[] = [
    [option, option && textOrUndefined(options[path[0] as keyof SettingOptions])],
    ['--profile', fromProfile(options.profile)],
    [variable, description && variable && variableValue(description, environment[variable])],
    ['PARCEL_MONITOR_PROFILE', fromProfile(environment['PARCEL_MONITOR_PROFILE'])],
    ['config.json', inFile],
    [`profile ${textOrUndefined(file['profile']) ?? ''}`, fromProfile(file['profile'])],
    ['default', defaultValue],
  ];
  const [origin = null, value = null] = places.find(([, found]) => found != null) ?? [];
  const isOverridden = inFile !== undefined && origin !== 'config.json' && !areEquivalent(path, inFile, value);
  return { path, description, value, origin, isOverridden, problem: null };
}

/** Returns the origin of a value as messages name it, including the file's setting, or null for a default. */
export function describeOrigin({ origin, path }: Pick<ResolvedSetting, 'origin' | 'path'>): string | null {
  if (origin === null || origin === 'default') return null;
  if (origin === 'config.json') return `config.json: ${path.join('.')}`;
  return origin.startsWith('profile ') ? 'config.json: profile' : origin;
}

function areEquivalent(path: SettingPath, a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return isDeepStrictEqual(a, b);
  return a === b || (path.join('.') === 'baseUrl' && isSameAddress(a, b));
}

/** Settings that are listed only if they are set. */
const hiddenUnlessSet = /^(?:service\.operations\.|notify\.\w+\.|\$schema$)/;

/** Returns all settings that are set or have a name of their own, in table order. Unknown ones come last. */
export function resolvedSettings(source: SettingsSource): readonly ResolvedSetting[] {
  const file = source.file as JsonObject;
  const inFile = leafPaths(file);
  const names = new Set(inFile.map((path) => path.join('.')));
  const listed = Object.keys(settingTable).filter(
    (name) => !name.includes('*') && (!hiddenUnlessSet.test(name) || names.has(name)),
  );
  const unlisted = inFile.filter((path) => !listed.includes(path.join('.')));
  const problems = new Map(settingProblems(file).map((problem) => [problem.name, problem]));
  return [...listed.map((name) => name.split('.') as [string, ...string[]]), ...unlisted].map((path) => {
    // The problem may be with an object that contains the setting.
    const problem = path
      .map((_, index) => problems.get(path.slice(0, index + 1).join('.')))
      .find((found) => found !== undefined);
    return { ...resolvedSetting(path, source), problem: problem?.sentence ?? null, isRefused: problem?.isRefused };
  });
}

/** Returns the paths of all values that are not objects. */
function leafPaths(object: JsonObject, parents: readonly string[] = []): readonly SettingPath[] {
  return Object.entries(object).flatMap(([name, value]): readonly SettingPath[] => {
    const path = [...parents, name];
    const isObject = isJsonObject(value) && Object.keys(value).length > 0 && settingAt(path) === null;
    return isObject ? leafPaths(value, path) : [path as [string, ...string[]]];
  });
}

/**
 * Parses a setting's value from command-line words: text, numbers and booleans as written; a list as several words, as
 * one word with commas or as JSON; an object as JSON. Throws a {@link UsageError} for any other kind of value.
 */
export function readSettingValue(path: readonly string[], words: readonly string[]): unknown {
  const name = path.join('.');
  const type = settingAt(path)?.type;
  const [first = '', ...more] = words;
  if (type === undefined || type.kind === 'object') return readJson(name, words.join(' '));
  if (type.kind === 'command') return more.length > 0 ? words : first.startsWith('[') ? readJson(name, first) : first;
  if (type.kind === 'list') {
    if (more.length === 0 && first.trim().startsWith('[')) return readJson(name, first);
    if (type.choices === undefined) return more.length === 0 ? splitCommand(first) : words;
    return words.flatMap((word) => word.split(/[\s,]+/)).filter((word) => word !== '');
  }
  if (more.length > 0) throw new UsageError(`"${name}" takes one value, not ${words.length}; put it in quotes.`);
  switch (type.kind) {
    case 'boolean':
      return readBoolean(name, first);
    case 'number':
      return readNumber(name, first);
    default:
      return first;
  }
}

function readBoolean(name: string, word: string): boolean {
  if (word === 'true' || word === 'false') return word === 'true';
  const intended = /^(?:y|yes|on|1)$/i.test(word)
    ? 'true'
    : /^(?:n|no|off|0)$/i.test(word)
      ? 'false'
      : nearestWord(word, ['true', 'false']);
  throw new UsageError(`"${name}" must be true or false${intended === null ? '' : `; did you mean ${intended}?`}`);
}

function readNumber(name: string, word: string): number {
  const value = Number(word);
  if (word.trim() !== '' && Number.isFinite(value)) return value;
  const leadingNumber = Number.parseFloat(word.replace(',', '.'));
  throw new UsageError(
    `"${name}" must be a number${Number.isFinite(leadingNumber) ? `; did you mean ${leadingNumber}?` : '.'}`,
  );
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`"${name}" must be JSON, quoted for the shell. You can also set its fields one by one.`, {
      cause,
    });
  }
}

const mask = '********';

export function plainValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the effective value or the default for display, without secrets. */
export function valueText(setting: ResolvedSetting): string {
  const { description, origin } = setting;
  if (origin === null) return description?.defaultText ?? '';
  const value = redactedValue(setting);
  return Array.isArray(value) ? value.map(itemText).join(', ') || 'none' : plainValue(value);
}

/** Returns a list item for display. An object is shown by its name. */
function itemText(item: unknown): string {
  const name = isJsonObject(item) ? item['name'] : null;
  return typeof name === 'string' ? name : plainValue(item);
}

export function originText({ description, origin, isOverridden, problem }: ResolvedSetting): string {
  if (problem !== null) return `${origin ?? 'config.json'}, invalid`;
  if (origin === null) return description?.defaultText === undefined ? 'not set' : 'default';
  return isOverridden ? `${origin}, overrides config.json` : origin;
}

/** Returns a value without its hidden parts. An unknown setting may be a misspelt key, so its value is hidden. */
export function redactedValue(setting: Pick<ResolvedSetting, 'description' | 'origin' | 'value'>): unknown {
  const { description, origin, value } = setting;
  if (origin === null) return null;
  if (description === null) return mask;
  switch (description.hidden) {
    case undefined:
      return value;
    case 'arguments':
      return withoutArguments(value);
    case 'password':
      return (typeof value === 'string' ? redactedStoreAddress(value) : null) ?? mask;
    default:
      return mask;
  }
}

function withoutArguments(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 1 ? [value[0], mask] : value;
  if (typeof value !== 'string') return mask;
  const [program = '', ...rest] = value.trim().split(/\s+/);
  return rest.length > 0 ? `${program} ${mask}` : program;
}

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, valueAt } from '../lib/json.ts';
import { nearestWord } from '../lib/text.ts';
import { parseConfigText } from './config-text.ts';
import { UsageError } from './errors.ts';
import type { Setting } from './setting-types.ts';
import { type ConfigFile, settings, settingTable } from './table.ts';

export interface SettingProblem {
  /** The setting's dotted name. Empty if the problem concerns several settings. */
  readonly name: string;
  /** The name of the list item, if only that is wrong. */
  readonly place?: string;
  /** Does not repeat the value, which may be the key or a postal code. */
  readonly sentence: string;
  /** Number of problems it stands for, if more than one. */
  readonly count?: number;
  /** Whether the program rejects the whole file instead of ignoring the setting. */
  readonly isRefused?: boolean;
}

export interface ConfigFileContent {
  readonly settings: ConfigFile;
  /** Sentences that name the file. */
  readonly warnings: readonly SettingProblem[];
}

interface InvalidSetting {
  readonly name: string;
  /** The name of the setting or of an item in its list. */
  readonly place: string;
  readonly problem: string;
  readonly nearest: number | null;
  readonly outcome: 'ignored' | 'refused' | { readonly replacement: number };
}

/** Reads each setting with its type. Omits and reports invalid and unknown settings. */
function inspect(content: JsonObject) {
  const invalid: InvalidSetting[] = [];
  const unknown: string[] = [];
  const read = (path: readonly string[], value: unknown): unknown => {
    const name = path.join('.');
    const setting = settingAt(path);
    if (setting !== null) {
      const reading = setting.type.read(value);
      if ('value' in reading) {
        for (const { at, problem } of reading.invalidParts ?? [])
          invalid.push({ name, place: `${name}.${at}`, problem, nearest: null, outcome: 'ignored' });
        return reading.value;
      }
      const { index, nearest = null } = reading;
      const replacement =
        setting.whenInvalid === 'nearest' && nearest !== null ? Math.max(1, Math.floor(nearest)) : undefined;
      const outcome =
        replacement !== undefined ? { replacement } : setting.whenInvalid === undefined ? 'ignored' : 'refused';
      const place = index === undefined ? name : `${name}.${index}`;
      invalid.push({ name, place, problem: reading.problem, nearest, outcome });
      return replacement;
    }
    if (!isGroup(path)) return void unknown.push(name);
    if (isJsonObject(value)) return readAll(value, path);
    const outcome = name === 'service' || name === 'budget' ? 'refused' : 'ignored';
    return void invalid.push({ name, place: name, problem: 'must be an object', nearest: null, outcome });
  };
  const readAll = (object: JsonObject, parents: readonly string[]): JsonObject => {
    const entries = Object.entries(object).map(([name, value]) => [name, read([...parents, name], value)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject;
  };
  return { settings: readAll(content, []), invalid, unknown };
}

/**
 * Parses the content of `config.json`. Omits and reports invalid and unknown settings. Rejects with a {@link
 * UsageError} if it is not a JSON object, or if a setting for addresses, times or limits is invalid.
 */
export async function parseConfigFile(content: string, path: string): Promise<ConfigFileContent> {
  const inspection = inspect(await readConfigObject(content, path));
  const problems = inspection.invalid.map(({ name, nearest, outcome, place, problem }) => {
    const ignored = ` It is ignored${nearest === null ? '' : `; the nearest valid value is ${nearest}`}.`;
    const end = outcome === 'refused' ? '' : outcome === 'ignored' ? ignored : ` ${outcome.replacement} is used.`;
    return { name, sentence: `"${place}" ${problem}.${end}`, isRefused: outcome === 'refused' };
  });
  const refused = problems.find(({ isRefused }) => isRefused);
  if (refused !== undefined) throw new UsageError(`${path}: ${refused.sentence}`);
  const unknown = inspection.unknown.map((name, at) => {
    const nearest = at < maxNamed ? nearestSetting(name) : null;
    const advice = nearest === null ? '' : `; the closest match is "${nearest}"`;
    return { name, sentence: `the setting "${shortenName(name)}" is unknown and ignored${advice}.` };
  });
  const warnings = [
    ...limitProblems(problems, 'invalid settings are ignored'),
    ...limitProblems(unknown, 'unknown settings are ignored'),
  ].map(({ count, name, sentence }) => ({ name, sentence: `${path}: ${sentence}`, ...(count && { count }) }));
  return { settings: inspection.settings as ConfigFile, warnings };
}

/** Returns the object in `config.json`. Rejects with a {@link UsageError} for any other content. */
export async function readConfigObject(content: string, path: string): Promise<JsonObject> {
  const parsed = await parseConfigText(content, path);
  if (isJsonObject(parsed)) return parsed;
  throw new UsageError(`${path}: the content must be an object, like {"baseUrl": "https://host/path"}.`);
}

/** Maximum number of problems of one kind to list. The rest are only counted. */
export const maxNamed = 10;

const shortenName = (name: string): string => (name.length <= 80 ? name : `${name.slice(0, 79)}…`);

function limitProblems(problems: readonly SettingProblem[], what: string): readonly SettingProblem[] {
  const more = problems.length - maxNamed;
  if (more <= 0) return problems;
  const rest = {
    name: '',
    sentence: `${more} more ${what}; "parcel-monitor config edit" opens the file.`,
    count: more,
  };
  return [...problems.slice(0, maxNamed), rest];
}

/** In the order in which the configuration is resolved, because a command reports only the first problem. */
const checkedNames = ['profile', 'baseUrl', 'service.header', 'service.clock', 'store', 'zone'] as const;

/**
 * Settings whose value may be unusable although its type is correct. `describeProblem` returns what is wrong, or null
 * if the value is usable or has the wrong type.
 */
export const valueChecks = checkedNames.map((name) => ({
  name,
  path: name.split('.') as [string, ...string[]],
  describeProblem: (value: unknown): string | null => {
    if (typeof value !== 'string' || value.trim() === '') return null;
    try {
      settings[name].use(value.trim());
      return null;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return error.message;
    }
  },
}));

/**
 * Returns all invalid and unknown settings. Used before settings are written, so it is stricter than {@link
 * parseConfigFile}.
 */
export function settingProblems(content: JsonObject): readonly SettingProblem[] {
  const { invalid, unknown } = inspect(content);
  return [
    ...invalid.map(({ name, nearest, outcome, place, problem }) => {
      const advice = nearest === null ? '' : `; the nearest valid value is ${nearest}`;
      return { name, place, sentence: `"${place}" ${problem}${advice}.`, isRefused: outcome === 'refused' };
    }),
    ...valueChecks.flatMap(({ describeProblem, name, path }) => {
      const problem = describeProblem(valueAt(content, path));
      const sentence = `"${name}" cannot be used: ${problem}`;
      return problem === null ? [] : [{ name, sentence, isRefused: true }];
    }),
    ...unknown.map((name, at) => {
      const nearest = at < maxNamed ? nearestSetting(name) : null;
      const advice =
        nearest === null ? '"parcel-monitor config list" lists all settings' : `the closest match is "${nearest}"`;
      return { name, sentence: `The setting "${shortenName(name)}" is not known; ${advice}.` };
    }),
  ];
}

const groups: ReadonlySet<string> = new Set(
  Object.keys(settings).flatMap((name) => {
    const parts = name.split('.');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
  }),
);

/**
 * Returns a setting's name in the table, where `*` is any courier code. Empty if a part contains a dot, which no known
 * name does.
 */
function tableName([first = '', ...rest]: readonly string[]): string {
  const parts = first === 'couriers' && rest.length > 0 ? [first, '*', ...rest.slice(1)] : [first, ...rest];
  return parts.some((part) => part.includes('.')) ? '' : parts.join('.');
}

/** Returns the setting at a path, or null if it is unknown or a group of settings. */
export function settingAt(path: readonly string[]): Setting | null {
  const name = tableName(path);
  return Object.hasOwn(settingTable, name) ? (settingTable[name] ?? null) : null;
}

/** Whether a setting affects only the board. Commands use the views, too. */
export const isBoardSetting = (name: string): boolean =>
  name !== 'views' && settingAt(name.split('.'))?.owner === 'screen';

export const isGroup = (path: readonly string[]): boolean => groups.has(tableName(path));

/** Longer names are not compared with the known ones. */
const maxNameLength = 80;
const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const parentName = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

/** Returns the known name that is nearest to an unknown one, in the same object first, or null. */
export function nearestSetting(name: string): string | null {
  if (name.length > maxNameLength) return null;
  const courier = name.startsWith('couriers.') ? (name.split('.')[1] ?? 'CODE') : 'CODE';
  const known = [...Object.keys(settings).map((key) => key.replace('*', courier)), 'couriers'];
  const differsInCase = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (differsInCase !== undefined) return differsInCase;
  const nearestIn = (names: readonly string[]): string | null => {
    const nearest = nearestWord(lastPart(name), names.map(lastPart));
    return names.find((candidate) => lastPart(candidate) === nearest) ?? null;
  };
  return nearestIn(known.filter((candidate) => parentName(candidate) === parentName(name))) ?? nearestIn(known);
}

/**
 * Returns the owners of the settings that differ between two files. Contains `undefined` if the core must be reopened.
 */
export function changedOwners(before: ConfigFile, after: ConfigFile): ReadonlySet<Setting['owner']> {
  const hasChanged = (name: string): boolean => {
    const path = name.replace(/\.\*.*/, '').split('.');
    return !isDeepStrictEqual(valueAt(before as JsonObject, path), valueAt(after as JsonObject, path));
  };
  return new Set(Object.entries(settingTable).flatMap(([name, { owner }]) => (hasChanged(name) ? [owner] : [])));
}

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, valueAt } from '../lib/json.ts';
import { isSameAddress } from '../service/address.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import { settingAt, settingProblems } from './check-settings.ts';
import { knownProfile } from './profiles.ts';
import type { Setting } from './setting-types.ts';
import { settingTable } from './table.ts';

/** The names that lead to a setting. */
export type SettingPath = readonly [string, ...string[]];

/** A setting with the value that applies, and where that comes from. */
export interface SettledSetting {
  readonly path: SettingPath;
  /** Null for one that is not known. */
  readonly description: Setting | null;
  /** Null when nothing is set. */
  readonly value: unknown;
  /** An option, a variable of the environment, `config.json`, `profile NAME` or `default`; null when nothing is set. */
  readonly origin: string | null;
  /** Whether the file says something else that is outranked. */
  readonly isOutranked: boolean;
  /** What is wrong with it in the file, as a sentence; null when nothing is. */
  readonly problem: string | null;
}

/** The options of the command line that are settings; absent when not given. */
export interface SettingOptions {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly store?: string;
  readonly zone?: string;
}

/** Where settings come from. */
export interface SettingsSource {
  readonly options: SettingOptions;
  readonly environment: Environment;
  /** Content of the file, right or wrong. */
  readonly file: JsonObject;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? nonEmpty(value) : undefined);

/** What a variable says; undefined for one that is ignored because it is not valid. */
function variableValue({ type }: Setting, text: string | undefined): unknown {
  const given = nonEmpty(text);
  if (type.kind !== 'number' || given === undefined) return given;
  const reading = type.read(Number(given));
  return 'value' in reading ? reading.value : undefined;
}

/** What a setting is and which place says so: option, variable, file, default, the first that says anything. Its `problem` is not looked for. */
export function settledSetting(path: SettingPath, { options, environment, file }: SettingsSource): SettledSetting {
  const description = settingAt(path);
  const { ofProfile, option, usual, variable } = description ?? {};
  const given = {
    '--base-url': options.baseUrl,
    '--profile': options.profile,
    '--store': options.store,
    '--zone': options.zone,
  };
  const inFile = valueAt(file, path);
  const fromProfile = (name: unknown): string | undefined => ofProfile && knownProfile(textOf(name) ?? '')?.[ofProfile];
  const places: readonly (readonly [origin: string | undefined, value: unknown])[] = [
    [option, option && textOf(given[option])],
    ['--profile', fromProfile(options.profile)],
    [variable, description && variable && variableValue(description, environment[variable])],
    ['PARCEL_MONITOR_PROFILE', fromProfile(environment['PARCEL_MONITOR_PROFILE'])],
    ['config.json', inFile],
    [`profile ${textOf(file['profile']) ?? ''}`, fromProfile(file['profile'])],
    ['default', usual],
  ];
  const [origin = null, value = null] = places.find(([, found]) => found != null) ?? [];
  const isOutranked = inFile !== undefined && origin !== 'config.json' && !saySame(path, inFile, value);
  return { path, description, value, origin, isOutranked, problem: null };
}

/** The place of a value as messages name it: which setting of the file. Null for a default. */
export function setByOf({ origin, path }: Pick<SettledSetting, 'origin' | 'path'>): string | null {
  if (origin === null || origin === 'default') return null;
  if (origin === 'config.json') return `config.json: ${path.join('.')}`;
  return origin.startsWith('profile ') ? 'config.json: profile' : origin;
}

function saySame(path: SettingPath, one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isDeepStrictEqual(one, other);
  return one === other || (path.join('.') === 'baseUrl' && isSameAddress(one, other));
}

/** Settings that are listed only if they are set. */
const rare = /^(?:service\.operations\.|\$schema$)/;

/** All settings that are set or have a name of their own, in the order of the table; those that are not known come last. */
export function settledSettings(source: SettingsSource): readonly SettledSetting[] {
  const inFile = leavesOf(source.file);
  const names = new Set(inFile.map((path) => path.join('.')));
  const listed = Object.keys(settingTable).filter(
    (name) => !name.includes('*') && (!rare.test(name) || names.has(name)),
  );
  const others = inFile.filter((path) => !listed.includes(path.join('.')));
  const problems = new Map(settingProblems(source.file).map(({ name, sentence }) => [name, sentence]));
  return [...listed.map((name) => name.split('.') as [string, ...string[]]), ...others].map((path) => {
    // A problem of the setting, or of the object that it is in.
    const problem = path.map((_, index) => problems.get(path.slice(0, index + 1).join('.'))).find((one) => one);
    return { ...settledSetting(path, source), problem: problem ?? null };
  });
}

/** Returns the paths of all values that are not objects. */
function leavesOf(object: JsonObject, above: readonly string[] = []): readonly SettingPath[] {
  return Object.entries(object).flatMap(([name, value]): readonly SettingPath[] => {
    const path = [...above, name];
    const isObject = isJsonObject(value) && Object.keys(value).length > 0;
    return isObject ? leavesOf(value, path) : [path as [string, ...string[]]];
  });
}

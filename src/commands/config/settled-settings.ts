import { isDeepStrictEqual } from 'node:util';
import { type Environment, nonEmpty } from '../../process/environment.ts';
import { isSameAddress } from '../../service/http/base-url.ts';
import { isJsonObject, type JsonObject, valueAt } from '../../service/text/json.ts';
import { settingProblems } from '../configuration/check-settings.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { leastMinutesVariable, parseLeastMinutes } from '../configuration/least-minutes.ts';
import { knownProfile } from '../configuration/profiles.ts';
import { describeSetting, type SettingDescription, settingTable } from '../configuration/setting-table.ts';

/** A setting with the value that holds, and where that comes from. */
export interface SettledSetting {
  readonly path: readonly [string, ...string[]];
  readonly description: SettingDescription | null;
  /** Any value of JSON; null when nothing is set. */
  readonly value: unknown;
  /** An option, a variable of the environment, `config.json`, `profile NAME` or `default`; null when nothing is set. */
  readonly origin: string | null;
  /** Whether the file says something else that is outranked. */
  readonly isOutranked: boolean;
  /** What is wrong with it in the file, as a sentence; null when nothing is. */
  readonly problem: string | null;
}

/** Where settings come from. */
export interface SettingsSource {
  readonly options: Pick<GlobalOptions, 'baseUrl' | 'profile' | 'store' | 'zone'>;
  readonly environment: Environment;
  /** The content of the file as it is, right or wrong. */
  readonly file: JsonObject;
}

/** Settings of which there are too many to list them where they stand as they usually do. */
const rare = /^(?:service\.operations\.|\$schema$)/;

/** All settings that are set or have a name of their own, in the order of the table; those that are not known come last. */
export function settledSettings(source: SettingsSource): readonly SettledSetting[] {
  const inFile = leavesOf(source.file);
  const names = inFile.map((path) => path.join('.'));
  const listed = Object.keys(settingTable).filter(
    (name) => !name.includes('*') && (!rare.test(name) || names.includes(name)),
  );
  const others = inFile.filter((path) => !listed.includes(path.join('.')));
  const problems = new Map(settingProblems(source.file).map(({ name, sentence }) => [name, sentence]));
  return [...listed.map((name) => name.split('.') as [string, ...string[]]), ...others].map((path) => ({
    ...settledSetting(path, source),
    problem: problemOf(path, problems),
  }));
}

/** One of them, whatever its name. Its `problem` is not looked for. */
export function settledSetting(
  path: readonly [string, ...string[]],
  { options, environment, file }: SettingsSource,
): SettledSetting {
  const description = describeSetting(path);
  const { option, variable, usual } = description ?? {};
  const given = {
    '--base-url': options.baseUrl,
    '--profile': options.profile,
    '--store': options.store,
    '--zone': options.zone,
  };
  const inFile = valueAt(file, path);
  const ofProfile = (profile: unknown): string | undefined => settingOfProfile(path.join('.'), textOf(profile));
  const places: readonly (readonly [origin: string | undefined, value: unknown])[] = [
    [option, option && textOf(given[option])],
    ['--profile', ofProfile(options.profile)],
    [variable, variable && valueIn(variable, environment)],
    ['PARCEL_MONITOR_PROFILE', ofProfile(environment['PARCEL_MONITOR_PROFILE'])],
    ['config.json', inFile],
    [`profile ${textOf(file['profile']) ?? ''}`, ofProfile(file['profile'])],
    ['default', usual],
  ];
  const [origin = null, value = null] = places.find(([, found]) => found !== undefined) ?? [];
  const isOutranked = inFile !== undefined && origin !== 'config.json' && !saySame(path, inFile, value);
  return { path, description, value, origin, isOutranked, problem: null };
}

/** Whether two values of a setting mean the same. */
function saySame(path: readonly string[], one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isDeepStrictEqual(one, other);
  return one === other || (path.join('.') === 'baseUrl' && isSameAddress(one, other));
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? nonEmpty(value) : undefined);

/** The value of a variable; undefined for one that is ignored because it is not valid. */
function valueIn(variable: string, environment: Environment): unknown {
  const text = textOf(environment[variable]);
  if (variable !== leastMinutesVariable || text === undefined) return text;
  return parseLeastMinutes(text) ?? undefined;
}

/** A profile says where the service is, and with which header. */
function settingOfProfile(name: string, profile: string | undefined): string | undefined {
  const known = profile === undefined ? null : knownProfile(profile);
  if (name === 'baseUrl') return known?.baseUrl;
  return name === 'service.header' ? known?.header : undefined;
}

/** The paths of all values that are no objects. */
function leavesOf(object: JsonObject, above: readonly string[] = []): readonly (readonly [string, ...string[]])[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const [first = name, ...rest] = above;
    const path: [string, ...string[]] = above.length === 0 ? [name] : [first, ...rest, name];
    return isJsonObject(value) && Object.keys(value).length > 0 ? leavesOf(value, path) : [path];
  });
}

/** A problem of a setting, or of the object that it stands in. */
function problemOf(path: readonly string[], problems: ReadonlyMap<string, string>): string | null {
  const names = path.map((_, index) => path.slice(0, index + 1).join('.'));
  return names.map((name) => problems.get(name)).find((sentence) => sentence !== undefined) ?? null;
}

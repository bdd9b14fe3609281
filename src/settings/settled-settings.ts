import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { isJsonObject, type JsonObject, valueAt } from '../lib/json.ts';
import { isSameAddress } from '../service/address.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import { configFileText } from './config-file.ts';
import {
  configSchema,
  issuesByName,
  mostNamed,
  nearestNumber,
  readConfigObject,
  type SettingProblem,
  settingNames,
  shownName,
  unknownSettings,
} from './config-schema.ts';
import { configuredClock, type GlobalOptions, namedZone, usableBaseUrl, usableHeader } from './configuration.ts';
import { UsageError } from './errors.ts';
import { nearestSetting } from './nearest-setting.ts';
import {
  describeSetting,
  knownProfile,
  leastMinutesVariable,
  parseLeastMinutes,
  profileNamed,
  type SettingDescription,
  settingTable,
} from './setting-table.ts';
import { readStore } from './store-choice.ts';

/**
 * Settings that look right by their shape and may still be of no use: their readers throw a `UsageError` then. In the order
 * in which a configuration is settled, so that the first one that is wrong is the one that a command complains of.
 */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  profile: profileNamed,
  baseUrl: usableBaseUrl,
  'service.header': usableHeader,
  'service.clock': (clock) => configuredClock(clock),
  store: readStore,
  zone: (zone) => namedZone(zone, () => 'UTC'),
};

/** All that is wrong with settings or not known. For what is about to be written; reading a file is more lenient. */
export function settingProblems(settings: JsonObject): readonly SettingProblem[] {
  return [...problemsOfShape(settings), ...problemsOfMeaning(settings), ...problemsOfName(settings)];
}

/** The settings that can be of no use though they look right, each with why a value is of none; null where it is, or looks wrong. */
export const usedByMeaning = Object.entries(readers).map(([name, read]) => ({
  name,
  complaintAbout: (value: unknown): string | null => {
    if (typeof value !== 'string' || value.trim() === '') return null;
    try {
      read(value.trim());
      return null;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return error.message;
    }
  },
}));

function problemsOfShape(settings: JsonObject): readonly SettingProblem[] {
  const { issues } = v.safeParse(configSchema, settings);
  return [...issuesByName(issues ?? [])].map(([name, issue]) => {
    const nearest = name.startsWith('couriers.') ? null : nearestNumber(issue);
    const advice = nearest === null ? '' : `; the nearest is ${nearest}`;
    return { name, sentence: `"${v.getDotPath(issue) ?? ''}" ${issue.message}${advice}.` };
  });
}

function problemsOfMeaning(settings: JsonObject): readonly SettingProblem[] {
  return usedByMeaning.flatMap(({ name, complaintAbout }) => {
    const complaint = complaintAbout(valueAt(settings, name.split('.')));
    return complaint === null ? [] : [{ name, sentence: `"${name}" cannot be used: ${complaint}` }];
  });
}

function problemsOfName(settings: JsonObject): readonly SettingProblem[] {
  const known = settingNames();
  return unknownSettings(settings).map((name, at) => {
    const meant = at < mostNamed ? nearestSetting(name, known) : null;
    const advice = meant === null ? '"parcel-monitor config list" names all' : `there is "${meant}"`;
    return { name, sentence: `The setting "${shownName(name)}" is not known; ${advice}.` };
  });
}

/**
 * All that stands in `config.json`, right or wrong; an empty object where there is no file. Rejects with a `UsageError`
 * when it cannot be read or is not valid JSON.
 */
export async function configFileContent(path: string): Promise<JsonObject> {
  const text = await configFileText(path);
  return text === null ? {} : await readConfigObject(text, path);
}

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

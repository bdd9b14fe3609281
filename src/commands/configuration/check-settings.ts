import * as v from 'valibot';
import { type JsonObject, valueAt } from '../../service/text/json.ts';
import { UsageError } from '../session/errors.ts';
import { configSchema, nearestNumber, settingNames, unknownSettings } from './config-schema.ts';
import { configuredClock, namedZone, usableBaseUrl, usableHeader } from './configuration.ts';
import { nearestSetting } from './nearest-setting.ts';
import { profileNamed } from './profiles.ts';
import { readStore } from './store-choice.ts';

/** What is wrong with a setting. */
export interface SettingProblem {
  /** The setting as written with dots. */
  readonly name: string;
  /** What is wrong, as a sentence. The value is not repeated where it may be a secret. */
  readonly sentence: string;
}

/**
 * Settings that look right by their shape and may still be of no use: their readers throw a `UsageError` then. In the order
 * in which a configuration is settled, so that the first one that is wrong is the one that a command complains of.
 */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  profile: profileNamed,
  baseUrl: usableBaseUrl,
  'service.header': usableHeader,
  'service.clock': configuredClock,
  store: readStore,
  zone: (zone) => namedZone(zone, () => 'UTC'),
};

/** All that is wrong with settings or not known. For what is about to be written; reading a file is more lenient. */
export function settingProblems(settings: JsonObject): readonly SettingProblem[] {
  return [...problemsOfShape(settings), ...problemsOfMeaning(settings), ...problemsOfName(settings)];
}

/** The settings that can be of no use though they look right, each with whether a text is of use. */
export const unusableByMeaning = Object.entries(readers).map(([name, read]) => ({
  name,
  isUsable: (text: string): boolean => {
    try {
      read(text);
      return true;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return false;
    }
  },
}));

function problemsOfShape(settings: JsonObject): readonly SettingProblem[] {
  const { issues } = v.safeParse(configSchema, settings);
  // One problem a setting.
  const byName = new Map((issues ?? []).map((issue) => [v.getDotPath(issue) ?? '', issue] as const).reverse());
  return [...byName].map(([name, issue]) => {
    const nearest = name.startsWith('couriers.') ? null : nearestNumber(issue);
    return { name, sentence: `"${name}" ${issue.message}${nearest === null ? '' : `; the nearest is ${nearest}`}.` };
  });
}

function problemsOfMeaning(settings: JsonObject): readonly SettingProblem[] {
  return Object.entries(readers).flatMap(([name, read]) => {
    const value = valueAt(settings, name.split('.'));
    if (typeof value !== 'string' || value.trim() === '') return [];
    try {
      read(value.trim());
      return [];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [{ name, sentence: `"${name}" cannot be used: ${error.message}` }];
    }
  });
}

function problemsOfName(settings: JsonObject): readonly SettingProblem[] {
  return unknownSettings(settings).map((name) => {
    const meant = nearestSetting(name, settingNames());
    const advice = meant === null ? '"parcel-monitor config list" names all' : `there is "${meant}"`;
    return { name, sentence: `The setting "${name}" is not known; ${advice}.` };
  });
}

import * as v from 'valibot';
import { type JsonObject, valueAt } from '../../service/text/json.ts';
import { UsageError } from '../session/errors.ts';
import {
  configSchema,
  issuesByName,
  mostNamed,
  nearestNumber,
  type SettingProblem,
  settingNames,
  shownName,
  unknownSettings,
} from './config-schema.ts';
import { configuredClock, namedZone, usableBaseUrl, usableHeader } from './configuration.ts';
import { nearestSetting } from './nearest-setting.ts';
import { profileNamed } from './profiles.ts';
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

import { schemaAt, settingNames } from '../configuration/config-schema.ts';
import { nearestSetting } from '../configuration/nearest-setting.ts';
import { settingTable } from '../configuration/setting-table.ts';
import { UsageError } from '../session/errors.ts';

/** The names that lead to a setting. */
export type SettingPath = readonly [string, ...string[]];

/** The names in a path such as `budget.queriesPerDay`. Throws a {@link UsageError} for what is none. */
export function readSettingPath(text: string): SettingPath {
  const [first = '', ...rest] = text.split('.');
  if ([first, ...rest].every((name) => name !== '')) return [first, ...rest];
  throw new UsageError(`"${text}" is no setting; write it like budget.queriesPerDay. ${allOfThem}`);
}

const allOfThem = '"parcel-monitor config list" names all.';

/** As {@link readSettingPath}, for a setting that is known, or an object of them; others name the nearest. */
export function knownSettingPath(text: string): SettingPath {
  const path = readSettingPath(text);
  if (schemaAt(path) !== undefined) return path;
  const known = [...settingNames(), ...Object.keys(settingTable).map((name) => name.replace('*', path[1] ?? 'CODE'))];
  const sameLetters = known.find((name) => name.toLowerCase() === text.toLowerCase());
  const meant = sameLetters ?? nearestSetting(text, known);
  throw new UsageError(`The setting "${text}" is not known; ${meant === null ? allOfThem : `did you mean ${meant}?`}`);
}

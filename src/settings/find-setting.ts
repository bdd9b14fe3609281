import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, valueAt } from '../lib/json.ts';
import { nearestWord } from '../lib/text.ts';
import type { Setting } from './setting-types.ts';
import { type ConfigFile, settings, settingTable } from './table.ts';

const groups: ReadonlySet<string> = new Set(
  Object.keys(settings).flatMap((name) => {
    const parts = name.split('.');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
  }),
);

/** A courier code may hold dots, no other part of a path does. */
function tableName([first = '', ...rest]: readonly string[]): string {
  const parts = first === 'couriers' && rest.length > 0 ? [first, '*', ...rest.slice(1)] : [first, ...rest];
  return parts.some((part) => part.includes('.')) ? '' : parts.join('.');
}

/** The setting of a path; null for one that is not known, and for an object of settings. */
export function settingAt(path: readonly string[]): Setting | null {
  const name = tableName(path);
  return Object.hasOwn(settingTable, name) ? (settingTable[name] ?? null) : null;
}

export const isGroup = (path: readonly string[]): boolean => groups.has(tableName(path));

/** No known name is near to a longer one. */
const longestName = 80;
const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const above = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

/** The known name that an unknown one is nearest to, first in the same object; null when none is near. */
export function nearestSetting(name: string): string | null {
  if (name.length > longestName) return null;
  const courier = name.startsWith('couriers.') ? (name.split('.')[1] ?? 'CODE') : 'CODE';
  const known = [...Object.keys(settings).map((one) => one.replace('*', courier)), 'couriers'];
  const sameLetters = known.find((one) => one.toLowerCase() === name.toLowerCase());
  if (sameLetters !== undefined) return sameLetters;
  const near = (names: readonly string[]): string | null => {
    const meant = nearestWord(lastPart(name), names.map(lastPart));
    return names.find((one) => lastPart(one) === meant) ?? null;
  };
  return near(known.filter((one) => above(one) === above(name))) ?? near(known);
}

const inFile = 'config.json: ';

/** The first of these places that is a setting of the file and decides where a secret goes; null for none. */
export function leadingSetting(secret: Setting['leads'], places: readonly (string | null)[]): string | null {
  const names = places.flatMap((place) => (place?.startsWith(inFile) === true ? [place.slice(inFile.length)] : []));
  return names.find((name) => settingAt(name.split('.'))?.leads === secret) ?? null;
}

/** Who takes over what differs between two files; `undefined` for what opens all that is behind the screen anew. */
export function changedOwners(one: ConfigFile, other: ConfigFile): ReadonlySet<Setting['owner']> {
  const differs = (name: string): boolean => {
    const path = name.replace(/\.\*.*/, '').split('.');
    return !isDeepStrictEqual(valueAt(one as JsonObject, path), valueAt(other as JsonObject, path));
  };
  return new Set(Object.entries(settingTable).flatMap(([name, { owner }]) => (differs(name) ? [owner] : [])));
}

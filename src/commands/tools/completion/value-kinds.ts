import { sortOrders } from '../../../board/list/sort-orders.ts';
import { stages } from '../../../service/record/status.ts';
import { choicesOf, isList } from '../../config/read-setting-value.ts';
import { profileNames } from '../../configuration/profiles.ts';
import { settingTable } from '../../configuration/setting-table.ts';
import { parcelColumns } from '../../output/parcel-columns.ts';

/** Shells that can be completed in. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What has to be looked up when a value of this kind is completed; `files` and `programs` are for the shell. */
export type ValueKind =
  | 'couriers'
  | 'parcels'
  /** As `parcels`, and behind an `@` any courier. */
  | 'any-parcels'
  /** A number that is not known, with a courier behind an `@`. */
  | 'new-parcels'
  | 'removed-parcels'
  | 'backups'
  | 'tags'
  | 'zones'
  | 'settings'
  | 'filter'
  | 'column-map'
  | 'faults'
  | 'files'
  | 'programs';

/** Values of options, whichever command takes them: a kind, or the words themselves. */
const optionValues: Readonly<Record<string, ValueKind | readonly string[]>> = {
  '--courier': 'couriers',
  '--parcel': 'removed-parcels',
  '--filter': 'filter',
  '--map': 'column-map',
  '--fault': 'faults',
  '--tag': 'tags',
  '--untag': 'tags',
  '--zone': 'zones',
  '--config': 'files',
  '--output': 'files',
  '--scan': 'files',
  '--left': 'files',
  '--stage': stages,
  '--sort': sortOrders,
  '--columns': parcelColumns,
  '--profile': profileNames,
  '--store': ['file', 'postgres://'],
};

/** Values of arguments, by command and the name of the argument. */
const argumentValues: Readonly<Record<string, ValueKind | readonly string[]>> = {
  'add number': 'new-parcels',
  'show number': 'any-parcels',
  'edit number': 'parcels',
  'remove number': 'parcels',
  'refresh number': 'parcels',
  'restore backup': 'backups',
  'import file': 'files',
  'couriers text': 'couriers',
  'completion shell': shells,
  'config path': 'settings',
};

/** What the value of an option can be; null where nothing is known of it. */
export function valueOfOption(option: string): ValueKind | readonly string[] | null {
  return Object.hasOwn(optionValues, option) ? (optionValues[option] ?? null) : null;
}

/** What an argument of a command can be, behind these others; null where nothing is known of it. */
export function valueOfArgument(
  command: string,
  argument: string,
  given: readonly string[],
): ValueKind | readonly string[] | null {
  if (command === 'config' && argument === 'value') {
    const [action, path = '', ...values] = given;
    return action === 'set' ? valueOfSetting(path, values) : null;
  }
  const name = `${command} ${argument}`;
  return Object.hasOwn(argumentValues, name) ? (argumentValues[name] ?? null) : null;
}

/** Settings of which a value is a program with its arguments, or a file. */
const settingValues: Readonly<Record<string, readonly [ValueKind, ...ValueKind[]]>> = {
  apiKeyFile: ['files'],
  apiKeyCommand: ['programs', 'files'],
  storePasswordCommand: ['programs', 'files'],
  'notify.command': ['programs', 'files'],
};

/** What may stand behind the values that a setting was given already. */
function valueOfSetting(path: string, values: readonly string[]): ValueKind | readonly string[] | null {
  const name = path.replace(/^couriers\.[^.]+\./, 'couriers.*.');
  const setting = Object.hasOwn(settingTable, name) ? settingTable[name] : undefined;
  if (setting === undefined) return null;
  const kinds = Object.hasOwn(settingValues, name) ? settingValues[name] : undefined;
  if (kinds !== undefined) return kinds[values.length] ?? kinds.at(1) ?? null;
  const names = path.split('.');
  if (values.length > 0 && !isList(names)) return null;
  if (setting.option !== undefined) return valueOfOption(setting.option);
  const choices = choicesOf(names);
  if (choices.length > 0) return choices.filter((choice) => !values.includes(choice));
  return (setting.examples ?? []).flat().map(String);
}

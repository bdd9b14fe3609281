import { stages } from '../../../service/record/status.ts';

/** Shells that can be completed in. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What has to be looked up when a value of this kind is completed; `files` and `programs` are for the shell. */
export type ValueKind = 'couriers' | 'parcels' | 'tags' | 'zones' | 'settings' | 'files' | 'programs';

/** Values of options, whichever command takes them: a kind, or the words themselves. */
const optionValues: Readonly<Record<string, ValueKind | readonly string[]>> = {
  '--courier': 'couriers',
  '--parcel': [],
  '--tag': 'tags',
  '--untag': 'tags',
  '--zone': 'zones',
  '--config': 'files',
  '--output': 'files',
  '--scan': 'files',
  '--stage': stages,
  '--profile': ['track123'],
};

/** Values of arguments, by command and the name of the argument. */
const argumentValues: Readonly<Record<string, ValueKind | readonly string[]>> = {
  'show number': 'parcels',
  'edit number': 'parcels',
  'remove number': 'parcels',
  'refresh number': 'parcels',
  'import file': 'files',
  'couriers text': 'couriers',
  'completion shell': shells,
  'config path': 'settings',
};

/** What the value of an option can be; null where nothing is known of it. */
export function valueOfOption(option: string): ValueKind | readonly string[] | null {
  return Object.hasOwn(optionValues, option) ? (optionValues[option] ?? null) : null;
}

/** What an argument of a command can be; null where nothing is known of it. */
export function valueOfArgument(command: string, argument: string): ValueKind | readonly string[] | null {
  const name = `${command} ${argument}`;
  return Object.hasOwn(argumentValues, name) ? (argumentValues[name] ?? null) : null;
}

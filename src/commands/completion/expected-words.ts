import { sortOrders } from '../../board/list/sort-orders.ts';
import { stages } from '../../service/status.ts';
import { settingAt } from '../../settings/find-setting.ts';
import { profileNames } from '../../settings/profiles.ts';
import { parcelColumns } from '../export-format.ts';
import type { CommandEntry, OptionEntry } from '../program/command-row.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** `files` and `programs` are completed by the shell. */
export type ValueKind =
  | 'couriers'
  | 'parcels'
  | 'any-parcels'
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

function valueOfOption(option: string): ValueKind | readonly string[] | null {
  return Object.hasOwn(optionValues, option) ? (optionValues[option] ?? null) : null;
}

function valueOfArgument(
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

const settingValues: Readonly<Record<string, readonly [ValueKind, ...ValueKind[]]>> = {
  apiKeyFile: ['files'],
  apiKeyCommand: ['programs', 'files'],
  storePasswordCommand: ['programs', 'files'],
  'notify.command': ['programs', 'files'],
};

function valueOfSetting(path: string, values: readonly string[]): ValueKind | readonly string[] | null {
  const name = path.replace(/^couriers\.[^.]+\./, 'couriers.*.');
  const names = path.split('.');
  const setting = settingAt(names);
  if (setting === null) return null;
  const kinds = Object.hasOwn(settingValues, name) ? settingValues[name] : undefined;
  if (kinds !== undefined) return kinds[values.length] ?? kinds.at(1) ?? null;
  if (values.length > 0 && setting.type.kind !== 'list') return null;
  if (setting.option !== undefined) return valueOfOption(setting.option);
  const { choices } = setting.type;
  if (choices.length > 0) return choices.filter((choice) => !values.includes(choice));
  return (setting.examples ?? []).flat().map(String);
}

export interface OfferedWord {
  readonly word: string;
  readonly about: string;
}

export const bareWord = (word: string): OfferedWord => ({ word, about: '' });

type Expected = { readonly kind: 'words'; readonly words: readonly OfferedWord[] } | { readonly kind: ValueKind };

interface Expectation {
  readonly expected: Expected;
  readonly prefix: string;
}

interface Place {
  readonly command: CommandEntry;
  /** Its arguments so far. */
  readonly given: readonly string[];
  readonly pending: OptionEntry | null;
  /** After "--" nothing is an option. */
  readonly isAfterOptions: boolean;
  /** Null where no command of the user's is expected. */
  readonly hookWords: number | null;
}

const nothing: Expected = { kind: 'words', words: [] };

/** `before` are the words after the program's name; `current` may be empty. */
export function expectedWords(root: CommandEntry, before: readonly string[], current: string): Expectation {
  const place = placeBehind(root, before);
  const { command, given, hookWords, isAfterOptions, pending } = place;
  const plain = (expected: Expected): Expectation => ({ expected, prefix: '' });
  if (hookWords !== null) return plain({ kind: hookWords === 0 ? 'programs' : 'files' });
  if (pending !== null) return plain(optionValue(pending));
  if (!isAfterOptions && current.startsWith('-')) {
    const name = /^(--[^=]+)=/.exec(current)?.[1];
    if (name === undefined) return plain(words(optionsOf(root, command).map(offeredOption)));
    const option = optionNamed(root, command, name);
    return { expected: option === undefined ? nothing : optionValue(option), prefix: `${name}=` };
  }
  if (given.length === 0 && command.commands.length > 0) return plain(words(command.commands.map(offeredCommand)));
  return plain(argumentValue(root, place));
}

function placeBehind(root: CommandEntry, before: readonly string[]): Place {
  let command = root;
  let given: string[] = [];
  let pending: OptionEntry | null = null;
  let isAfterOptions = false;
  for (const [index, word] of before.entries()) {
    if (pending !== null) {
      pending = null;
    } else if (!isAfterOptions && word === '--') {
      isAfterOptions = true;
    } else if (!isAfterOptions && word.length > 1 && word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2);
      if (name === '--exec') {
        return { command, given, pending: null, isAfterOptions, hookWords: before.length - index - 1 };
      }
      const option = optionNamed(root, command, name);
      if (option?.value != null && value === undefined) pending = option;
    } else {
      const below: CommandEntry | undefined =
        given.length === 0 ? command.commands.find(({ name }) => name === word) : undefined;
      if (below === undefined) given.push(word);
      else [command, given] = [below, []];
    }
  }
  return { command, given, pending, isAfterOptions, hookWords: null };
}

function optionsOf(root: CommandEntry, command: CommandEntry): readonly OptionEntry[] {
  const { options } = command;
  // A subcommand takes the global options too, even where a parent defines them.
  const missing = root.options.filter(({ group, long }) => group !== null && !options.some((one) => one.long === long));
  return command === root ? options : [...options, ...missing];
}

function optionNamed(root: CommandEntry, command: CommandEntry, name: string): OptionEntry | undefined {
  return [...command.options, ...root.options].find(({ long, short }) => long === name || short === name);
}

function optionValue({ choices, long, value }: OptionEntry): Expected {
  if (choices.length > 0) return words(choices.map(bareWord));
  return value === null ? nothing : ofKind(valueOfOption(long));
}

function argumentValue(root: CommandEntry, { command, given }: Place): Expected {
  const { commandArguments, name } = command;
  if (name === 'help' && given.length === 0) return words(root.commands.map(offeredCommand));
  const last = commandArguments.at(-1);
  const argument = commandArguments[given.length] ?? (last?.isRepeated === true ? last : undefined);
  if (argument === undefined) return words(optionsOf(root, command).map(offeredOption));
  if (argument.choices.length > 0) return words(argument.choices.map(bareWord));
  return ofKind(valueOfArgument(name, argument.name, given));
}

const ofKind = (value: ValueKind | readonly string[] | null): Expected => {
  if (value === null) return nothing;
  return typeof value === 'string' ? { kind: value } : words(value.map(bareWord));
};

const words = (offered: readonly OfferedWord[]): Expected => ({ kind: 'words', words: offered });
const offeredCommand = ({ description, name }: CommandEntry): OfferedWord => ({ word: name, about: description });
const offeredOption = ({ description, long }: OptionEntry): OfferedWord => ({ word: long, about: description });

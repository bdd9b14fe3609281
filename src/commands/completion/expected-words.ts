import type { Command, Option } from 'commander';
import { columnNames } from '../../board/columns.ts';
import { sortOrders } from '../../board/list/sort-orders.ts';
import { stages } from '../../service/status.ts';
import { settingAt } from '../../settings/check-settings.ts';
import { profileNames } from '../../settings/service-address.ts';
import { globalGroup } from '../program/help-text.ts';
import { bareWord, type OfferedWord, type OfferKind } from './offered-words.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** The shell itself completes `files` and `programs`. */
type ValueKind = OfferKind | 'files' | 'programs';

type Values = ValueKind | readonly string[];

const optionValues = new Map<string, Values>([
  ['--courier', 'couriers'],
  ['--parcel', 'removed-parcels'],
  ['--filter', 'filter'],
  ['--view', 'views'],
  ['--map', 'column-map'],
  ['--fault', 'faults'],
  ['--tag', 'tags'],
  ['--untag', 'tags'],
  ['--zone', 'zones'],
  ['--config', 'files'],
  ['--output', 'files'],
  ['--scan', 'files'],
  ['--left', 'files'],
  ['--stage', stages],
  ['--sort', sortOrders],
  ['--columns', columnNames],
  ['--profile', profileNames],
  ['--store', ['file', 'postgres://']],
]);

const argumentValues = new Map<string, Values>([
  ['add number', 'new-parcels'],
  ['show number', 'any-parcels'],
  ['edit number', 'parcels'],
  ['remove number', 'parcels'],
  ['refresh number', 'parcels'],
  ['restore backup', 'backups'],
  ['import file', 'files'],
  ['couriers text', 'couriers'],
  ['completion shell', [...shells, 'install']],
  ['completion line', shells],
  ['config path', 'settings'],
]);

const commandSettings = ['apiKeyCommand', 'storePasswordCommand', 'notify.command'];

function settingValues(path: string, values: readonly string[]): Values {
  const setting = settingAt(path.split('.'));
  if (setting === null) return [];
  if (path === 'apiKeyFile') return 'files';
  if (commandSettings.includes(path)) return values.length === 0 ? 'programs' : 'files';
  if (values.length > 0 && setting.type.kind !== 'list') return [];
  if (setting.option !== undefined) return optionValues.get(setting.option) ?? [];
  const { choices } = setting.type;
  if (choices !== undefined) return choices.filter((choice) => !values.includes(choice));
  return (setting.examples ?? []).flat().map(String);
}

interface Expectation {
  readonly expected: ValueKind | readonly OfferedWord[];
  readonly prefix: string;
}

interface Place {
  readonly command: Command;
  /** The command's arguments so far. */
  readonly args: readonly string[];
  readonly pending: Option | null;
  /** True after "--", where nothing is an option. */
  readonly isAfterOptions: boolean;
}

/**
 * @param before the words after the program's name
 * @param current the word being typed, which may be empty
 */
export function expectedWords(root: Command, before: readonly string[], current: string): Expectation {
  const execIndex = before.indexOf('--exec');
  if (execIndex !== -1) return { expected: execIndex === before.length - 1 ? 'programs' : 'files', prefix: '' };
  const place = findPlace(root, before);
  const { command, isAfterOptions, pending } = place;
  if (pending !== null) return { expected: expectOptionValue(pending), prefix: '' };
  if (isAfterOptions || !current.startsWith('-')) return { expected: expectArgument(root, place), prefix: '' };
  const name = /^(--[^=]+)=/.exec(current)?.[1];
  if (name === undefined) return { expected: listOptions(root, command), prefix: '' };
  return { expected: expectOptionValue(findOption(root, command, name)), prefix: `${name}=` };
}

function findPlace(root: Command, before: readonly string[]): Place {
  let command = root;
  let args: string[] = [];
  let pending: Option | null = null;
  let isAfterOptions = false;
  for (const word of before) {
    if (pending !== null) {
      pending = null;
    } else if (!isAfterOptions && word === '--') {
      isAfterOptions = true;
    } else if (!isAfterOptions && word.length > 1 && word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2);
      const option = findOption(root, command, name);
      if (option !== undefined && takesValue(option) && value === undefined) pending = option;
    } else {
      const subcommand: Command | undefined =
        args.length === 0 ? listSubcommands(command).find((candidate) => candidate.name() === word) : undefined;
      if (subcommand === undefined) args.push(word);
      else [command, args] = [subcommand, []];
    }
  }
  return { command, args, pending, isAfterOptions };
}

const takesValue = ({ optional, required }: Option): boolean => optional || required;

/** Includes the "help" command. */
const listSubcommands = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);

/** Includes the global options, which every command accepts. */
function listOptions(root: Command, command: Command): readonly OfferedWord[] {
  const [commandOptions, rootOptions] = [command, root].map((target) => target.createHelp().visibleOptions(target)) as [
    Option[],
    Option[],
  ];
  const known = new Set(commandOptions.map(({ long }) => long));
  const others = rootOptions.filter(
    ({ helpGroupHeading, long }) => helpGroupHeading === globalGroup && !known.has(long),
  );
  return [...commandOptions, ...others].flatMap(({ description, long }) =>
    long === undefined ? [] : [{ word: long, about: description }],
  );
}

function findOption(root: Command, command: Command, name: string): Option | undefined {
  return [...command.options, ...root.options].find(({ long, short }) => long === name || short === name);
}

function expectOptionValue(option: Option | undefined): Expectation['expected'] {
  if (option === undefined || !takesValue(option)) return [];
  return toExpectation(option.argChoices ?? optionValues.get(option.long ?? '') ?? []);
}

function expectArgument(root: Command, { command, args }: Place): Expectation['expected'] {
  const name = command.name();
  const subcommands = listSubcommands(name === 'help' ? root : command);
  if (args.length === 0 && subcommands.length > 0)
    return subcommands.map((subcommand) => ({ word: subcommand.name(), about: subcommand.description() }));
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[args.length] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return listOptions(root, command);
  if (argument.argChoices !== undefined) return toExpectation(argument.argChoices);
  if (name !== 'config' || argument.name() !== 'value')
    return toExpectation(argumentValues.get(`${name} ${argument.name()}`) ?? []);
  const [action, path = '', ...values] = args;
  return action === 'set' ? toExpectation(settingValues(path, values)) : [];
}

const toExpectation = (values: Values): Expectation['expected'] =>
  typeof values === 'string' ? values : values.map(bareWord);

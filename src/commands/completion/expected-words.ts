import type { Command, Option } from 'commander';
import { sortOrders } from '../../board/list/sort-orders.ts';
import { columnWords } from '../../board/views.ts';
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
  ['--columns', columnWords],
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

function valuesOfSetting(path: string, given: readonly string[]): Values {
  const setting = settingAt(path.split('.'));
  if (setting === null) return [];
  if (path === 'apiKeyFile') return 'files';
  if (commandSettings.includes(path)) return given.length === 0 ? 'programs' : 'files';
  if (given.length > 0 && setting.type.kind !== 'list') return [];
  if (setting.option !== undefined) return optionValues.get(setting.option) ?? [];
  const { choices } = setting.type;
  if (choices !== undefined) return choices.filter((choice) => !given.includes(choice));
  return (setting.examples ?? []).flat().map(String);
}

interface Expectation {
  readonly expected: ValueKind | readonly OfferedWord[];
  readonly prefix: string;
}

interface Place {
  readonly command: Command;
  /** Its arguments so far. */
  readonly given: readonly string[];
  readonly pending: Option | null;
  /** True after "--", where nothing is an option. */
  readonly isAfterOptions: boolean;
}

/**
 * @param before the words after the program's name
 * @param current the word being typed, which may be empty
 */
export function expectedWords(root: Command, before: readonly string[], current: string): Expectation {
  const hook = before.indexOf('--exec');
  if (hook !== -1) return { expected: hook === before.length - 1 ? 'programs' : 'files', prefix: '' };
  const place = placeBehind(root, before);
  const { command, isAfterOptions, pending } = place;
  if (pending !== null) return { expected: optionValue(pending), prefix: '' };
  if (isAfterOptions || !current.startsWith('-')) return { expected: argumentValue(root, place), prefix: '' };
  const name = /^(--[^=]+)=/.exec(current)?.[1];
  if (name === undefined) return { expected: optionsOf(root, command), prefix: '' };
  return { expected: optionValue(optionNamed(root, command, name)), prefix: `${name}=` };
}

function placeBehind(root: Command, before: readonly string[]): Place {
  let command = root;
  let given: string[] = [];
  let pending: Option | null = null;
  let isAfterOptions = false;
  for (const word of before) {
    if (pending !== null) {
      pending = null;
    } else if (!isAfterOptions && word === '--') {
      isAfterOptions = true;
    } else if (!isAfterOptions && word.length > 1 && word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2);
      const option = optionNamed(root, command, name);
      if (option !== undefined && takesValue(option) && value === undefined) pending = option;
    } else {
      const below: Command | undefined =
        given.length === 0 ? commandsOf(command).find((one) => one.name() === word) : undefined;
      if (below === undefined) given.push(word);
      else [command, given] = [below, []];
    }
  }
  return { command, given, pending, isAfterOptions };
}

const takesValue = ({ optional, required }: Option): boolean => optional || required;

/** Includes the "help" command. */
const commandsOf = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);

/** Includes the global options, which every command accepts. */
function optionsOf(root: Command, command: Command): readonly OfferedWord[] {
  const [own, ofRoot] = [command, root].map((one) => one.createHelp().visibleOptions(one)) as [Option[], Option[]];
  const known = new Set(own.map(({ long }) => long));
  const others = ofRoot.filter(({ helpGroupHeading, long }) => helpGroupHeading === globalGroup && !known.has(long));
  return [...own, ...others].flatMap(({ description, long }) =>
    long === undefined ? [] : [{ word: long, about: description }],
  );
}

function optionNamed(root: Command, command: Command, name: string): Option | undefined {
  return [...command.options, ...root.options].find(({ long, short }) => long === name || short === name);
}

function optionValue(option: Option | undefined): Expectation['expected'] {
  if (option === undefined || !takesValue(option)) return [];
  return offered(option.argChoices ?? optionValues.get(option.long ?? '') ?? []);
}

function argumentValue(root: Command, { command, given }: Place): Expectation['expected'] {
  const name = command.name();
  const listed = commandsOf(name === 'help' ? root : command);
  if (given.length === 0 && listed.length > 0)
    return listed.map((one) => ({ word: one.name(), about: one.description() }));
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[given.length] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return optionsOf(root, command);
  if (argument.argChoices !== undefined) return offered(argument.argChoices);
  if (name !== 'config' || argument.name() !== 'value')
    return offered(argumentValues.get(`${name} ${argument.name()}`) ?? []);
  const [action, path = '', ...values] = given;
  return action === 'set' ? offered(valuesOfSetting(path, values)) : [];
}

const offered = (values: Values): Expectation['expected'] =>
  typeof values === 'string' ? values : values.map(bareWord);

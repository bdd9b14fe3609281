import { Argument, type Command, Option } from 'commander';
import type { GlobalOptions } from '../configuration/configuration.ts';
import type { CommandRow, OptionRow } from './command-row.ts';
import { globalGroup, helpBelow } from './help-text.ts';
import { usageSentence } from './usage-sentence.ts';

/** The options that every command takes, so that they may stand before and after its name. */
const globalOptions: { readonly [Name in keyof GlobalOptions]-?: OptionRow } = {
  baseUrl: ['--base-url <url>', "address of the service's gateway"],
  profile: ['--profile <name>', 'a known deployment of the service: track123'],
  config: ['--config <file>', 'configuration file'],
  zone: ['--zone <zone>', 'your time zone: a name such as Europe/Berlin, utc or local'],
  store: ['--store <address>', 'where the watchlist is: file, or postgres://user@host/database'],
  color: ['--no-color', 'no colours'],
  ascii: ['--ascii', 'ASCII signs only'],
};

/** Gives a command what its row says of it. */
export function defineCommand(command: Command, row: CommandRow, version: string): void {
  command.configureOutput({ outputError: (text, write) => write(usageSentence(text, command)) });
  if (row.usage !== undefined) command.usage(row.usage);
  addGlobalOptions(command, row, version);
  addOwnOptions(command, row);
  command.passThroughOptions(row.passesOptions ?? false);
  for (const text of helpBelow(row)) command.addHelpText('after', text);
}

/** Adds the options that every command takes, but for those in whose place it has its own, and the one that prints the version. */
export function addGlobalOptions(command: Command, { options }: CommandRow, version: string): void {
  for (const [name, row] of Object.entries(globalOptions))
    if (!Object.hasOwn(options, name)) command.addOption(optionOf(row).helpGroup(globalGroup));
  command.version(version, '-V, --version', 'print the version');
  command.options.find(({ long }) => long === '--version')?.helpGroup(globalGroup);
}

/** Adds what only this command takes. */
export function addOwnOptions(command: Command, row: CommandRow): void {
  for (const [name, about, choices] of row.arguments ?? []) {
    const argument = new Argument(name, about);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of Object.values(row.options)) command.addOption(optionOf(option));
}

function optionOf([flags, about, more = {}]: OptionRow): Option {
  const { choices, conflicts = [], isHidden = false, isRepeated = false, read, usual } = more;
  const option = new Option(flags, about).conflicts([...conflicts]).hideHelp(isHidden);
  if (choices !== undefined) option.choices(choices);
  if (isRepeated) option.argParser<readonly string[]>((value, before) => [...(before ?? []), value]);
  if (read !== undefined) option.argParser(read);
  return usual === undefined ? option : option.default(usual);
}

/** What was given of the options that every command takes, before and after the command's name; after it outranks before it. */
export function globalOptionsOf(program: Command, command: Command): GlobalOptions {
  const before = program.opts<Partial<GlobalOptions>>();
  const after = command.opts<Partial<GlobalOptions>>();
  const { zone: _zone, ...others } = { ...before, ...after };
  // To `show`, these two say which of the clocks the timeline takes; they name none.
  const isZone = (zone: string): boolean => command.name() !== 'show' || !/^(?:event|local)$/i.test(zone);
  const zone = [after.zone, before.zone].find((given) => given !== undefined && isZone(given));
  return {
    ...others,
    ...(zone === undefined ? {} : { zone }),
    ascii: (before.ascii ?? false) || (after.ascii ?? false),
    color: (before.color ?? true) && (after.color ?? true),
  };
}

/** What was given of a command's own options; those that the program takes as well may stand before the command's name. */
export function ownOptionsOf(
  program: Command,
  command: Command,
  { options }: CommandRow,
): Readonly<Record<string, unknown>> {
  const given = { ...program.opts(), ...command.opts() };
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(options, name)));
}

import type { Argument, Command, Option } from 'commander';

/** An argument of a command, as its help shows it. */
export interface ArgumentEntry {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether it may be given several times. */
  readonly isRepeated: boolean;
  readonly description: string;
  /** What it may be, where that is one of a few words; else empty. */
  readonly choices: readonly string[];
}

/** An option of a command, as its help shows it. */
export interface OptionEntry {
  /** With its dashes. */
  readonly long: string;
  /** With its dash; null for none. */
  readonly short: string | null;
  /** Name of its value, such as `code`; null where it takes none. */
  readonly value: string | null;
  readonly description: string;
  /** What its value may be, where that is one of a few words; else empty. */
  readonly choices: readonly string[];
  /** The heading in the help below which it stands; null for the usual one. */
  readonly group: string | null;
}

/** A command as its help shows it: what completion and the manual are made from. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /** What stands behind its name, such as `[options] <number...>`. */
  readonly usage: string;
  readonly commandArguments: readonly ArgumentEntry[];
  readonly options: readonly OptionEntry[];
  readonly commands: readonly CommandEntry[];
  /** What its help says below the options; empty for nothing. */
  readonly notes: string;
}

/** Describes a command whose arguments and options are defined, and those below it; what is hidden is left out. */
export function describeCommand(command: Command): CommandEntry {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    usage: command.usage(),
    commandArguments: command.registeredArguments.filter(({ description }) => description !== '').map(argumentEntry),
    options: help.visibleOptions(command).flatMap(optionEntry),
    commands: help.visibleCommands(command).map(describeCommand),
    notes: notesOf(command),
  };
}

/** What stands behind the list of options. */
function notesOf(command: Command): string {
  const pieces: string[] = [];
  const output = command.configureOutput();
  command.configureOutput({ ...output, writeOut: (text) => pieces.push(text) });
  command.outputHelp();
  command.configureOutput(output);
  return pieces.join('').slice(command.helpInformation().length).trim();
}

function argumentEntry(argument: Argument): ArgumentEntry {
  return {
    name: argument.name(),
    isRequired: argument.required,
    isRepeated: argument.variadic,
    description: argument.description,
    choices: argument.argChoices ?? [],
  };
}

/** Options without a long name there are none. */
function optionEntry(option: Option): readonly OptionEntry[] {
  const { argChoices = [], description, flags, helpGroupHeading: group = null, long = null, short = null } = option;
  const value = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? null;
  return long === null ? [] : [{ long, short: short ?? null, value, description, choices: argChoices, group }];
}

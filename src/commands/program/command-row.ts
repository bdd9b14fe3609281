import type { Argument, Command, Option } from 'commander';
import type { GlobalOptions } from '../../settings/configuration.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { inSession } from '../../settings/session/open-session.ts';
import type { OpenedSession } from '../../settings/session/session.ts';
import type { ExitCode } from '../../system/exit.ts';

/** An argument of a command, as its help shows it. */
interface ArgumentEntry {
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

/** An option, with its flags as Commander reads them. Its value is a text, unless `read` makes another value of it. */
export type OptionRow = readonly [flags: string, about: string, more?: OptionDetails];

interface OptionDetails {
  /** Whether it may be given several times; then its value is a list. */
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly usual?: unknown;
  /** Makes a value of the text. Throws Commander's `InvalidArgumentError`. */
  readonly read?: (text: string) => unknown;
  /** Names of options that must not stand beside it. */
  readonly conflicts?: readonly string[];
  readonly isHidden?: boolean;
}

/** An argument, with its name as Commander reads it, such as `<number...>`; one of which nothing is said stands in no help. */
type ArgumentRow = readonly [name: string, about?: string, choices?: readonly string[]];

/** What is typed behind the program's name, and what it is for. */
export type Example = readonly [line: string, about: string];

/**
 * Runs a command with its words and its own options, by their names in the program. Answers how it ended. `table`
 * describes all commands.
 */
type Action<Options> = (
  context: CommandContext,
  globals: GlobalOptions,
  options: Options,
  words: readonly string[],
  table: () => CommandEntry,
) => ExitCode | Promise<ExitCode>;

/** A command: all that its help says, and what it does. */
export interface CommandRow {
  readonly name: string;
  readonly about: string;
  /** What stands behind its name in the help, where that is not made from the arguments. */
  readonly usage?: string;
  readonly arguments?: readonly ArgumentRow[];
  /**
   * Its own options, by their names in the program. One that is called as an option of every command or of the board
   * takes its place, and may stand before the command's name as well.
   */
  readonly options: Readonly<Record<string, OptionRow>>;
  /** Whether what begins with a dash is no option any more behind the first argument. */
  readonly passesOptions?: boolean;
  /** What its help says below the options. */
  readonly notes?: string;
  /** Two or more. */
  readonly examples: readonly Example[];
  /** Loads the code of the command when it runs, so that a rare command costs the others no time. */
  readonly action: Action<never>;
}

interface FittingRow<Options> extends Omit<CommandRow, 'options' | 'action'> {
  readonly options: { readonly [Name in keyof NoInfer<Options>]-?: OptionRow };
  readonly action: Action<Options>;
}

export const command = <Options extends object>(row: FittingRow<Options>): CommandRow => row;

/** An action whose code is loaded when it runs. */
export const loaded =
  <Options extends object>(load: () => Promise<Action<Options>>): Action<Options> =>
  async (context, globals, options, words, table) => {
    const run = await load();
    return await run(context, globals, options, words, table);
  };

/** What a command does in a session with its own options and its words; answers how it ended. */
type SessionCommand<Options> = (
  session: OpenedSession,
  options: Options,
  words: readonly string[],
) => ExitCode | Promise<ExitCode>;

/** An action that opens a session first, closes it in the end, and whose code is loaded in between. */
export const loadedInSession =
  <Options extends object>(load: () => Promise<SessionCommand<Options>>): Action<Options> =>
  (context, globals, options, words) =>
    inSession(context, globals, async (session) => {
      const run = await load();
      return await run(session, options, words);
    });

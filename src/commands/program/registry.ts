import type { Command } from 'commander';
import type { ExitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import type { CommandContext } from '../session/context.ts';
import { inSession } from '../session/open-session.ts';
import type { OpenedSession } from '../session/session.ts';
import { examplesText } from './examples.ts';
import type { FrequentCommands, RunCommand } from './frequent-commands.ts';
import { addGlobalOptions, addVersionOption, globalOptionsOf } from './global-options.ts';
import type { FrequentCommand } from './plain-line.ts';
import { usageSentence } from './usage-sentence.ts';

/** What Commander calls when a command was named. */
type CommandHandler = (...received: readonly unknown[]) => Promise<void>;

/** Gives a command its arguments, options and handler. */
type Define = (command: Command) => Command;

/** What a command does in a session with its words and its own options; answers how it ended. */
type SessionCommand<Options> = (
  session: OpenedSession,
  options: Options,
  words: readonly string[],
) => ExitCode | Promise<ExitCode>;

/**
 * Where commands are registered. Only what `--help` shows is loaded with the program, and defined when it is needed; what
 * a command does is loaded when it runs, so that a rare command costs the others no time.
 */
export interface CommandRegistry {
  /** The root command, with the options that stood before the command's name. */
  readonly program: Command;
  /** Registers a command that takes the options of every command, but for those left out. */
  subcommand(name: string, description: string, define: Define, without?: readonly (keyof GlobalOptions)[]): void;
  /** Defines the command of this name, or all where the answer is about all of them. */
  define(named: string | undefined): void;
  /** A handler for a command whose usual lines are read elsewhere, too. */
  frequent(name: Exclude<FrequentCommand, 'board'>): CommandHandler;
  /**
   * A handler that opens the session first, and closes it in the end.
   * @param before options that stood before the command's name
   */
  inSession<Options extends object>(
    load: () => Promise<SessionCommand<Options>>,
    before?: () => Partial<Options>,
  ): CommandHandler;
  /** A handler without a session. */
  bare<Options extends object>(load: () => Promise<RunCommand<Options>>): CommandHandler;
}

/** What shows the arguments and options of every command. */
const aboutAll: ReadonlySet<string> = new Set(['help', 'completion']);

/** Makes the registry of a root command; `end` is called with how the command ended. */
export function createRegistry(
  context: CommandContext,
  program: Command,
  frequentCommands: FrequentCommands,
  end: (code: ExitCode) => void,
): CommandRegistry {
  const bare: CommandRegistry['bare'] =
    (load) =>
    async (...received) => {
      // Commander hands over arguments and options first, the command last.
      const command = received.at(-1) as Command;
      const run = await load();
      end(await run(context, globalOptionsOf(program, command), command.opts(), command.args));
    };
  const definitions = new Map<string, () => void>();
  return {
    program,
    subcommand: (name, description, define, without) => {
      const command = program.command(name).description(description);
      definitions.set(name, () => {
        command.configureOutput({ outputError: (text, write) => write(usageSentence(text, command)) });
        define(addVersionOption(addGlobalOptions(command, without), context.version));
        command.addHelpText('after', examplesText(name));
      });
    },
    define: (named) => {
      const own = named === undefined || aboutAll.has(named) ? undefined : definitions.get(named);
      for (const define of own === undefined ? definitions.values() : [own]) define();
    },
    frequent: (name) => bare(async () => frequentCommands[name]),
    inSession: (load, before) =>
      bare(
        async () => (_context, globals, options, words) =>
          inSession(context, globals, async (session) => {
            const run = await load();
            return await run(session, { ...before?.(), ...(options as Parameters<typeof run>[1]) }, words);
          }),
      ),
    bare,
  };
}

import type { Command } from 'commander';
import type { ExitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import type { CommandContext } from '../session/context.ts';
import { inSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { addGlobalOptions, addVersionOption, globalOptionsOf } from './global-options.ts';
import { usageSentence } from './usage-sentence.ts';

/** What Commander calls when a command was named. */
type CommandHandler = (...received: readonly unknown[]) => Promise<void>;

/**
 * Where commands are registered. Only what `--help` shows is loaded with the program; what a command does is loaded
 * when it runs, so that a rare command costs the others no time.
 */
export interface CommandRegistry {
  readonly context: CommandContext;
  /** The root command, with the options that stood before the command's name. */
  readonly program: Command;
  /** Registers a command that takes the options of every command, but for those left out. */
  subcommand(name: string, description: string, without?: readonly (keyof GlobalOptions)[]): Command;
  /** A handler that opens the session first, and closes it in the end. */
  inSession(action: (session: Session, command: Command) => Promise<ExitCode>): CommandHandler;
  /** A handler for a command that reads the configuration in its own way, or not at all. */
  bare(action: (options: GlobalOptions, command: Command) => Promise<ExitCode>): CommandHandler;
}

/** Makes the registry of a root command; `end` is called with how the command ended. */
export function createRegistry(
  context: CommandContext,
  program: Command,
  end: (code: ExitCode) => void,
): CommandRegistry {
  const bare: CommandRegistry['bare'] =
    (action) =>
    async (...received) => {
      // Commander hands over arguments and options first, the command last.
      const command = received.at(-1) as Command;
      end(await action(globalOptionsOf(program, command), command));
    };
  return {
    context,
    program,
    subcommand: (name, description, without) => {
      const command = program.command(name).description(description);
      command.configureOutput({
        outputError: (text, write) => write(usageSentence(text, `${program.name()} ${name}`)),
      });
      return addVersionOption(addGlobalOptions(command, without), context.version);
    },
    inSession: (action) =>
      bare((options, command) => inSession(context, options, (session) => action(session, command))),
    bare,
  };
}

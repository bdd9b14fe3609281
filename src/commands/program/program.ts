import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import type { CommandContext } from '../session/context.ts';
import { describeFailure } from '../session/failure.ts';
import { say } from '../session/session.ts';
import { frequentCommands } from './frequent-commands.ts';
import { copiedHelp } from './help-copy.ts';
import { readPlainLine } from './plain-line.ts';

/**
 * Reads the arguments (without the program's name), runs the command that they name, and answers its exit code.
 * Never rejects: what a command throws becomes a sentence on standard error.
 */
export async function runProgram(context: CommandContext, argv: readonly string[]): Promise<ExitCode> {
  try {
    const plain = readPlainLine(argv);
    if (plain !== null) {
      const { command, globals, options, words } = plain;
      return await frequentCommands[command](context, globals, options, words);
    }
    // A terminal is seldom as wide as what has none is taken for.
    const help = context.stdout.columns === null ? copiedHelp(argv, context.helpTexts) : null;
    if (help !== null) {
      context.stdout.write(help);
      return exitCode.done;
    }
    const { runLine } = await import('./command-line.ts');
    return await runLine(context, argv, frequentCommands);
  } catch (error) {
    const failure = describeFailure(error);
    say(context, failure.message);
    return failure.exitCode;
  }
}

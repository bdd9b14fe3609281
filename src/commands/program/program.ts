import type { ExitCode } from '../../process/exit-code.ts';
import type { CommandContext } from '../session/context.ts';
import { describeFailure } from '../session/failure.ts';
import { say } from '../session/session.ts';
import { frequentCommands } from './frequent-commands.ts';
import { readPlainLine } from './plain-line.ts';

/**
 * Reads the arguments (without the program's name), runs the command that they name, and answers its exit code.
 * Never rejects: what a command throws becomes a sentence on standard error.
 */
export async function runProgram(context: CommandContext, argv: readonly string[]): Promise<ExitCode> {
  try {
    const plain = readPlainLine(argv);
    if (plain !== null) return await frequentCommands[plain.command](context, plain);
    const { runLine } = await import('./command-line.ts');
    return await runLine(context, argv, frequentCommands);
  } catch (error) {
    const failure = describeFailure(error);
    say(context, failure.message);
    return failure.exitCode;
  }
}

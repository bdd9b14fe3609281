import { printableText } from '../lib/clean-text.ts';
import type { GlobalOptions } from '../settings/configuration.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { sessionPaths } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

/**
 * Prints name and path of each of the program's files, a tab in between; to the letter for other programs, for people
 * without what would do something on their terminal. Works whatever the configuration holds.
 */
export function runPaths(context: CommandContext, options: Pick<GlobalOptions, 'config'>): ExitCode {
  const { config, data, watchlist, history, changes, state, couriers } = sessionPaths(context, options);
  const shown = context.stdout.isTerminal ? printableText : (path: string): string => path;
  const lines = Object.entries({ config, data, watchlist, history, changes, state, couriers });
  context.stdout.write(lines.map(([name, path]) => `${name}\t${shown(path)}\n`).join(''));
  return exitCode.done;
}

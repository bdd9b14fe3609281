import type { ExitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import type { CommandContext } from '../session/context.ts';
import { inSession } from '../session/open-session.ts';
import type { FrequentCommand } from './plain-line.ts';

/**
 * Runs a command with its words and its own options, by their names in the program; that they fit is for whoever has read the
 * line to know. Answers how it ended. Rejects as the command.
 */
export type RunCommand<Options> = (
  context: CommandContext,
  globals: GlobalOptions,
  options: Options,
  words: readonly string[],
) => ExitCode | Promise<ExitCode>;

/** What the frequent commands do. */
export type FrequentCommands = Readonly<Record<FrequentCommand, RunCommand<object>>>;

/** The same whoever has read the line. */
export const frequentCommands: FrequentCommands = {
  board: async (context, globals, options) => {
    const { runBoard } = await import('../board/board.ts');
    return await inSession(context, globals, (session) => runBoard(session, options), 'user');
  },
  list: (context, globals, options) =>
    inSession(context, globals, async (session) => {
      const { runList } = await import('../read/list.ts');
      return await runList(session, options);
    }),
  status: async (context, globals, options) => {
    const { runStatus } = await import('../read/status.ts');
    return await runStatus(context, globals, options);
  },
  add: (context, globals, options, words) =>
    inSession(context, globals, async (session) => {
      const { runAdd } = await import('../write/add.ts');
      return await runAdd(session, options, words);
    }),
};

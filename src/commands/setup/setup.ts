import type { ExitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { hasScreen } from '../session/ask.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';
import { inSession } from '../session/open-session.ts';
import { sessionPaths } from '../session/session.ts';
import { type SetupOptions, setupWithoutScreen } from './setup-without-screen.ts';

/**
 * Sets the program up: in a conversation that ends in the board, or, where the key is given with the command or there is no
 * terminal, at once.
 */
export async function runSetup(
  context: CommandContext,
  globalOptions: GlobalOptions,
  options: SetupOptions,
): Promise<ExitCode> {
  const isTerminal = hasScreen(context);
  const { header, keyCommand, keyFromStdin = false, keyStore, offline } = options;
  if (!isTerminal || keyFromStdin || keyCommand !== undefined) {
    const paths = sessionPaths(context, globalOptions);
    return await setupWithoutScreen({ context, options: globalOptions, paths }, options);
  }
  if ([header, keyStore, offline].some((given) => given !== undefined)) {
    throw new UsageError('--key-store, --header and --offline go with --key-from-stdin or --key-command.');
  }
  const { runBoard } = await import('../board/board.ts');
  return await inSession(context, globalOptions, (session) => runBoard(session, { opensSetup: true }), 'user');
}

import { createCourierDirectory } from '../watchlist/courier-directory.ts';
import { type CompletedCommand, completionScript, type Shell, shells } from './completion-script.ts';
import { UsageError } from './errors.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import type { Session } from './session.ts';
import { readWatchlist } from './watchlist-view.ts';

/** Options of `completion`. */
export interface CompletionOptions {
  /** For the scripts: print courier codes or watched numbers, one a line, from the files alone. */
  readonly words?: string;
}

/** Prints the completion script of a shell, or the words that such a script asks for. */
export async function runCompletion(
  session: Session,
  shell: string | undefined,
  options: CompletionOptions,
  commands: readonly CompletedCommand[],
): Promise<ExitCode> {
  const { stdout } = session.context;
  if (options.words !== undefined) {
    for (const word of await wordsOf(session, options.words)) stdout.write(`${word}\n`);
    return exitCode.done;
  }
  const known = shells.find((name) => name === shell);
  if (known === undefined) throw new UsageError(`Name the shell: ${shells.join(', ')}.`);
  stdout.write(completionScript(known satisfies Shell, commands));
  return exitCode.done;
}

async function wordsOf(session: Session, kind: string): Promise<readonly string[]> {
  if (kind === 'numbers') return (await readWatchlist(session)).parcels.map(({ trackNo }) => trackNo);
  if (kind !== 'couriers') throw new UsageError('--words takes couriers or numbers.');
  const { clock, random } = session.context;
  const directory = createCourierDirectory({ path: session.paths.couriers, service: null, clock, random });
  try {
    return (await directory.list()).couriers.map(({ code }) => code);
  } catch {
    // Nothing is kept yet, and a completion is no place to ask the service or to complain.
    return [];
  }
}

import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { ServiceError } from '../../service/failures/errors.ts';
import { isWord } from '../../service/text/word.ts';
import { StoreError } from '../../watchlist/errors.ts';
import { createCourierDirectory } from '../../watchlist/state/courier-directory.ts';
import { glanceAtNumbers } from '../../watchlist/store/glance.ts';
import { UsageError } from '../session/errors.ts';
import type { Session } from '../session/session.ts';
import { type CompletedCommand, completionScript, type Shell, shells } from './completion-script.ts';

/** Options of `completion`. */
interface CompletionOptions {
  /** For the scripts: print courier codes or watched numbers, one a line, from the files alone. */
  readonly words?: string;
}

/** Prints the completion script of a shell, or the words that such a script needs. */
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

/**
 * Words of the files, which are only read: a completion neither repairs, nor calls the service, nor complains. A
 * shell gets none that it could take for anything but a word.
 */
async function wordsOf(session: Session, kind: string): Promise<readonly string[]> {
  if (kind !== 'numbers' && kind !== 'couriers') throw new UsageError('--words takes couriers or numbers.');
  try {
    const words = kind === 'numbers' ? await glanceAtNumbers(session.paths.watchlist) : await courierCodes(session);
    return [...new Set(words)].filter((word) => isWord(word) && !word.startsWith('-'));
  } catch (error) {
    if (error instanceof StoreError || error instanceof ServiceError) return [];
    throw error;
  }
}

async function courierCodes({ context: { clock, random }, paths }: Session): Promise<readonly string[]> {
  const directory = createCourierDirectory({ path: paths.couriers, service: null, clock, random });
  return (await directory.list()).couriers.map(({ code }) => code);
}

import { dirname } from 'node:path';
import { ProgramFailedError } from '../../../process/run-program.ts';
import { KeyPlaceError, type KeyPlaceTools, keepLimitMs } from './key-place.ts';

/** Where every shell, timer and service looks for programs, however little else it is told. */
const foundEverywhere: ReadonlySet<string> = new Set(['/bin', '/usr/bin']);

/**
 * How a program is named in a setting: by its name where everything finds it, else by its path, since cron, systemd and
 * launchd look in fewer folders than a terminal does.
 */
export async function lastingName(name: string, { findProgram }: Pick<KeyPlaceTools, 'findProgram'>): Promise<string> {
  const path = await findProgram(name);
  return path === null || foundEverywhere.has(dirname(path)) ? name : path;
}

/**
 * Runs the program of a store and answers what it printed. Rejects with a {@link KeyPlaceError} that ends with the
 * advice, a sentence.
 */
export async function runStore(
  { runProgram }: Pick<KeyPlaceTools, 'runProgram'>,
  command: readonly [string, ...string[]],
  input: string,
  advice: string,
  asks = false,
): Promise<string> {
  const [program, ...programArguments] = command;
  try {
    return await runProgram(program, programArguments, { input, limitMs: keepLimitMs, asks });
  } catch (error) {
    if (!(error instanceof ProgramFailedError)) throw error;
    throw new KeyPlaceError(`${program} ${error.reason}, and the key is not stored there. ${advice}`, { cause: error });
  }
}

/** As {@link runStore}, for what it prints as JSON; null for what is none. Its words are not repeated: they may hold the key. */
export async function askStore(...run: Parameters<typeof runStore>): Promise<unknown> {
  const printed = await runStore(...run);
  try {
    return JSON.parse(printed);
  } catch {
    // The caller says what is missing.
    return null;
  }
}

/** A sentence for a program that is not there; null when it is. */
export async function missingProgram(
  name: string,
  { findProgram }: Pick<KeyPlaceTools, 'findProgram'>,
  advice: string,
): Promise<string | null> {
  return (await findProgram(name)) === null ? `The program ${name} is not installed. ${advice}` : null;
}

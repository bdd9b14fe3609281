import { type Environment, nonEmpty } from '../../process/environment.ts';
import { ProgramFailedError, type RunProgram } from '../../process/run-program.ts';
import { ApiKeyMissingError, UsageError } from '../session/errors.ts';
import type { ConfigFile } from './config-schema.ts';
import type { Doubt } from './file-trust.ts';

/** Where the API key comes from; it is never an argument, since others can read those. */
export type ApiKeySource =
  | { readonly kind: 'none' }
  | (SetKey & { readonly kind: 'given'; readonly key: string })
  | (SetKey & { readonly kind: 'command'; readonly program: string; readonly programArguments: readonly string[] })
  /** A command is named, but by somebody else; `reason` are sentences. */
  | (SetKey & { readonly kind: 'refused'; readonly reason: string });

interface SetKey {
  /** The variable or setting; of a command, with no more than the name of the program. */
  readonly setBy: string;
}

/**
 * Finds the key's source: `PARCEL_MONITOR_API_KEY`, `apiKey`, `apiKeyCommand`. Who besides the user can write the file
 * could have any program run by naming it: such a command is refused, as `ssh` refuses such files. Throws a
 * {@link UsageError}.
 */
export function apiKeySource(
  environment: Environment,
  file: Pick<ConfigFile, 'apiKey' | 'apiKeyCommand'>,
  foreignWriter: Doubt | null = null,
): ApiKeySource {
  const given = nonEmpty(environment['PARCEL_MONITOR_API_KEY']);
  if (given !== undefined) return { kind: 'given', key: given, setBy: 'PARCEL_MONITOR_API_KEY' };
  if (file.apiKey !== undefined) return { kind: 'given', key: file.apiKey, setBy: 'config.json: apiKey' };
  if (file.apiKeyCommand === undefined) return { kind: 'none' };
  const words = typeof file.apiKeyCommand === 'string' ? splitCommand(file.apiKeyCommand) : file.apiKeyCommand;
  const [program, ...programArguments] = words;
  if (program === undefined) throw new UsageError('"apiKeyCommand" names no program.');
  if (foreignWriter !== null) {
    const reason = `"apiKeyCommand" is not run while somebody else can decide what it says. ${foreignWriter.advice}`;
    return { kind: 'refused', reason, setBy: 'config.json: apiKeyCommand' };
  }
  return { kind: 'command', program, programArguments, setBy: `config.json: apiKeyCommand (${program})` };
}

/**
 * Fetches the key; null when no source is set. Rejects with an {@link ApiKeyMissingError} when the command fails or
 * the key cannot be carried in a header, with a {@link UsageError} when the command is refused. Neither the key nor what the command printed gets into the message.
 */
export async function fetchApiKey(source: ApiKeySource, runProgram: RunProgram): Promise<string | null> {
  switch (source.kind) {
    case 'none':
      return null;
    case 'given':
      return usableKey(source.key, 'The API key');
    case 'refused':
      throw new UsageError(source.reason);
    case 'command':
      return usableKey(await outputOf(source, runProgram), `The API key that ${source.program} printed`);
  }
}

async function outputOf(source: ApiKeySource & { readonly kind: 'command' }, runProgram: RunProgram): Promise<string> {
  try {
    return await runProgram(source.program, source.programArguments);
  } catch (error) {
    const name = `The API key command ${source.program}`;
    // Of anything else it is not known that it holds nothing of the output.
    const { kind, reason } = error instanceof ProgramFailedError ? error : { kind: 'failed', reason: 'failed' };
    if (kind === 'interrupted') throw new ApiKeyMissingError(`${name} ${reason}.`);
    throw new ApiKeyMissingError(`${name} ${reason}; run it by hand, or correct "apiKeyCommand" in the configuration.`);
  }
}

function usableKey(text: string, name: string): string {
  const key = text.trim();
  if (key === '') throw new ApiKeyMissingError(`${name} is empty.`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ApiKeyMissingError(`${name} holds spaces, line breaks or letters beyond ASCII, which no key has.`);
  }
  return key;
}

/** Splits a command line at white space; quotes keep words together. There is no shell, so nothing is expanded. */
export function splitCommand(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

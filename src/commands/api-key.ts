import type { ConfigFile } from './config-file.ts';
import type { Environment } from './context.ts';
import { ApiKeyMissingError, UsageError } from './errors.ts';

/** Where the API key comes from; it is never an argument, since others can read those. */
export type ApiKeySource =
  | { readonly kind: 'none' }
  | { readonly kind: 'given'; readonly key: string }
  | { readonly kind: 'command'; readonly program: string; readonly programArguments: readonly string[] };

/** Runs a program without a shell and answers its standard output. */
export type RunProgram = (program: string, programArguments: readonly string[]) => Promise<string>;

/** Finds the key's source: `PARCEL_MONITOR_API_KEY`, `apiKey`, `apiKeyCommand`. Throws a {@link UsageError}. */
export function apiKeySource(
  environment: Environment,
  file: Pick<ConfigFile, 'apiKey' | 'apiKeyCommand'>,
): ApiKeySource {
  const given = environment['PARCEL_MONITOR_API_KEY']?.trim() || file.apiKey;
  if (given !== undefined) return { kind: 'given', key: given };
  if (file.apiKeyCommand === undefined) return { kind: 'none' };
  const words = typeof file.apiKeyCommand === 'string' ? splitCommand(file.apiKeyCommand) : file.apiKeyCommand;
  const [program, ...programArguments] = words;
  if (program === undefined) throw new UsageError('"apiKeyCommand" names no program.');
  return { kind: 'command', program, programArguments };
}

/**
 * Fetches the key; null when no source is set. Rejects with an {@link ApiKeyMissingError} when the command fails or
 * the key cannot be carried in a header. Neither the key nor what the command printed gets into the message.
 */
export async function fetchApiKey(source: ApiKeySource, runProgram: RunProgram): Promise<string | null> {
  switch (source.kind) {
    case 'none':
      return null;
    case 'given':
      return usableKey(source.key, 'The API key');
    case 'command':
      return usableKey(await outputOf(source, runProgram), `The API key that ${source.program} printed`);
  }
}

async function outputOf(source: ApiKeySource & { readonly kind: 'command' }, runProgram: RunProgram): Promise<string> {
  try {
    return await runProgram(source.program, source.programArguments);
  } catch (error) {
    throw new ApiKeyMissingError(
      `The API key command ${source.program} ${reasonOf(error)}; run it by hand, or correct "apiKeyCommand" in the configuration.`,
    );
  }
}

/** The failed process's error also holds its output, hence only these facts are taken from it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const { code, killed } = error as Error & { readonly code?: unknown; readonly killed?: unknown };
  if (killed === true) return 'did not end within its time limit';
  if (code === 'ENOENT') return 'was not found';
  if (code === 'EACCES') return 'may not be run';
  return typeof code === 'number' ? `ended with code ${code}` : 'failed';
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

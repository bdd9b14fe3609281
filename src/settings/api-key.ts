import { isAbsolute, join } from 'node:path';
import { systemText } from '../lib/error-text.ts';
import { NotAFileError, systemCode } from '../lib/store-errors.ts';
import type { CommandChoice } from '../notify/channels.ts';
import { isKeyText } from '../service/connection.ts';
import { streamNamedFile } from '../store/file/open-file.ts';
import type { Environment } from '../system/environment.ts';
import { ProgramFailedError, type RunProgram } from '../system/run-program.ts';
import { ApiKeyMissingError, UsageError } from './errors.ts';
import { refusalReason, type SettingFile } from './file-trust.ts';
import { describeOrigin, resolvedSetting } from './setting-values.ts';
import type { ConfigFile } from './table.ts';
import { chooseCommand } from './usable-values.ts';

/** Where the API key comes from. Never a command-line argument, because other users can see those. */
export type ApiKeySource =
  | { readonly kind: 'none' }
  | (KeyOrigin & { readonly kind: 'given'; readonly key: string })
  | (KeyOrigin & { readonly kind: 'file'; readonly path: string })
  | (KeyOrigin & CommandChoice);

interface KeyOrigin {
  /** The variable or setting, followed by the program's name for a command or the path for a file. */
  readonly setBy: string;
}

export type KeySettings = Pick<ConfigFile, 'apiKey' | 'apiKeyFile' | 'apiKeyCommand'>;

/**
 * Returns the key's source: `PARCEL_MONITOR_API_KEY`, `apiKey`, `apiKeyFile` or `apiKeyCommand`, in that order. If
 * another user can write `config.json`, files and commands are refused (as `ssh` does), because that user could run any
 * program or have any file sent as the key. Throws a {@link UsageError} if the command is empty.
 */
export function apiKeySource(environment: Environment, file: KeySettings, source: SettingFile = {}): ApiKeySource {
  const setting = resolvedSetting(['apiKey'], { options: {}, environment, file });
  const setBy = describeOrigin(setting);
  if (setBy !== null) return { kind: 'given', key: setting.value as string, setBy };
  return secretSource('apiKey', { file: file.apiKeyFile, command: file.apiKeyCommand }, source);
}

interface SecretSettings {
  readonly file: string | undefined;
  readonly command: string | readonly string[] | undefined;
}

/**
 * Returns the file or command that provides a secret. Their settings are named after the secret, with `File` or
 * `Command` appended.
 */
export function secretSource(setting: string, { command, file }: SecretSettings, source: SettingFile): ApiKeySource {
  const { folder = '', foreignWriter = null } = source;
  if (file !== undefined) {
    const setBy = `config.json: ${setting}File`;
    if (foreignWriter !== null)
      return { kind: 'refused', reason: refusalReason(`${setting}File`, 'read', foreignWriter), setBy };
    const path = isAbsolute(file) ? file : join(folder, file);
    return { kind: 'file', path, setBy: `${setBy} (${path})` };
  }
  if (command === undefined) return { kind: 'none' };
  const choice = chooseCommand(`${setting}Command`, command, source);
  const program = choice.kind === 'command' ? ` (${choice.command[0]})` : '';
  return { ...choice, setBy: `config.json: ${setting}Command${program}` };
}

interface SecretName {
  readonly name: string;
  readonly setting: string;
}
const apiKeyName: SecretName = { name: 'API key', setting: 'apiKey' };

/**
 * Fetches the key, or returns null if no source is set. Rejects with an {@link ApiKeyMissingError} if the command
 * fails, the file cannot be read or a header cannot contain the key, and with a {@link UsageError} if the source is
 * refused. The message contains neither the key nor the command's output.
 */
export async function fetchApiKey(
  source: ApiKeySource,
  runProgram: RunProgram,
  secret: SecretName = apiKeyName,
): Promise<string | null> {
  const { name } = secret;
  switch (source.kind) {
    case 'none':
      return null;
    case 'given':
      return usableKey(source.key, `The ${name}`);
    case 'refused':
      throw new UsageError(source.reason);
    case 'file':
      return usableKey(await readKeyFile(source.path, secret), `The ${name} in ${source.path}`);
    case 'command':
      return usableKey(
        await runKeyCommand(source, runProgram, secret),
        `The ${name} that ${source.command[0]} printed`,
      );
  }
}

/** Maximum size of a key, in bytes. A longer file is a mistake. */
const maxKeyBytes = 64 * 1024;

/** Reads a key. Rejects with the result of `createError` if it is longer than {@link maxKeyBytes}. */
export async function readKeyText(input: AsyncIterable<Uint8Array>, createError: () => Error): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxKeyBytes) throw createError();
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

async function readKeyFile(path: string, { name, setting }: SecretName): Promise<string> {
  const createError = (found: string, cause?: unknown): ApiKeyMissingError =>
    new ApiKeyMissingError(
      {
        what: `The ${name} file ${path} ${found}.`,
        advice: `${setting === 'apiKey' ? 'Run "parcel-monitor setup", or correct' : 'Correct'} "${setting}File" in the configuration.`,
      },
      cause === undefined ? undefined : { cause },
    );
  try {
    return await readKeyText(streamNamedFile(path), () =>
      createError(setting === 'apiKey' ? 'is too large to be an API key' : 'is too large'),
    );
  } catch (error) {
    if (error instanceof NotAFileError) throw createError(`is ${error.found}, not a file`, error);
    const code = systemCode(error);
    if (code === null) throw error;
    throw createError(code === 'ENOENT' ? 'does not exist' : `cannot be read${systemText(code)}`, error);
  }
}

async function runKeyCommand(
  { command: [program, ...programArguments] }: ApiKeySource & { readonly kind: 'command' },
  runProgram: RunProgram,
  secret: SecretName,
): Promise<string> {
  try {
    return await runProgram(program, programArguments);
  } catch (error) {
    const name = `The ${secret.name} command ${program}`;
    // The message of any other error may quote the output.
    const { hadTerminal, kind, reason } =
      error instanceof ProgramFailedError ? error : { hadTerminal: true, kind: 'failed', reason: 'failed' };
    if (kind === 'interrupted') throw new ApiKeyMissingError(`${name} ${reason}.`);
    if (!hadTerminal) {
      throw new ApiKeyMissingError(
        `${name} ${reason}. It cannot ask for a passphrase while the board is open: press C, or run "parcel-monitor setup".`,
      );
    }
    throw new ApiKeyMissingError({
      what: `${name} ${reason}.`,
      advice: `Run it by hand, or correct "${secret.setting}Command" in the configuration.`,
    });
  }
}

/**
 * Trims a key. Throws an {@link ApiKeyMissingError} if a header cannot contain it.
 * @param name the subject of the message
 */
export function usableKey(text: string, name: string): string {
  const key = text.trim();
  if (key === '') throw new ApiKeyMissingError(`${name} is empty.`);
  if (!isKeyText(key)) {
    throw new ApiKeyMissingError(`${name} contains spaces, line breaks or non-ASCII characters. Copy only the key.`);
  }
  return key;
}

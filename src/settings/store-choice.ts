import { stat } from 'node:fs/promises';
import { printableText } from '../lib/clean-text.ts';
import { StoreError, systemCode } from '../lib/store-errors.ts';
import type { CommandChoice } from '../notify/channels.ts';
import { readWholeFile } from '../store/file/open-file.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import { ProgramFailedError } from '../system/run-program.ts';
import { InputError, UsageError } from './errors.ts';
import { refusalReason, type SettingFile } from './file-trust.ts';
import type { CommandContext } from './session/context.ts';
import { describeOrigin, resolvedSetting } from './setting-values.ts';
import { isFileStore, parseStoreAddress, type StoreAddress, usableAccount } from './store-address.ts';
import type { ConfigFile } from './table.ts';
import { chooseCommand } from './usable-values.ts';

export type StoreChoice = { readonly kind: 'file'; readonly setBy: string | null } | DatabaseChoice;

export interface DatabaseChoice {
  readonly kind: 'database';
  readonly address: StoreAddress;
  readonly setBy: string;
  readonly account: string | null;
  readonly password: PasswordChoice;
}

type PasswordChoice =
  | { readonly kind: 'given'; readonly password: string; readonly setBy: string }
  | CommandChoice
  | { readonly kind: 'passfile'; readonly path: string | null };

/** The server's default socket folders. In a passfile, `localhost` also matches them. */
const defaultSocketFolders: ReadonlySet<string> = new Set(['/tmp', '/run/postgresql', '/var/run/postgresql']);

export interface StoreSource extends SettingFile {
  readonly options: { readonly store?: string };
  readonly environment: Environment;
  readonly file: Pick<ConfigFile, 'store' | 'storeAccount' | 'storePasswordCommand'>;
}

/**
 * Chooses the store from `--store`, `PARCEL_MONITOR_STORE` or `config.json`. Defaults to files. Throws a {@link
 * UsageError} for an address that cannot be used, and for a password on the command line, where other users can read
 * it.
 */
export function chooseStore(source: StoreSource): StoreChoice {
  const { environment } = source;
  const place = resolvedSetting(['store'], source);
  const setBy = describeOrigin(place);
  const text = place.value as string | null;
  if (setBy === null || text === null || isFileStore(text)) return { kind: 'file', setBy };
  const address = parseStoreAddress(text, environment);
  if (setBy === '--store' && address.password !== null) {
    throw new InputError({
      what: 'Other users can read a password on the command line.',
      advice: `Use --store ${address.place}, and put the password in PGPASSWORD, a passfile (~/.pgpass) or "storePasswordCommand".`,
    });
  }
  const account = resolvedSetting(['storeAccount'], source).value as string | null;
  return {
    kind: 'database',
    address,
    setBy,
    account: account === null ? null : usableAccount(account),
    password: passwordChoice(address, setBy, source),
  };
}

function passwordChoice({ password }: StoreAddress, setBy: string, source: StoreSource): PasswordChoice {
  const { environment, file, foreignWriter = null } = source;
  if (foreignWriter !== null && setBy.startsWith('config.json')) {
    return { kind: 'refused', reason: refusalReason('store', 'used', foreignWriter) };
  }
  if (password !== null) return { kind: 'given', password, setBy };
  // Not trimmed: a password may begin with a space.
  const fromEnvironment = environment['PGPASSWORD'] ?? '';
  if (fromEnvironment !== '') return { kind: 'given', password: fromEnvironment, setBy: 'PGPASSWORD' };
  const command = file.storePasswordCommand;
  return command === undefined
    ? { kind: 'passfile', path: findPassfile(environment) }
    : chooseCommand('storePasswordCommand', command, source);
}

/** Returns the path where PostgreSQL's own programs look for the passfile, or null if there is no home folder. */
function findPassfile(environment: Environment): string | null {
  const configured = nonEmpty(environment['PGPASSFILE']);
  if (configured !== undefined) return configured;
  const roaming = nonEmpty(environment['APPDATA']);
  const home = nonEmpty(environment['HOME']);
  if (home !== undefined) return `${home}/.pgpass`;
  return roaming === undefined ? null : `${roaming}\\postgresql\\pgpass.conf`;
}

/** Mode bits that give other users access to a passfile. libpq ignores such a file. */
const accessibleToOthers = 0o077;

/**
 * Returns a function that fetches the database's password. It is called for each connection, because a printed password
 * may expire within minutes. It rejects with a `StoreError` or a {@link UsageError} that tells the user what to do and
 * never contains the password.
 * @param notify called with a warning for the user, once
 */
export function databasePassword(
  { address, password: choice }: DatabaseChoice,
  { platform, runProgram }: Pick<CommandContext, 'platform' | 'runProgram'>,
  notify: (sentence: string) => void,
): () => Promise<string | null> {
  let lastPassword: string | null = null;
  let hasWarned = false;
  switch (choice.kind) {
    case 'given':
      return async () => choice.password;
    case 'refused':
      return () => Promise.reject(new UsageError(choice.reason));
    case 'command': {
      const [program, ...words] = choice.command;
      return async () => {
        try {
          lastPassword = withoutLineEnd(await runProgram(program, words));
          return lastPassword;
        } catch (error) {
          // While the board is open, the command cannot ask in the terminal. The last password may still be valid.
          if (error instanceof ProgramFailedError && !error.hadTerminal && lastPassword !== null) return lastPassword;
          throw commandError(address, program, error);
        }
      };
    }
    case 'passfile':
      return async () => {
        const { path } = choice;
        if (path === null) return null;
        const warning = platform === 'win32' ? null : await passfileWarning(path);
        if (warning === null) return await passwordFromPassfile(path, address);
        if (!hasWarned) notify(warning);
        hasWarned = true;
        return null;
      };
  }
}

/** Removes only the line ending, because other whitespace may be part of the password. */
const withoutLineEnd = (output: string): string => output.replace(/\r?\n$/, '');

function commandError({ place }: StoreAddress, program: string, error: unknown): StoreError {
  // Other errors may quote the output.
  const reason = error instanceof ProgramFailedError ? error.reason : 'failed';
  return new StoreError(
    'no-permission',
    `The password command ${printableText(program)} for ${place} ${reason}; run it by hand, or correct "storePasswordCommand" in the configuration.`,
    place,
  );
}

/** Returns why a passfile is ignored, as a sentence; null if it is read or missing. */
async function passfileWarning(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || (stats.mode & accessibleToOthers) === 0) return null;
  return `The passfile ${printableText(path)} is ignored, because other users can read it; run: chmod 600 ${printableText(path)}`;
}

async function passwordFromPassfile(path: string, address: StoreAddress): Promise<string | null> {
  try {
    return passwordIn((await readWholeFile(path)).toString('utf8'), address);
  } catch (error) {
    // The file belongs to other programs. If it cannot be read, let the server report that the password is missing.
    if (systemCode(error) === null && !(error instanceof StoreError)) throw error;
    return null;
  }
}

/**
 * Returns the password from a passfile, or null if no line matches. A line is `host:port:database:user:password`, and
 * the first match counts. `*` matches anything; a backslash escapes colon and backslash.
 */
export function passwordIn(text: string, { database, host, port, user }: StoreAddress): string | null {
  const hosts = defaultSocketFolders.has(host) ? [host, 'localhost'] : [host];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = '']) => field);
    const [lineHost = '', linePort, lineDatabase, lineUser] = fields
      .slice(0, 4)
      .map((field) => field.replace(/\\(.)/g, '$1'));
    const matches = (field: string | undefined, value: string): boolean => field === '*' || field === value;
    const isServer = hosts.some((name) => matches(lineHost, name)) && matches(linePort, String(port));
    // The password is the rest of the line, which may contain other escaped characters.
    if (isServer && matches(lineDatabase, database) && matches(lineUser, user)) {
      const password = /^(?:(?:\\.|[^:\\])*:){4}(.*)$/.exec(line)?.[1];
      if (password !== undefined) return password.replace(/\\(.)/g, '$1');
    }
  }
  return null;
}

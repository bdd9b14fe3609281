import { stat } from 'node:fs/promises';
import { printableText } from '../../lib/clean-text.ts';
import { StoreError, systemCode } from '../../lib/store-errors.ts';
import { readWholeFile } from '../../store/file/open-file.ts';
import { ProgramFailedError } from '../../system/run-program.ts';
import { UsageError } from '../errors.ts';
import type { StoreAddress } from '../store-address.ts';
import { type DatabaseChoice, defaultSocketFolders } from '../store-choice.ts';
import type { CommandContext } from './context.ts';

/** Mode bits that open a passfile to others; libpq ignores such a file. */
const openToOthers = 0o077;

/**
 * Returns a function that gives the database's password. It runs for each connection, because a printed password may
 * expire within minutes. It rejects with a `StoreError` or a {@link UsageError} that tells the user what to do and
 * never contains the password.
 * @param notify called with a warning for the user, once
 */
export function databasePassword(
  { address, password: choice }: DatabaseChoice,
  { platform, runProgram }: Pick<CommandContext, 'platform' | 'runProgram'>,
  notify: (sentence: string) => void,
): () => Promise<string | null> {
  let former: string | null = null;
  let isNotified = false;
  switch (choice.kind) {
    case 'given':
      return async () => choice.password;
    case 'refused':
      return () => Promise.reject(new UsageError(choice.reason));
    case 'command': {
      const [program, ...words] = choice.command;
      return async () => {
        try {
          former = withoutLineEnd(await runProgram(program, words));
          return former;
        } catch (error) {
          // While the board is open, the command cannot ask in the terminal. The last password may still be valid.
          if (error instanceof ProgramFailedError && !error.hadTerminal && former !== null) return former;
          throw commandError(address, program, error);
        }
      };
    }
    case 'passfile':
      return async () => {
        const { path } = choice;
        if (path === null) return null;
        const warning = platform === 'win32' ? null : await openPassfile(path);
        if (warning === null) return await fromPassfile(path, address);
        if (!isNotified) notify(warning);
        isNotified = true;
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
async function openPassfile(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || (stats.mode & openToOthers) === 0) return null;
  return `The passfile ${printableText(path)} is ignored, because other users can read it; run: chmod 600 ${printableText(path)}`;
}

async function fromPassfile(path: string, address: StoreAddress): Promise<string | null> {
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
    const [atHost = '', atPort, atDatabase, ofUser] = fields.slice(0, 4).map((field) => field.replace(/\\(.)/g, '$1'));
    const fits = (field: string | undefined, value: string): boolean => field === '*' || field === value;
    const isThis = hosts.some((name) => fits(atHost, name)) && fits(atPort, String(port));
    // The rest of the line, which may contain other escaped characters.
    if (isThis && fits(atDatabase, database) && fits(ofUser, user)) {
      const password = /^(?:(?:\\.|[^:\\])*:){4}(.*)$/.exec(line)?.[1];
      if (password !== undefined) return password.replace(/\\(.)/g, '$1');
    }
  }
  return null;
}

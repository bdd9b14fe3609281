import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import { type ErrorText, NamedError, systemWords } from './error-text.ts';
import { readTempName, shellWord } from './paths.ts';

/** User id of the administrator; where there are no users, everything has it. */
const administrator = 0;

/** Files and folders that a run with `sudo` left to the administrator among those of a user. */
interface LeftToAdministrator {
  /** The uppermost of them. */
  readonly top: string;
  /** The command that gives all of them back. */
  readonly command: string;
}

/**
 * What keeps a user from `path`, or from the nearest thing above it that is there, when that is the administrator's and
 * lies in a folder of the user; else null. Never throws.
 */
export function leftToAdministrator(path: string): LeftToAdministrator | null {
  if (!isAbsolute(path)) return null;
  let at = path;
  let stats = look(at);
  while (stats === null && dirname(at) !== at) {
    at = dirname(at);
    stats = look(at);
  }
  while (stats?.uid === administrator && dirname(at) !== at) {
    const above = look(dirname(at));
    if (above !== null && above.uid !== administrator) {
      return { top: at, command: `sudo chown -R ${above.uid}:${above.gid} ${shellWord(at)}` };
    }
    at = dirname(at);
    stats = above;
  }
  return null;
}

function look(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    // Not there, or in a folder that may not be searched: then that one is looked at.
    return null;
  }
}

/**
 * Why the store could not do something, by what a person has to do about it. `disk-full`: no space, no quota or no more
 * files. `locked`: another process held a lock for too long, or took it away from us. `newer-version`: written by a newer
 * version of the program, and left untouched. `damaged`: and could not be moved aside. `cut-off`: the database cannot be
 * reached just now. `failed`: anything else.
 */
export type StoreErrorKind =
  | 'read-only'
  | 'disk-full'
  | 'no-permission'
  | 'locked'
  | 'newer-version'
  | 'damaged'
  | 'cut-off'
  | 'failed';

/** A read or write of what we keep that failed. `message` names the file or database and says what to do next. */
export class StoreError extends NamedError {
  readonly kind: StoreErrorKind;
  /** The file or folder concerned, or the database's address without a password. */
  readonly path: string;

  constructor(kind: StoreErrorKind, text: ErrorText, path: string, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.path = path;
  }
}

/** Somebody wrote a file without its lock while we were about to; nothing was written. To be tried again. */
export class ChangedMeanwhileError extends StoreError {
  constructor(path: string) {
    super(
      'locked',
      { what: `${path} keeps being changed by another program.`, advice: 'Close it and try again.' },
      path,
    );
  }
}

/** Something else than a regular file stands where one is expected; it was not touched. */
export class NotAFileError extends StoreError {
  /** What stands there, such as "a folder". */
  readonly found: string;

  /** `leadsTo` differs from `path` where that is a link. */
  constructor(path: string, found: string, leadsTo = path) {
    const named = leadsTo === path ? path : `${path} leads to ${leadsTo} and`;
    super(
      'failed',
      {
        what: `${named} cannot be used: ${found} stands where a file is expected. It was not touched.`,
        advice: 'Move it away, or put a file in its place.',
      },
      path,
    );
    this.found = found;
  }
}

/** A file holds more than a program can take at once; it was not read, and stays as it is. */
export class TooLargeError extends StoreError {
  constructor(path: string, bytes: number, mostBytes: number) {
    const [size, most] = [bytes, mostBytes].map((count) => `${Math.floor(count / 1_000_000)} MB`);
    super(
      'failed',
      {
        what: `${path} is too large to be read: it has ${size}, and ${most} is the most.`,
        advice: 'Move it away; "parcel-monitor restore" lists the copies that are kept of a watchlist.',
      },
      path,
    );
  }
}

/** The system's code of a failed file operation (`ENOENT`), or null. */
export function systemCode(error: unknown): string | null {
  // A disk that is full may say so once more when the file is closed, at the end of its block.
  if (error instanceof Error && 'suppressed' in error && 'error' in error) return systemCode(error.error);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** What a file operation answers; null where it fails with one of these codes of the system: by default, where nothing is there. */
export async function nullIfMissing<Value>(
  operation: Promise<Value>,
  codes: readonly string[] = ['ENOENT'],
): Promise<Value | null> {
  try {
    return await operation;
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** As {@link nullIfMissing}, for what is asked on this thread. */
export function nullIfMissingSync<Value>(operation: () => Value, codes: readonly string[] = ['ENOENT']): Value | null {
  try {
    return operation();
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** Takes a {@link StoreError} for nothing; throws any other error. For what need not succeed, or is reported elsewhere. */
export function ignoreStoreError(error: unknown): null {
  if (error instanceof StoreError) return null;
  throw error;
}

/** Does work of which all failures are to be {@link StoreError}s about `path`. */
export async function asStoreErrors<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Turns what a file operation threw into a {@link StoreError} about `path`; one that is one already stays as it is. */
export function toStoreError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = systemCode(error);
  switch (code) {
    case 'EROFS':
      return new StoreError(
        'read-only',
        {
          what: `${path} is on a read-only file system.`,
          advice: 'Make it writable, or point XDG_DATA_HOME and XDG_STATE_HOME at other folders.',
        },
        path,
        error,
      );
    case 'EACCES':
    case 'EPERM':
      return permissionError(failedPath(error) ?? path, error);
    case 'ENOSPC':
    case 'EDQUOT':
      return new StoreError(
        'disk-full',
        { what: `No space left to write ${path}.`, advice: 'Free some space and try again.' },
        path,
        error,
      );
    case 'ENOENT':
      return new StoreError(
        'failed',
        {
          what: `${path} could not be written: its folder is not there and cannot be made there.`,
          advice:
            'Point HOME, or XDG_DATA_HOME and XDG_STATE_HOME, at other folders, or wait for the disk to come back.',
        },
        path,
        error,
      );
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ELOOP':
      return new StoreError(
        'failed',
        {
          what: `${path} cannot be used: a folder stands where a file is expected, or the other way round.`,
          advice: 'Move it away.',
        },
        path,
        error,
      );
    default:
      return new StoreError(
        'failed',
        { what: `${path} could not be read or written${systemWords(code)}.`, advice: 'Check the disk and try again.' },
        path,
        error,
      );
  }
}

function permissionError(path: string, cause: unknown): StoreError {
  const left = leftToAdministrator(path);
  const advice =
    left === null
      ? 'Check the owner and the mode of the file and its folder.'
      : `${left.top === path ? 'It' : left.top} belongs to the administrator, as a run with sudo leaves it. "${left.command}" makes it yours again.`;
  return new StoreError('no-permission', { what: `No permission to use ${path}.`, advice }, path, cause);
}

/** Looking at something needs no right to it, but to its folder. */
const looking = new Set<unknown>(['stat', 'lstat', 'readlink', 'realpath']);

/** What an operation failed at, where the system says: a folder for the temp files and locks that are made in it. */
function failedPath(error: unknown): string | null {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return null;
  if ('syscall' in error && looking.has(error.syscall)) return dirname(error.path);
  const parts = [error.path, dirname(error.path)];
  const temp = parts.find((part) => readTempName(basename(part)) !== null || part.endsWith('.lock'));
  return temp === undefined ? error.path : dirname(temp);
}

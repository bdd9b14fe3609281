import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import { type ErrorText, NamedError, systemWords } from './error-text.ts';
import { readTempName, shellWord } from './paths.ts';

const administrator = 0;

interface LeftToAdministrator {
  readonly top: string;
  readonly command: string;
}

/**
 * What an earlier `sudo` run left to the administrator in a folder of the user, and so keeps the user from `path`; else
 * null. Never throws.
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
  readonly path: string;

  constructor(kind: StoreErrorKind, text: ErrorText, path: string, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.path = path;
  }
}

export class ChangedMeanwhileError extends StoreError {
  constructor(path: string) {
    super(
      'locked',
      { what: `${path} keeps being changed by another program.`, advice: 'Close it and try again.' },
      path,
    );
  }
}

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

export async function asStoreErrors<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, path);
  }
}

interface Failure {
  readonly kind: StoreErrorKind;
  /** With `{path}` for the file. */
  readonly what: string;
  readonly advice: string;
}

const wrongKind: Failure = {
  kind: 'failed',
  what: '{path} cannot be used: a folder stands where a file is expected, or the other way round.',
  advice: 'Move it away.',
};
const noSpace: Failure = {
  kind: 'disk-full',
  what: 'No space left to write {path}.',
  advice: 'Free some space and try again.',
};

const failures: ReadonlyMap<string | null, Failure> = new Map([
  [
    'EROFS',
    {
      kind: 'read-only',
      what: '{path} is on a read-only file system.',
      advice: 'Make it writable, or point XDG_DATA_HOME and XDG_STATE_HOME at other folders.',
    },
  ],
  ['ENOSPC', noSpace],
  ['EDQUOT', noSpace],
  [
    'ENOENT',
    {
      kind: 'failed',
      what: '{path} could not be written: its folder is not there and cannot be made there.',
      advice: 'Point HOME, or XDG_DATA_HOME and XDG_STATE_HOME, at other folders, or wait for the disk to come back.',
    },
  ],
  ['EISDIR', wrongKind],
  ['ENOTDIR', wrongKind],
  ['ELOOP', wrongKind],
]);

export function toStoreError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = systemCode(error);
  if (code === 'EACCES' || code === 'EPERM') return permissionError(failedPath(error) ?? path, error);
  const { kind, what, advice } = failures.get(code) ?? {
    kind: 'failed',
    what: `{path} could not be read or written${systemWords(code)}.`,
    advice: 'Check the disk and try again.',
  };
  return new StoreError(kind, { what: what.replace('{path}', () => path), advice }, path, error);
}

function permissionError(path: string, cause: unknown): StoreError {
  const left = leftToAdministrator(path);
  const advice =
    left === null
      ? 'Check the owner and the mode of the file and its folder.'
      : `${left.top === path ? 'It' : left.top} belongs to the administrator, as a run with sudo leaves it. "${left.command}" makes it yours again.`;
  return new StoreError('no-permission', { what: `No permission to use ${path}.`, advice }, path, cause);
}

const looking = new Set<unknown>(['stat', 'lstat', 'readlink', 'realpath']);

function failedPath(error: unknown): string | null {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return null;
  if ('syscall' in error && looking.has(error.syscall)) return dirname(error.path);
  const parts = [error.path, dirname(error.path)];
  const temp = parts.find((part) => readTempName(basename(part)) !== null || part.endsWith('.lock'));
  return temp === undefined ? error.path : dirname(temp);
}

import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import { type ErrorText, NamedError, systemWords } from './error-text.ts';
import { readTempName, shellWord } from './paths.ts';

const administrator = 0;

interface RootOwned {
  readonly top: string;
  readonly command: string;
}

/**
 * Returns the topmost parent of `path` that root owns in a user's folder, which a run with `sudo` has left; null if
 * there is none. Never throws.
 */
export function rootOwned(path: string): RootOwned | null {
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
    // The entry is missing, or its folder is not readable. The loop checks the folder next.
    return null;
  }
}

/**
 * `disk-full`: no space, quota or files left. `locked`: another process held a lock for too long, or took ours.
 * `newer-version`: written by a newer version of the program. `damaged`: the file is damaged and could not be moved
 * aside. `cut-off`: the database is unreachable.
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

/** A failed read or write of our data. `message` names the file or database and tells the user what to do. */
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
    super('locked', { what: `Another program keeps changing ${path}.`, advice: 'Close it and try again.' }, path);
  }
}

export class NotAFileError extends StoreError {
  /** For example "a folder". */
  readonly found: string;

  /** @param leadsTo the target of `path` if it is a link */
  constructor(path: string, found: string, leadsTo = path) {
    const named = leadsTo === path ? path : `${path} leads to ${leadsTo} and`;
    super(
      'failed',
      {
        what: `${named} cannot be used: it is ${found}, not a file. Nothing was changed.`,
        advice: 'Move it away, or replace it with a file.',
      },
      path,
    );
    this.found = found;
  }
}

export class TooLargeError extends StoreError {
  constructor(path: string, bytes: number, maxBytes: number) {
    const [size, max] = [bytes, maxBytes].map((count) => `${Math.floor(count / 1_000_000)} MB`);
    super(
      'failed',
      {
        what: `${path} is too large to read: it is ${size}, and the limit is ${max}.`,
        advice: 'Move it away. "parcel-monitor restore" lists the saved copies of a watchlist.',
      },
      path,
    );
  }
}

export function systemCode(error: unknown): string | null {
  // If the disk is full, closing the file may fail again.
  if (error instanceof Error && 'suppressed' in error && 'error' in error) return systemCode(error.error);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Resolves with the result of the operation, or with null if it fails with one of these codes. */
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

/** Returns null for a {@link StoreError}, if the work is optional. Throws any other error. */
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
  /** A template; `{path}` is replaced by the file. */
  readonly what: string;
  readonly advice: string;
}

const wrongKind: Failure = {
  kind: 'failed',
  what: '{path} cannot be used: it is a folder where a file is expected, or the reverse.',
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
      what: '{path} could not be written: its folder does not exist and cannot be created.',
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
  const left = rootOwned(path);
  const advice =
    left === null
      ? 'Check the owner and the mode of the file and its folder.'
      : `${left.top === path ? 'It' : left.top} belongs to root, probably after a run with sudo. Run "${left.command}" to take it back.`;
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

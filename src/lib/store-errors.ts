import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import { type ErrorText, NamedError, systemText } from './error-text.ts';
import { readTempName, shellWord } from './paths.ts';

const rootUid = 0;

/**
 * Finds the topmost root-owned ancestor of `path` inside a user's directory, typically left behind by a `sudo` run.
 * Returns null if there isn't one. Never throws.
 */
export function findRootOwned(path: string): { readonly top: string; readonly command: string } | null {
  if (!isAbsolute(path)) return null;
  let at = path;
  let stats = lstatOrNull(at);
  while (stats === null && dirname(at) !== at) {
    at = dirname(at);
    stats = lstatOrNull(at);
  }
  while (stats?.uid === rootUid && dirname(at) !== at) {
    const parent = lstatOrNull(dirname(at));
    if (parent !== null && parent.uid !== rootUid) {
      return { top: at, command: `sudo chown -R ${parent.uid}:${parent.gid} ${shellWord(at)}` };
    }
    at = dirname(at);
    stats = parent;
  }
  return null;
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    // The entry is missing or its folder is unreadable, so the caller moves on to the folder.
    return null;
  }
}

/**
 * `disk-full`: out of disk space, quota or inodes. `locked`: another process held a lock for too long, or took ours.
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

/** Thrown when our data cannot be read or written. `message` names the file or database and tells the user what to do. */
export class StoreError extends NamedError {
  readonly kind: StoreErrorKind;
  readonly path: string;

  constructor(kind: StoreErrorKind, text: ErrorText, path: string, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.path = path;
  }
}

export class ConcurrentChangeError extends StoreError {
  constructor(path: string) {
    super('locked', { what: `Another program keeps changing ${path}.`, advice: 'Close it and try again.' }, path);
  }
}

export class NotAFileError extends StoreError {
  /** For example "a folder". */
  readonly found: string;

  /** @param target what `path` points to, if it is a symbolic link */
  constructor(path: string, found: string, target = path) {
    const subject = target === path ? path : `${path} points to ${target}, which`;
    super(
      'failed',
      {
        what: `${subject} is ${found}, not a file; nothing was changed.`,
        advice: 'Move it somewhere else, or replace it with a file.',
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
        advice: 'Move it somewhere else; "parcel-monitor restore" lists the saved copies of a watchlist.',
      },
      path,
    );
  }
}

export function systemCode(error: unknown): string | null {
  // On a full disk, closing the file can fail as well. The first error is the one to report.
  if (error instanceof Error && 'suppressed' in error && 'error' in error) return systemCode(error.error);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Resolves with the operation's result, or with null if it fails with one of `codes`. */
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

/** Swallows a {@link StoreError} when the work is optional. Rethrows anything else. */
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
  /** A template in which `{path}` is replaced with the file's path. */
  readonly what: string;
  readonly advice: string;
}

const wrongEntry: Failure = {
  kind: 'failed',
  what: '{path} cannot be used: there is a folder where a file should be, or a file where a folder should be.',
  advice: 'Move it somewhere else.',
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
      advice: 'Make it writable, or set XDG_DATA_HOME and XDG_STATE_HOME to different folders.',
    },
  ],
  ['ENOSPC', noSpace],
  ['EDQUOT', noSpace],
  [
    'ENOENT',
    {
      kind: 'failed',
      what: '{path} could not be written: its folder does not exist and cannot be created.',
      advice:
        'Set HOME (or XDG_DATA_HOME and XDG_STATE_HOME) to a different folder, or reconnect the disk and try again.',
    },
  ],
  ['EISDIR', wrongEntry],
  ['ENOTDIR', wrongEntry],
  [
    'ELOOP',
    {
      kind: 'failed',
      what: '{path} cannot be used: the symbolic links in its path form a loop.',
      advice: 'Fix or remove them.',
    },
  ],
]);

export function toStoreError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = systemCode(error);
  if (code === 'EACCES' || code === 'EPERM') return permissionError(failedPath(error) ?? path, error);
  const { kind, what, advice } = failures.get(code) ?? {
    kind: 'failed',
    what: `{path} could not be read or written${systemText(code)}.`,
    advice: 'Check the disk and try again.',
  };
  return new StoreError(kind, { what: what.replace('{path}', () => path), advice }, path, error);
}

function permissionError(path: string, cause: unknown): StoreError {
  const rootEntry = findRootOwned(path);
  const advice =
    rootEntry === null
      ? 'Check the owner and permissions of the file and its folder.'
      : `${rootEntry.top === path ? 'It' : rootEntry.top} belongs to root, probably because of an earlier sudo run; take it back with "${rootEntry.command}".`;
  return new StoreError('no-permission', { what: `Permission denied: ${path}.`, advice }, path, cause);
}

/** On EACCES from one of these calls, the folder is to blame, not the entry. */
const statSyscalls = new Set<unknown>(['stat', 'lstat', 'readlink', 'realpath']);

function failedPath(error: unknown): string | null {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return null;
  if ('syscall' in error && statSyscalls.has(error.syscall)) return dirname(error.path);
  const parts = [error.path, dirname(error.path)];
  const temp = parts.find((part) => readTempName(basename(part)) !== null || part.endsWith('.lock'));
  return temp === undefined ? error.path : dirname(temp);
}

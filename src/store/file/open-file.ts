import { constants as bufferConstants } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { shellWord } from '../../lib/paths.ts';
import { NotAFileError, nullIfMissing, nullIfMissingSync, StoreError, TooLargeError } from '../../lib/store-errors.ts';

/** A flag so that opening a pipe or a device does not block. Undefined on Windows. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;

/** An open regular file. */
interface OpenFile {
  readonly file: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens a regular file for reading. All files are read through this function: opening anything else could block or have
 * side effects. Throws a {@link NotAFileError} or system errors.
 */
async function openFile(path: string): Promise<OpenFile> {
  assertFile(path, await stat(path));
  const file = await open(path, constants.O_RDONLY | withoutWaiting);
  try {
    const stats = await file.stat();
    assertFile(path, stats);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Runs `read` with an open file and its size in bytes, then closes it. Throws like {@link openFile}. */
export async function withFileToRead<Answer>(
  path: string,
  read: (file: FileHandle, size: number) => Promise<Answer>,
): Promise<Answer> {
  const { file, stats } = await openFile(path);
  try {
    return await read(file, stats.size);
  } finally {
    await file.close();
  }
}

/** Reads a whole file. Throws like {@link openFile}, and a {@link TooLargeError} if it does not fit into a string. */
export const readWholeFile = (path: string): Promise<Buffer> =>
  withFileToRead(path, async (file, size) => {
    assertSize(path, size);
    return await file.readFile();
  });

function assertSize(path: string, size: number): void {
  const maxBytes = bufferConstants.MAX_STRING_LENGTH;
  if (size > maxBytes) throw new TooLargeError(path, size, maxBytes);
}

/** Like {@link readWholeFile}, for one of many files in a folder. Returns null if it is gone or not a file. */
export async function readListedFile(path: string): Promise<Buffer | null> {
  try {
    return await nullIfMissing(readWholeFile(path));
  } catch (error) {
    if (error instanceof NotAFileError) return null;
    throw error;
  }
}

export function readWholeFileSync(path: string): Buffer {
  assertFile(path, statSync(path));
  const file = openSync(path, constants.O_RDONLY | withoutWaiting);
  try {
    const stats = fstatSync(file);
    assertFile(path, stats);
    assertSize(path, stats.size);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Paths by which the shell names a pipe that it passes, as in `<(...)`. */
const handedOver = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/**
 * Yields the content of a file that the user named: a regular file, or a pipe that the shell has opened. Reading from a
 * pipe can be interrupted. Throws like {@link openFile}.
 * @param note called with the stats of a regular file before it is read
 */
export async function* piecesOfNamedFile(path: string, note?: (opened: Stats) => void): AsyncGenerator<Uint8Array> {
  const descriptor = path === '/dev/stdin' ? '0' : handedOver.exec(path)?.[1];
  if (descriptor === undefined || !(await stat(path)).isFIFO()) {
    const { file, stats } = await openFile(path);
    note?.(stats);
    yield* file.createReadStream();
    return;
  }
  const { Socket } = await import('node:net');
  yield* new Socket({ fd: Number(descriptor), readable: true, writable: false });
}

export async function readNamedFile(path: string, note?: (opened: Stats) => void): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOfNamedFile(path, note)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Refuses anything but a regular file before we write next to it or move it. Returns its stats, or null if there is
 * none.
 */
export async function refuseOtherThanFile(path: string): Promise<Stats | null> {
  const stats = await nullIfMissing(stat(path));
  if (stats !== null) assertFile(path, stats);
  return stats;
}

/** Like {@link refuseOtherThanFile}, with stats that were just read. `given` is the name that the user knows. */
function refuseOtherThanFileSync(path: string, given: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) assertFile(path, stats, given);
}

function assertFile(path: string, stats: Stats, given = path): void {
  if (!stats.isFile()) throw new NotAFileError(given, kindOf(stats), path);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

/** More links than this count as a loop, as in the system. */
const maxLinks = 40;

/**
 * Follows symbolic links, so that a rename replaces the target and not the link. The file and its folder need not
 * exist. Throws system errors, such as ELOOP for a loop.
 */
export async function resolvePath(path: string, links = 0): Promise<string> {
  const real = await nullIfMissing(realpath(path));
  if (real !== null) return real;
  const target = nullIfMissingSync(() => readlinkSync(path), ['ENOENT', 'EINVAL']);
  if (target !== null) {
    if (links >= maxLinks) throw Object.assign(new Error(`too many links at ${path}`), { code: 'ELOOP' });
    return await resolvePath(resolve(dirname(path), target), links + 1);
  }
  const folder = nullIfMissingSync(() => realpathSync.native(dirname(path)));
  return folder === null ? resolve(path) : join(folder, basename(path));
}

const everybodyMayWrite = 0o002;
/** Error codes that we ignore here, because the code that uses the path reports them. */
const unreadableCodes = ['ENOENT', 'ENOTDIR', 'EACCES'];

/**
 * Refuses a link that another user could have put there: one in a folder that every user may write to, owned neither by
 * us nor by the folder's owner. We would read, move or replace a file of their choice. Checks only the path itself and
 * its folder. Throws a {@link StoreError}.
 * @param uid our user; null if the system has no users, then nothing is refused
 */
function assertTrustedLinks(path: string, uid: number | null): void {
  if (uid === null) return;
  for (const link of [dirname(path), path]) {
    const stats = nullIfMissingSync(() => lstatSync(link), unreadableCodes);
    if (stats === null || !stats.isSymbolicLink() || stats.uid === uid) continue;
    const folder = nullIfMissingSync(() => lstatSync(dirname(link)), unreadableCodes);
    if (folder === null || (folder.mode & everybodyMayWrite) === 0 || folder.uid === stats.uid) continue;
    throw new StoreError(
      'no-permission',
      {
        what: `${link} is a link that another user (user id ${stats.uid}) put into a folder that everyone can write to, so it is not followed.`,
        advice: `Remove it, and run: chmod o-w ${shellWord(dirname(link))}`,
      },
      link,
    );
  }
}

/**
 * Resolves a file's path to read or replace: follows links like {@link resolvePath}, but refuses other users'
 * links and anything but a regular file. Throws a `StoreError` or system errors.
 * @param uid our user; null if the system has no users, then all links are followed
 */
export async function findFilePlace(given: string, uid: number | null): Promise<string> {
  // A hanging disk must not block us: we ask on this thread only after another thread got an answer.
  const [place] = await Promise.allSettled([resolvePath(given)]);
  assertTrustedLinks(given, uid);
  if (place.status === 'rejected') throw place.reason;
  refuseOtherThanFileSync(place.value, given);
  return place.value;
}

/** The mark of a file that does not exist. */
export const noFile = 'none';

/**
 * Returns a mark that changes whenever the file is replaced or written: we create a new file each time, and others
 * change its time.
 */
export async function fileMark(path: string): Promise<string> {
  const stats = await nullIfMissing(stat(path, { bigint: true }));
  return stats === null ? noFile : markOf(stats);
}

export function fileMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : markOf(stats);
}

/** Returns a mark that also changes with the owner and the permissions. */
export function rightsMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : `${markOf(stats)}-${stats.mode}-${stats.uid}`;
}

export const markOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

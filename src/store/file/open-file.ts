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

/** Prevents opening a pipe or a device from blocking. The flag does not exist on Windows. */
const nonBlocking = constants.O_NONBLOCK ?? 0;

/**
 * Opens a regular file for reading. Opening anything else could block or have side effects, so it throws a {@link
 * NotAFileError}. Also throws system errors.
 */
async function openFile(path: string) {
  assertFile(path, await stat(path));
  const file = await open(path, constants.O_RDONLY | nonBlocking);
  try {
    const stats = await file.stat();
    assertFile(path, stats);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Runs `read` with an open file and its size in bytes, and then closes the file. Throws like {@link openFile}. */
export async function withFileToRead<Result>(
  path: string,
  read: (file: FileHandle, size: number) => Promise<Result>,
): Promise<Result> {
  const { file, stats } = await openFile(path);
  try {
    return await read(file, stats.size);
  } finally {
    await file.close();
  }
}

/** Reads a whole file. Throws like {@link openFile}, or a {@link TooLargeError} if it does not fit into a string. */
export const readWholeFile = (path: string): Promise<Buffer> =>
  withFileToRead(path, async (file, size) => {
    assertSize(path, size);
    return await file.readFile();
  });

function assertSize(path: string, size: number): void {
  const maxBytes = bufferConstants.MAX_STRING_LENGTH;
  if (size > maxBytes) throw new TooLargeError(path, size, maxBytes);
}

/** Like {@link readWholeFile}, for a file found in a folder listing. Null if it was deleted or is not a regular file. */
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
  const file = openSync(path, constants.O_RDONLY | nonBlocking);
  try {
    const stats = fstatSync(file);
    assertFile(path, stats);
    assertSize(path, stats.size);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Paths of the pipes that a shell passes for arguments such as `<(...)`. */
const descriptorPath = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/**
 * Yields the content of a file that the user named: a regular file, or a pipe that the shell has opened. Reading from a
 * pipe can be interrupted. Throws like {@link openFile}.
 * @param onOpen called with the stats of a regular file before it is read
 */
export async function* streamNamedFile(path: string, onOpen?: (opened: Stats) => void): AsyncGenerator<Uint8Array> {
  const descriptor = path === '/dev/stdin' ? '0' : descriptorPath.exec(path)?.[1];
  if (descriptor === undefined || !(await stat(path)).isFIFO()) {
    const { file, stats } = await openFile(path);
    onOpen?.(stats);
    yield* file.createReadStream();
    return;
  }
  const { Socket } = await import('node:net');
  yield* new Socket({ fd: Number(descriptor), readable: true, writable: false });
}

export async function readNamedFile(path: string, onOpen?: (opened: Stats) => void): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of streamNamedFile(path, onOpen)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Returns a regular file's stats, or null if nothing is there. Throws a {@link NotAFileError} for anything else, so that we
 * neither replace nor move it.
 */
export async function statRegularFile(path: string): Promise<Stats | null> {
  const stats = await nullIfMissing(stat(path));
  if (stats !== null) assertFile(path, stats);
  return stats;
}

/** @param originalPath the path that the user knows */
function assertFile(path: string, stats: Stats, originalPath = path): void {
  if (!stats.isFile()) throw new NotAFileError(originalPath, fileKind(stats), path);
}

function fileKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

/** More links than this count as a loop, as in Linux. */
const maxLinks = 40;

/**
 * Follows symbolic links, so that a rename replaces the target instead of the link. The file and its folder need not
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

const worldWritable = 0o002;
/** Error codes to ignore here, because the code that uses the path reports them. */
const unreadableCodes = ['ENOENT', 'ENOTDIR', 'EACCES'];

/**
 * Refuses a link that another user may have planted, so that we would read, move or replace a file of their choice: a link
 * in a world-writable folder that belongs neither to us nor to the folder's owner. Checks only the path itself and its
 * folder. Throws a {@link StoreError}.
 * @param uid our user, or null if the system has no users; then nothing is refused
 */
function assertTrustedLinks(path: string, uid: number | null): void {
  if (uid === null) return;
  for (const link of [dirname(path), path]) {
    const stats = nullIfMissingSync(() => lstatSync(link), unreadableCodes);
    if (stats === null || !stats.isSymbolicLink() || stats.uid === uid) continue;
    const folder = nullIfMissingSync(() => lstatSync(dirname(link)), unreadableCodes);
    if (folder === null || (folder.mode & worldWritable) === 0 || folder.uid === stats.uid) continue;
    throw new StoreError(
      'no-permission',
      {
        what: `${link} is a link that another user (user id ${stats.uid}) created in a folder that everyone can write to, so it was not followed.`,
        advice: `Remove it, and run: chmod o-w ${shellWord(dirname(link))}`,
      },
      link,
    );
  }
}

/**
 * Returns the path at which to read or replace a file. Follows links like {@link resolvePath}, but refuses links planted
 * by other users, and anything but a regular file. Throws a `StoreError` or system errors.
 * @param uid our user, or null if the system has no users; then all links are followed
 */
export async function resolveFilePath(originalPath: string, uid: number | null): Promise<string> {
  // If the disk hangs, this thread must not block, so another thread accesses the path first.
  const [place] = await Promise.allSettled([resolvePath(originalPath)]);
  assertTrustedLinks(originalPath, uid);
  if (place.status === 'rejected') throw place.reason;
  const stats = statSync(place.value, { throwIfNoEntry: false });
  if (stats !== undefined) assertFile(place.value, stats, originalPath);
  return place.value;
}

/** The mark of a file that does not exist. */
export const noFile = 'none';

/**
 * Returns a mark that changes whenever the file is written: we replace it with a new file, and other programs change its
 * modification time.
 */
export async function fileMark(path: string): Promise<string> {
  const stats = await nullIfMissing(stat(path, { bigint: true }));
  return stats === null ? noFile : statsMark(stats);
}

export function fileMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : statsMark(stats);
}

/** Returns a mark that also changes with the owner and the permissions. */
export function rightsMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : `${statsMark(stats)}-${stats.mode}-${stats.uid}`;
}

export const statsMark = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

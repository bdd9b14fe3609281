import { constants as bufferConstants } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { NotAFileError, nullIfMissing, TooLargeError } from '../../lib/store-errors.ts';

/** Flag with which opening a pipe or a device does not block. Undefined on Windows. */
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
  const most = bufferConstants.MAX_STRING_LENGTH;
  if (size > most) throw new TooLargeError(path, size, most);
}

/** Like {@link readWholeFile}, for one of many files in a folder: null if it is gone or not a file. */
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
 * Yields the content of a file that the user named: a regular file, or a pipe that the shell has opened. Reading
 * from a pipe can be interrupted. Throws like {@link openFile}.
 * @param note gets the stats of a regular file before it is read
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

/** Like {@link refuseOtherThanFile}, with stats just read; `given` is the name the user knows. */
export function refuseOtherThanFileSync(path: string, given: string): void {
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

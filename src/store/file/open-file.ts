import { constants as bufferConstants } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { NotAFileError, nullIfMissing, TooLargeError } from '../../lib/store-errors.ts';

/** Opening a pipe or a device does not block. Not defined on Windows. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;

/** A regular file that is open for reading. */
interface OpenFile {
  readonly file: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens a regular file for reading. Everything that is read goes through here: opening anything else could block forever
 * or have side effects. Throws a {@link NotAFileError}, else what the system throws.
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

/** Runs `read` with an open file and its size in bytes, then closes it. Throws as {@link openFile}. */
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

/** Reads a whole file. Throws as {@link openFile}, and a {@link TooLargeError} if it does not fit into a string. */
export const readWholeFile = (path: string): Promise<Buffer> =>
  withFileToRead(path, async (file, size) => {
    assertSize(path, size);
    return await file.readFile();
  });

function assertSize(path: string, size: number): void {
  const most = bufferConstants.MAX_STRING_LENGTH;
  if (size > most) throw new TooLargeError(path, size, most);
}

/** As {@link readWholeFile}, for one of many files in a folder: null where no file is there any more, or something else. */
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

/** How the shell names a pipe that it hands over, as `<(...)` does. */
const handedOver = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/**
 * The content, piece by piece, of a file that the user has named: a regular one, or a pipe that the shell has handed over
 * already open. Reading from that can be interrupted. Throws as {@link openFile}.
 * @param note told what is known of the file that was opened, before it is read; not of a pipe
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
 * Refuses what is there and no regular file, before anything is made beside it or moved; answers what is known of the
 * file, null where there is none.
 */
export async function refuseOtherThanFile(path: string): Promise<Stats | null> {
  const stats = await nullIfMissing(stat(path));
  if (stats !== null) assertFile(path, stats);
  return stats;
}

/** As {@link refuseOtherThanFile}, for what has just been asked; `given` is the name under which the file is known. */
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

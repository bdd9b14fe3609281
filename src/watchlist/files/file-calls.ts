import { type BigIntStats, close, fstat, lstat, open, read, readlink, realpath, type Stats, stat } from 'node:fs';

/*
 * What a start asks of the file system, without Node's module of promises: that loads what reads lines and watches folders
 * as well, which takes longer than a small file. The errors are the same.
 */

/** Ends a promise as a call of the file system ends. */
const settle =
  <Value>(resolve: (value: Value) => void, reject: (reason: unknown) => void) =>
  (error: NodeJS.ErrnoException | null, value: Value): void =>
    error === null ? resolve(value) : reject(error);

/** What is known of a file, links followed. */
export const statsOf = (path: string): Promise<Stats> =>
  new Promise((resolve, reject) => stat(path, settle(resolve, reject)));

/** The same of what has this name itself, not of where a link leads. */
export const linkStatsOf = (path: string): Promise<Stats> =>
  new Promise((resolve, reject) => lstat(path, settle(resolve, reject)));

/** As {@link statsOf}, exactly. */
export const exactStatsOf = (path: string): Promise<BigIntStats> =>
  new Promise((resolve, reject) => stat(path, { bigint: true }, settle(resolve, reject)));

/** A path with all links resolved. */
export const realPathOf = (path: string): Promise<string> =>
  new Promise((resolve, reject) => realpath.native(path, settle(resolve, reject)));

/** Where a symbolic link leads. */
export const linkTargetOf = (path: string): Promise<string> =>
  new Promise((resolve, reject) => readlink(path, settle(resolve, reject)));

/** Opens a file for as long as `use` takes. */
export async function withOpenFile<Answer>(
  path: string,
  flags: number,
  use: (file: number) => Promise<Answer>,
): Promise<Answer> {
  const file = await new Promise<number>((resolve, reject) => open(path, flags, settle(resolve, reject)));
  try {
    return await use(file);
  } finally {
    await new Promise<void>((resolve, reject) => close(file, (error) => settle<void>(resolve, reject)(error ?? null)));
  }
}

/** What is known of an open file. */
export const statsOfOpen = (file: number): Promise<Stats> =>
  new Promise((resolve, reject) => fstat(file, settle(resolve, reject)));

/** What systems call a file of no size that can be read all the same is read in pieces of so many bytes. */
const pieceSize = 65_536;

/** Reads an open file to its end: a file of so many bytes at once. */
export async function readToEnd(file: number, size: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let total = 0; size === 0 || total < size; ) {
    const piece = Buffer.allocUnsafeSlow(size === 0 ? pieceSize : size - total);
    const count = await readInto(file, piece);
    if (count === 0) break;
    pieces.push(count === piece.length ? piece : piece.subarray(0, count));
    total += count;
  }
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}

/** Reads an open file from a place to another, in bytes; what it answers is shorter where the file ends before. */
export async function readBetween(file: number, from: number, to: number): Promise<Buffer> {
  const piece = Buffer.alloc(to - from);
  return piece.subarray(0, await readInto(file, piece, from));
}

/** @param from null for where it has been read so far */
const readInto = (file: number, piece: Buffer, from: number | null = null): Promise<number> =>
  new Promise((resolve, reject) => read(file, piece, 0, piece.length, from, settle(resolve, reject)));

import { type BigIntStats, close, open, read, realpath, stat, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { nullIfMissing } from '../../lib/store-errors.ts';

/*
 * What a start asks of the file system, without Node's module of promises: that loads what reads lines and watches folders
 * as well, which takes longer than a small file. The errors are the same.
 */

export const statsOf = promisify(stat);
export const realPathOf = promisify(realpath.native);

const openOf = promisify(open);
const closeOf = promisify(close);
const readOf = promisify(read);

export async function withOpenFile<Answer>(
  path: string,
  flags: number,
  use: (file: number) => Promise<Answer>,
): Promise<Answer> {
  const file = await openOf(path, flags);
  try {
    return await use(file);
  } finally {
    await closeOf(file);
  }
}

/** What systems call a file of no size that can be read all the same is read in pieces of so many bytes. */
const pieceSize = 65_536;

export async function readToEnd(file: number, size: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let total = 0; size === 0 || total < size; ) {
    const piece = Buffer.allocUnsafeSlow(size === 0 ? pieceSize : size - total);
    const { bytesRead: count } = await readOf(file, piece, 0, piece.length, null);
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
  const { bytesRead } = await readOf(file, piece, 0, piece.length, from);
  return piece.subarray(0, bytesRead);
}

export const noFile = 'none';

/** Differs whenever the file was replaced or written: each write of ours is a new file, one by others has another time. */
export async function fileMark(path: string): Promise<string> {
  const stats = await nullIfMissing(statsOf(path, { bigint: true }));
  return stats === null ? noFile : markOf(stats);
}

export function fileMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : markOf(stats);
}

/** As {@link fileMarkSync}, and another one when owner or rights are others. One question to the file system, too. */
export function rightsMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : `${markOf(stats)}-${stats.mode}-${stats.uid}`;
}

export const markOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

import { type BigIntStats, statSync } from 'node:fs';
import { nullIfMissing } from '../errors.ts';
import { statsOf } from './file-calls.ts';

/** The mark of a file that does not exist. */
export const noFile = 'none';

/** Differs whenever the file was replaced or written: each write of ours is a new file, one by others has another time. */
export async function fileMark(path: string): Promise<string> {
  const stats = await nullIfMissing(statsOf(path, { bigint: true }));
  return stats === null ? noFile : markOf(stats);
}

/** As {@link fileMark}, for the moment in which nothing may come in between. */
export function fileMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : markOf(stats);
}

/** As {@link fileMarkSync}, and another one when owner or rights are others. One question to the file system, too. */
export function rightsMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : `${markOf(stats)}-${stats.mode}-${stats.uid}`;
}

/** The mark of a file that was looked at. */
export const markOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

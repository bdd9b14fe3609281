import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { systemCode } from './errors.ts';

/** The mark of a file that does not exist. */
export const noFile = 'none';

/** Differs whenever the file was replaced or written: each write of ours is a new file, one by others has another time. */
export async function fileMark(path: string): Promise<string> {
  try {
    return markOf(await stat(path, { bigint: true }));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return noFile;
    throw error;
  }
}

/** As {@link fileMark}, for the moment in which nothing may come in between. */
export function fileMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : markOf(stats);
}

const markOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

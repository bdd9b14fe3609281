import { lstat, unlink } from 'node:fs/promises';
import { systemCode } from '../errors.ts';

/** Removes a regular file, or a link and not what it leads to; harmless when there is none. Anything else stays. */
export async function removeFile(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    if (stats.isFile() || stats.isSymbolicLink()) await unlink(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

import { lstat, unlink } from 'node:fs/promises';
import { nullIfMissing } from '../errors.ts';

/** Removes a regular file, or a link and not what it leads to; harmless when there is none. Anything else stays. */
export async function removeFile(path: string): Promise<void> {
  const stats = await nullIfMissing(lstat(path));
  if (stats?.isFile() || stats?.isSymbolicLink()) await nullIfMissing(unlink(path));
}

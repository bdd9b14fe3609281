import { lstatSync, rmSync } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { nullIfMissing } from '../errors.ts';

/** Removes a regular file, or a link and not what it leads to; harmless when there is none. Anything else stays. */
export async function removeFile(path: string): Promise<void> {
  const stats = await nullIfMissing(lstat(path));
  if (stats?.isFile() || stats?.isSymbolicLink()) await nullIfMissing(unlink(path));
}

/** As {@link removeFile}, for the moment in which nothing may come in between. */
export function removeFileSync(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // By force: harmless when another process has removed it meanwhile.
  if (stats?.isFile() || stats?.isSymbolicLink()) rmSync(path, { force: true });
}

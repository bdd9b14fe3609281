import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { nullIfMissing, nullIfMissingSync } from '../errors.ts';
import { realPathOf } from './file-calls.ts';

/** A chain of links longer than this is taken for a circle, as systems do. */
const mostLinks = 40;

/**
 * Follows symbolic links to the file that is to be read or replaced, so that a rename replaces the target and not the
 * link. The file, and even its folder, need not exist yet. Throws what the system throws; ELOOP for a circle.
 */
export async function resolvePath(path: string, links = 0): Promise<string> {
  const real = await nullIfMissing(realPathOf(path));
  if (real !== null) return real;
  const target = nullIfMissingSync(() => readlinkSync(path), ['ENOENT', 'EINVAL']);
  if (target !== null) {
    if (links >= mostLinks) throw Object.assign(new Error(`too many links at ${path}`), { code: 'ELOOP' });
    return await resolvePath(resolve(dirname(path), target), links + 1);
  }
  const folder = nullIfMissingSync(() => realpathSync.native(dirname(path)));
  return folder === null ? resolve(path) : join(folder, basename(path));
}

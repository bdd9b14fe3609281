import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode } from '../errors.ts';

/** A chain of links longer than this is taken for a circle, as systems do. */
const mostLinks = 40;

/**
 * Follows symbolic links to the file that is to be read or replaced, so that a rename replaces the target and not the
 * link. The file, and even its folder, need not exist yet. Throws what the system throws; ELOOP for a circle.
 */
export async function resolvePath(path: string, links = 0): Promise<string> {
  const real = await orNull(realpath(path), 'ENOENT');
  if (real !== null) return real;
  const target = await orNull(readlink(path), 'ENOENT', 'EINVAL');
  if (target !== null) {
    if (links >= mostLinks) throw Object.assign(new Error(`too many links at ${path}`), { code: 'ELOOP' });
    return await resolvePath(resolve(dirname(path), target), links + 1);
  }
  const folder = await orNull(realpath(dirname(path)), 'ENOENT');
  return folder === null ? resolve(path) : join(folder, basename(path));
}

async function orNull<Value>(work: Promise<Value>, ...codes: readonly string[]): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

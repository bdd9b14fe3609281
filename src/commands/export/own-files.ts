import { isAbsolute, relative, sep } from 'node:path';
import { resolvePath } from '../../watchlist/files/resolve-path.ts';
import type { ProgramPaths } from '../configuration/paths.ts';

/**
 * Whether the program keeps its own files at a path, or where it leads to: in the folders of the parcels and of what
 * survives a restart, or as a file elsewhere that is ours. Throws as {@link resolvePath}.
 */
export async function isOwnFile(path: string, { data, state, ...files }: ProgramPaths): Promise<boolean> {
  const target = await resolvePath(path);
  const own = [data, state, files.watchlist, files.history, files.config, files.couriers];
  for (const place of own) {
    // What our links lead to is ours as well.
    if (isWithin(await resolvePath(place), target)) return true;
  }
  return false;
}

function isWithin(place: string, path: string): boolean {
  const way = relative(place, path);
  // Absolute on another drive.
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { nullIfMissingSync, systemCode } from '../errors.ts';
import { folderMode, giveToOwner } from './ownership.ts';
import { syncFolder } from './sync-folder.ts';

/** How often a folder is made anew that somebody else removes at the same time. */
const mostTries = 3;

/**
 * Makes a folder (0700) and those above it that are missing; harmless when it is there; they survive a power cut. Made by
 * the administrator they belong to whom the nearest folder belongs that was there. Node's own way never comes to an end
 * on a file system that answers ENOENT whatever is there, as `/proc` does. Throws what the system throws; ENOTDIR where
 * something else stands in its place, ENOENT where no folder can be made.
 */
export async function makeFolder(path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    if (isFolder(path)) return;
    try {
      await makeOneFolder(path);
      await syncFolder(dirname(path));
      return;
    } catch (error) {
      const code = systemCode(error);
      // Another process made it, or a link to nowhere stands there.
      if (code === 'EEXIST' && tries < mostTries) continue;
      if (code === 'EEXIST') throw Object.assign(new Error(`${path} leads nowhere`), { code: 'ENOENT' });
      if (code !== 'ENOENT' || dirname(path) === path || tries === mostTries) throw error;
    }
    await makeFolder(dirname(path));
  }
}

/** Makes one folder (0700), which must not be there, in one that is; its owner as with {@link makeFolder}. */
export async function makeOneFolder(path: string): Promise<void> {
  makePassingFolder(path);
  await giveToOwner(path);
}

/** Makes one folder (0700) for whoever makes it, who removes it again in the same moment or gives it to its owner. */
export function makePassingFolder(path: string): void {
  mkdirSync(path, { mode: folderMode });
}

/** Whether a folder is there; throws ENOTDIR when something else is. */
function isFolder(path: string): boolean {
  const stats = nullIfMissingSync(() => statSync(path));
  if (stats === null || stats.isDirectory()) return stats !== null;
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}

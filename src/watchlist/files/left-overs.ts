import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpochMs } from '../../service/clock/clock.ts';
import { nullIfMissing, systemCode } from '../errors.ts';
import { removeLockFolder } from '../lock/lock-folder.ts';
import { removeFile } from './remove-file.ts';
import { readTempName } from './temp-name.ts';

/** What is older than this was left by a killed process; nobody is still writing it. */
const leftOverAfterMs = 60 * 60_000;

/**
 * Removes what killed processes left in a folder more than an hour ago. The folder may be shared with other programs, so
 * ours is only what has the form of our temp names and was made for a file of ours: regular files, and of folders those
 * that hold a lock and nothing else. What cannot be removed stays: nothing that is written beside it depends on it.
 * Harmless when there is no folder.
 * @param isOurs whether a file of this name in this folder is ours
 */
export async function removeLeftOvers(folder: string, now: EpochMs, isOurs: (name: string) => boolean): Promise<void> {
  for (const name of await namesIn(folder)) {
    const temp = readTempName(name);
    if (temp === null || !isOurs(temp.base)) continue;
    const path = join(folder, name);
    try {
      const stats = await lstat(path);
      if (!(now - stats.mtimeMs > leftOverAfterMs)) continue;
      if (temp.isLock && stats.isDirectory()) removeLockFolder(path);
      if (!temp.isLock && stats.isFile()) await removeFile(path);
    } catch (error) {
      // Another process may be tidying up at the same moment, too.
      if (systemCode(error) === null) throw error;
    }
  }
}

/** The names in a folder; none when there is no folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await nullIfMissing(readdir(folder))) ?? [];
}

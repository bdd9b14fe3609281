import { renameSync, rmSync, type Stats, stat, utimes } from 'node:fs';
import { mkdir, rename, rm, stat as statOf, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Random } from '../service/clock.ts';
import { fileMode, uniquePart } from './atomic-write.ts';
import { systemCode } from './errors.ts';
import { type LockOwner, ownerPath, readLockOwner } from './lock-owner.ts';
import { folderMode } from './make-folder.ts';

type Callback = (error: Error | null) => void;

/** The file operations that the locking library works with. */
export interface LockFileSystem {
  readonly mkdir: (path: string, callback: Callback) => void;
  readonly rmdir: (path: string, callback: Callback) => void;
  readonly rmdirSync: (path: string) => void;
  readonly stat: (path: string, callback: (error: Error | null, stats: Stats) => void) => void;
  readonly utimes: typeof utimes;
}

/** What one try to take a lock goes by. */
export interface LockFolderOptions {
  /** What the folder says about its holder. */
  readonly text: string;
  readonly token: string;
  readonly random: Random;
}

/**
 * Folders as locks that name their holder. The library makes an empty folder and removes one by its name, whoever's it
 * is by then; here a folder comes with its holder's name in it, and only the lock that is meant is ever removed.
 */
export function createLockFileSystem(options: LockFolderOptions): LockFileSystem {
  const { text, token, random } = options;
  let isTaken = false;
  let looked: string | null = null;
  const make = async (path: string): Promise<void> => {
    await mkdir(path, { mode: folderMode });
    isTaken = true;
    try {
      await writeFile(ownerPath(path), text, { mode: fileMode });
    } catch (error) {
      await rm(path, { recursive: true, force: true });
      throw error;
    }
  };
  const remove = async (path: string): Promise<void> => {
    // One that has gone stale, as the library has found by looking at it.
    if (!isTaken)
      return await removeAbandonedLock(path, async (aside) => markOf(await statOf(aside)) === looked, random);
    if (readLockOwner(path)?.token !== token) return;
    // In one step, so that nobody sees half a lock.
    const aside = asideName(path, random);
    renameSync(path, aside);
    await rm(aside, { recursive: true, force: true });
  };
  return {
    mkdir: (path, callback) => settle(make(path), callback),
    rmdir: (path, callback) => settle(remove(path), callback),
    rmdirSync: (path) => {
      if (readLockOwner(path)?.token === token) rmSync(path, { recursive: true, force: true });
    },
    stat: (path, callback) =>
      stat(path, (error, stats) => {
        looked = error === null ? markOf(stats) : null;
        callback(error, stats);
      }),
    utimes,
  };
}

/**
 * Removes a lock that its holder has left. Another process may have done so and taken the lock anew since we looked, so
 * it is moved aside first and looked at again there; a lock that turns out to be in use is put back.
 */
export async function removeAbandonedLock(
  path: string,
  isAbandoned: (path: string) => Promise<boolean>,
  random: Random,
): Promise<void> {
  const aside = asideName(path, random);
  try {
    await rename(path, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  if (await isAbandoned(aside)) {
    await rm(aside, { recursive: true, force: true });
    return;
  }
  try {
    await rename(aside, path);
  } catch (error) {
    // Taken by a third one meanwhile. The holder notices before it writes, and begins anew.
    const code = systemCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await rm(aside, { recursive: true, force: true });
  }
}

const markOf = ({ ino, mtimeMs }: Stats): string => `${ino}-${mtimeMs}`;

/** Whether a lock is still the one that was looked at. */
export function isSameLock(owner: LockOwner): (path: string) => Promise<boolean> {
  return async (path) => readLockOwner(path)?.token === owner.token;
}

/** As a temp file, so that it is tidied up when we are killed before it is gone. */
function asideName(path: string, random: Random): string {
  return join(dirname(path), `.${basename(path)}.${uniquePart(random)}.tmp`);
}

function settle(work: Promise<void>, callback: Callback): void {
  work.then(
    () => callback(null),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
  );
}

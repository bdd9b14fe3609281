import { lstat as look, lutimes, renameSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { lstat, readdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../service/clock/clock.ts';
import { StoreLockedError, systemCode } from '../errors.ts';
import { makeOneFolder } from '../files/make-folder.ts';
import { fileMode, giveFileToOwner } from '../files/ownership.ts';
import { removeFile } from '../files/remove-file.ts';
import { readTempName, tempPath } from '../files/temp-name.ts';
import { type LockOwner, ownerName, ownerPath, passageName, readLockOwner } from './lock-owner.ts';

type Callback = (error: Error | null) => void;

/** The file operations that the locking library works with. */
export interface LockFileSystem {
  readonly mkdir: (path: string, callback: Callback) => void;
  readonly rmdir: (path: string, callback: Callback) => void;
  readonly rmdirSync: (path: string) => void;
  readonly stat: (path: string, callback: (error: Error | null, stats: Stats) => void) => void;
  readonly utimes: typeof lutimes;
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
 * is by then; here a folder comes with its holder's name in it, and only the lock that is meant is ever removed. Links
 * are never followed.
 */
export function createLockFileSystem(options: LockFolderOptions): LockFileSystem {
  const { text, token, random } = options;
  let isTaken = false;
  let looked: string | null = null;
  const make = async (path: string): Promise<void> => {
    // Spares whoever waits for a lock the making of one.
    if (readLockOwner(path) !== null) throw isHeldAlready(path);
    const prepared = await prepareLock(path, text, random);
    try {
      // In one step: whoever is stopped in the middle of it leaves no lock of which nobody knows whose it is.
      await rename(prepared, path);
      isTaken = true;
    } catch (error) {
      await removeLockFolder(prepared);
      throw (await isSomethingThere(path, error)) ? isHeldAlready(path) : error;
    }
  };
  const remove = async (path: string): Promise<void> => {
    // One that has gone stale, as the library has found by looking at it.
    if (!isTaken)
      return await removeAbandonedLock(path, async (aside) => markOf(await lstat(aside)) === looked, random);
    if (readLockOwner(path)?.token !== token) return;
    // In one step, so that nobody sees half a lock.
    const aside = tempPath(path, random);
    renameSync(path, aside);
    await removeLockFolder(aside);
  };
  return {
    mkdir: (path, callback) => settle(make(path), callback),
    rmdir: (path, callback) => settle(remove(path), callback),
    rmdirSync: (path) => {
      if (readLockOwner(path)?.token !== token) return;
      unlinkSync(ownerPath(path));
      rmdirSync(join(path, passageName));
      rmdirSync(path);
    },
    stat: (path, callback) =>
      look(path, (error, stats) => {
        looked = error === null ? markOf(stats) : null;
        callback(error, stats);
      }),
    utimes: lutimes,
  };
}

/** Makes a lock beside its place, to be moved there. */
async function prepareLock(path: string, text: string, random: Random): Promise<string> {
  const prepared = tempPath(path, random);
  await makeOneFolder(prepared);
  try {
    await writeFile(ownerPath(prepared), text, { mode: fileMode, flag: 'wx' });
    await giveFileToOwner(ownerPath(prepared));
    await makeOneFolder(join(prepared, passageName));
  } catch (error) {
    await removeLockFolder(prepared);
    throw error;
  }
  return prepared;
}

/** What moving a folder to a place says where something is; it may be gone by the time that one looks. */
const somethingThere = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR']);

/** Whether a lock could not be moved to its place because something stands there. */
async function isSomethingThere(path: string, error: unknown): Promise<boolean> {
  const code = systemCode(error) ?? '';
  if (somethingThere.has(code)) return true;
  // In a folder of others, and on some systems, what is there and not ours is not told from what we may not do at all.
  if (code !== 'EPERM' && code !== 'EACCES') return false;
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/** What making a folder says that is there. */
function isHeldAlready(path: string): Error {
  return Object.assign(new Error(`${path} is there`), { code: 'EEXIST' });
}

/**
 * Removes a lock that its holder has left. Another process may have done so and taken the lock anew since we looked, so
 * it is moved aside first and looked at again there; a lock that turns out to be in use is put back. A link in the place
 * of a lock is removed as a lock is. Throws a `StoreLockedError` for what can be no lock, which stays where it is.
 */
export async function removeAbandonedLock(
  path: string,
  isAbandoned: (path: string) => Promise<boolean>,
  random: Random,
): Promise<void> {
  await refuseWhatIsNoLock(path);
  const aside = tempPath(path, random);
  try {
    await rename(path, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  if (await isAbandoned(aside)) {
    await removeLock(aside);
    return;
  }
  try {
    await rename(aside, path);
  } catch (error) {
    // Taken by a third one meanwhile. The holder notices before it writes, and begins anew.
    const code = systemCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await removeLock(aside);
  }
}

/** Removes a folder that holds what a lock of ours does and nothing else; with anything else in it, it stays. */
export async function removeLockFolder(path: string): Promise<void> {
  await removeFile(ownerPath(path));
  const passage = join(path, passageName);
  for (const name of await namesOrNone(passage)) if (readTempName(name) !== null) await removeFile(join(passage, name));
  await removeEmptyFolder(passage);
  await removeEmptyFolder(path);
}

async function removeEmptyFolder(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
  }
}

async function namesOrNone(path: string): Promise<readonly string[]> {
  try {
    return (await lstat(path)).isDirectory() ? await readdir(path) : [];
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function removeLock(aside: string): Promise<void> {
  try {
    if ((await lstat(aside)).isSymbolicLink()) await removeFile(aside);
    else await removeLockFolder(aside);
  } catch (error) {
    // One that the administrator made may be moved by the owner of its folder, but not emptied. It is out of the way.
    const code = systemCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}

async function refuseWhatIsNoLock(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return;
    if (stats.isDirectory() && (await readdir(path)).every((name) => name === ownerName || name === passageName))
      return;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'EACCES') return;
    throw error;
  }
  throw new StoreLockedError(
    `${path} stands where a lock of parcel-monitor has its place, and is none. Move it away and try again.`,
    path,
  );
}

const markOf = ({ ino, mtimeMs }: Stats): string => `${ino}-${mtimeMs}`;

/** Whether a lock is still the one that was looked at. */
export function isSameLock(owner: LockOwner): (path: string) => Promise<boolean> {
  return async (path) => readLockOwner(path)?.token === owner.token;
}

/** As {@link isSameLock}; null for one that names nobody. */
export function isStillOf(owner: LockOwner | null): (path: string) => Promise<boolean> {
  return owner === null ? async (path) => readLockOwner(path) === null : isSameLock(owner);
}

function settle(work: Promise<void>, callback: Callback): void {
  work.then(
    () => callback(null),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
  );
}

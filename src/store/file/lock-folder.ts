import { lstatSync, lutimesSync, readdirSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpochMs, Random } from '../../lib/clock.ts';
import { readTempName, tempPath } from '../../lib/paths.ts';
import { nullIfMissing, nullIfMissingSync, StoreError, systemCode } from '../../lib/store-errors.ts';
import { fileMode, giveToOwner, makeOneFolder, makePassingFolder, rightfulOwner } from './folders.ts';
import { type LockOwner, ownerName, ownerPath, passageName, readLockOwner } from './lock-owner.ts';
import { removeFile, removeFileSync } from './replace-file.ts';

/*
 * A lock is taken and given back on this thread, which looks at it and moves it in any case: each change of each file has one,
 * and each question handed to another thread takes as long as twenty asked here.
 */

/** A lock as it was seen. Links are never followed. */
export interface LockLook {
  /** Differs when the lock was renewed or is another one. */
  readonly mark: string;
  readonly changedAt: EpochMs;
}

/** What stands in the place of a lock; null for nothing. */
export async function lookAtLock(path: string): Promise<LockLook | null> {
  const stats = await nullIfMissing(lstat(path));
  return stats === null ? null : { mark: `${stats.ino}-${stats.mtimeMs}`, changedAt: stats.mtimeMs };
}

/** What time it is for the file system in which a lock stands: its clock is the one that dates the locks of everybody. */
export async function fileSystemTime(path: string, random: Random): Promise<EpochMs> {
  const folder = tempPath(path, random);
  await makeOneFolder(folder);
  try {
    return (await lstat(folder)).mtimeMs;
  } finally {
    removeEmptyFolder(folder);
  }
}

/**
 * Dates a lock with what time it is for its file system, as {@link fileSystemTime} finds it out. All on this thread: each
 * question handed to another one wakes an idle board twice, and a lease is renewed for as long as it runs.
 */
export function renewLockSync(path: string, random: Random): void {
  const folder = tempPath(path, random);
  makePassingFolder(folder);
  let now: Date;
  try {
    now = lstatSync(folder).mtime;
  } finally {
    rmdirSync(folder);
  }
  lutimesSync(path, now, now);
}

/**
 * Puts a lock with its holder's name into its place, in one step: whoever is stopped in the middle of it leaves no lock
 * of which nobody knows whose it is. Answers false when something stands there.
 */
export async function placeLock(path: string, ownerText: string, random: Random): Promise<boolean> {
  const prepared = await prepareLock(path, ownerText, random);
  try {
    renameSync(prepared, path);
    return true;
  } catch (error) {
    removeLockFolder(prepared);
    if (await isSomethingThere(path, error)) return false;
    throw error;
  }
}

/** Removes the lock with this token; one that another process has taken over stays. */
export function removeOwnLock(path: string, token: string, random: Random): void {
  if (readLockOwner(path)?.token !== token) return;
  // In one step, so that nobody sees half a lock.
  const aside = tempPath(path, random);
  try {
    renameSync(path, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  removeLockFolder(aside);
}

/** As {@link removeOwnLock}, for a process that ends in this moment. */
export function removeOwnLockSync(path: string, token: string): void {
  if (readLockOwner(path)?.token !== token) return;
  unlinkSync(ownerPath(path));
  rmdirSync(join(path, passageName));
  rmdirSync(path);
}

/** Makes a lock beside its place, to be moved there. */
async function prepareLock(path: string, text: string, random: Random): Promise<string> {
  const prepared = tempPath(path, random);
  const owner = ownerPath(prepared);
  const passage = join(prepared, passageName);
  makePassingFolder(prepared);
  try {
    writeFileSync(owner, text, { mode: fileMode, flag: 'wx' });
    makePassingFolder(passage);
    if (rightfulOwner(prepared, lstatSync(prepared)) !== null) {
      await giveToOwner(prepared);
      await giveToOwner(owner, 0);
      await giveToOwner(passage);
    }
  } catch (error) {
    removeLockFolder(prepared);
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
  // In a folder of others, and on some systems, the code for what is there and not ours is that for what we may not do at all.
  if (code !== 'EPERM' && code !== 'EACCES') return false;
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Removes a lock that its holder has left. Another process may have done so and taken the lock anew since we looked, so
 * it is moved aside first and looked at again there; a lock that turns out to be in use is put back. A link in the place
 * of a lock is removed as a lock is. Throws a `StoreError` for what can be no lock, which stays where it is.
 */
export async function removeAbandonedLock(
  path: string,
  owner: LockOwner | null,
  look: LockLook,
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
  const isTheSame = readLockOwner(aside)?.token === owner?.token && (await lookAtLock(aside))?.mark === look.mark;
  if (isTheSame) {
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
export function removeLockFolder(path: string): void {
  removeFileSync(ownerPath(path));
  const passage = join(path, passageName);
  if (!removeEmptyFolder(passage)) {
    for (const name of namesOrNone(passage)) if (readTempName(name) !== null) removeFileSync(join(passage, name));
    removeEmptyFolder(passage);
  }
  removeEmptyFolder(path);
}

/** Answers whether no folder is there any more. */
function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    return code === 'ENOENT';
  }
}

/** A folder that another process removes meanwhile holds nothing. */
function namesOrNone(path: string): readonly string[] {
  return nullIfMissingSync(() => (lstatSync(path).isDirectory() ? readdirSync(path) : [])) ?? [];
}

async function removeLock(aside: string): Promise<void> {
  try {
    if ((await lstat(aside)).isSymbolicLink()) await removeFile(aside);
    else removeLockFolder(aside);
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
  throw new StoreError(
    'locked',
    {
      what: `${path} stands where a lock of parcel-monitor has its place, and is none.`,
      advice: 'Move it away and try again.',
    },
    path,
  );
}

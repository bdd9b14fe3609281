import { lstatSync, lutimesSync, readdirSync, renameSync, rmdirSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs, Random } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';
import { readTempName, tempPath } from '../../lib/paths.ts';
import { NotAFileError, nullIfMissingSync, StoreError, systemCode } from '../../lib/store-errors.ts';
import { removeFileSync } from './atomic-write.ts';
import { fileMode, giveToOwner, makePassingFolder, wantedOwner } from './folders.ts';
import { readWholeFileSync } from './open-file.ts';
import type { Processes } from './processes.ts';

/*
 * The folder that is the lock: `owner.json` names its holder, and files in `passage` move with the lock when it is
 * taken over. All functions are synchronous: every change takes a lock, and a system call on another thread costs as
 * much as twenty on this one.
 */

interface LockOwner {
  /** Unique each time a lock is taken. */
  readonly token: string;
  /** Null if the holder is unknown. */
  readonly pid: number | null;
  readonly scope: string | null;
}

/** A lock as seen on disk. Links are never followed. */
interface LockLook {
  /** Changes when the lock is renewed or replaced. */
  readonly mark: string;
  readonly changedAt: EpochMs;
}

const ownerName = 'owner.json';
const passageName = 'passage';

/** The file that names a lock's holder. */
export const ownerPath = (lockPath: string): string => join(lockPath, ownerName);

/** The folder for files that move with the lock. */
export const passagePath = (lockPath: string): string => join(lockPath, passageName);

/** Error codes for an owner file that we may not read, because the lock belongs to another user. */
const ownerUnknown = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);

/** Returns who has a lock, or null if the lock is free or we cannot tell. Throws system errors. */
export function readLockOwner(lockPath: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(readWholeFileSync(ownerPath(lockPath)).toString('utf8'));
    if (!isJsonObject(owner)) return null;
    const { token, pid, scope } = owner;
    if (typeof token !== 'string') return null;
    return { token, pid: typeof pid === 'number' ? pid : null, scope: typeof scope === 'string' ? scope : null };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotAFileError) return null;
    if (ownerUnknown.has(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** Whether the holder has certainly died. Never true for another machine. */
export function isDead(owner: LockOwner, processes: Processes | null): boolean {
  if (processes === null || owner.pid === null || owner.scope !== processes.scope()) return false;
  return owner.pid !== processes.pid && !processes.isRunning(owner.pid);
}

/** Returns the holder in words, for a message. */
export function ownerWords(owner: LockOwner | null, processes: Processes | null): string {
  if (owner === null || owner.pid === null) return 'another process';
  if (processes !== null && owner.pid === processes.pid && owner.scope === processes.scope()) return 'this process';
  const where = processes === null || owner.scope === processes.scope() ? '' : ' on another machine';
  return `another process${where} (process id ${owner.pid})`;
}

/** Returns what is at the path of a lock, or null. */
export function lookAtLock(path: string): LockLook | null {
  const stats = statsOf(path);
  return stats === null ? null : { mark: `${stats.ino}-${stats.mtimeMs}`, changedAt: stats.mtimeMs };
}

const statsOf = (path: string): Stats | null => nullIfMissingSync(() => lstatSync(path));

/** Returns the time of the lock's file system, whose clock dates the locks of all machines. */
export function fileSystemTime(path: string, random: Random): Date {
  const folder = tempPath(path, random);
  makePassingFolder(folder);
  try {
    return lstatSync(folder).mtime;
  } finally {
    removeEmptyFolder(folder);
  }
}

export function renewLock(path: string, random: Random): void {
  const now = fileSystemTime(path, random);
  lutimesSync(path, now, now);
}

/**
 * Creates a lock with its holder's name in one step: a process that is stopped midway leaves no lock without an owner.
 * Returns false if something is already there.
 */
export async function placeLock(path: string, owner: LockOwner, random: Random): Promise<boolean> {
  const prepared = tempPath(path, random);
  makePassingFolder(prepared);
  try {
    writeFileSync(ownerPath(prepared), `${JSON.stringify(owner)}\n`, { mode: fileMode, flag: 'wx' });
    makePassingFolder(passagePath(prepared));
    if (wantedOwner(prepared, lstatSync(prepared)) !== null) {
      await giveToOwner(prepared);
      await giveToOwner(ownerPath(prepared), 0);
      await giveToOwner(passagePath(prepared));
    }
    renameSync(prepared, path);
    return true;
  } catch (error) {
    removeLockFolder(prepared);
    if (isSomethingThere(path, error)) return false;
    throw error;
  }
}

/** Error codes for moving a folder to an occupied path, which may be free again by now. */
const somethingThere = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR']);

function isSomethingThere(path: string, error: unknown): boolean {
  const code = systemCode(error) ?? '';
  if (somethingThere.has(code)) return true;
  // In another user's folder, some systems use the same code for an occupied path and for a missing permission.
  return (code === 'EPERM' || code === 'EACCES') && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Removes the lock with this token. A lock that was taken over stays. */
export function removeOwnLock(path: string, token: string, random: Random): void {
  if (readLockOwner(path)?.token !== token) return;
  const aside = moveAside(path, random);
  if (aside !== null) removeLockFolder(aside);
}

/**
 * Moves a lock aside in one step, so that no process sees half a lock. Returns its new path, or null if there was none.
 */
function moveAside(path: string, random: Random): string | null {
  const aside = tempPath(path, random);
  return nullIfMissingSync(() => {
    renameSync(path, aside);
    return aside;
  });
}

/**
 * Removes an abandoned lock. Another process may have replaced it since we looked, so we move it aside first and look
 * again. A lock in use is put back. A link at the path of a lock is removed like a lock. Throws a `StoreError` if it
 * cannot be a lock, and leaves it there.
 */
export function removeAbandonedLock(path: string, owner: LockOwner | null, look: LockLook, random: Random): void {
  assertIsLock(path);
  const aside = moveAside(path, random);
  if (aside === null) return;
  const isSameLock = readLockOwner(aside)?.token === owner?.token && lookAtLock(aside)?.mark === look.mark;
  try {
    if (!isSameLock) {
      renameSync(aside, path);
      return;
    }
  } catch (error) {
    // A third process took the lock in between. The holder notices before it writes, and retries.
    const code = systemCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
  try {
    if (lstatSync(aside).isSymbolicLink()) removeFileSync(aside);
    else removeLockFolder(aside);
  } catch (error) {
    // The folder's owner can move the administrator's lock, but cannot empty it. It is no longer in the way.
    const code = systemCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}

/** Removes a folder that contains only a lock's files. Any other folder stays. */
export function removeLockFolder(path: string): void {
  removeFileSync(ownerPath(path));
  const passage = passagePath(path);
  if (!removeEmptyFolder(passage)) {
    for (const name of namesOrNone(passage)) if (readTempName(name) !== null) removeFileSync(join(passage, name));
    removeEmptyFolder(passage);
  }
  removeEmptyFolder(path);
}

/** Returns whether the folder is gone. */
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

/** Another process may remove the folder at the same time. */
const namesOrNone = (path: string): readonly string[] =>
  nullIfMissingSync(() => (lstatSync(path).isDirectory() ? readdirSync(path) : [])) ?? [];

function assertIsLock(path: string): void {
  try {
    const stats = statsOf(path);
    if (stats === null || stats.isSymbolicLink()) return;
    const isOurs = (name: string): boolean => name === ownerName || name === passageName;
    if (stats.isDirectory() && (nullIfMissingSync(() => readdirSync(path)) ?? []).every(isOurs)) return;
  } catch (error) {
    if (systemCode(error) === 'EACCES') return;
    throw error;
  }
  throw new StoreError(
    'locked',
    {
      what: `${path} is not a lock, but parcel-monitor needs this path for its lock.`,
      advice: 'Move it away and try again.',
    },
    path,
  );
}

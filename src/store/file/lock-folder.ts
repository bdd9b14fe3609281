import { lstatSync, lutimesSync, readdirSync, renameSync, rmdirSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs, Random } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';
import { readTempName, tempPath } from '../../lib/paths.ts';
import { NotAFileError, nullIfMissingSync, StoreError, systemCode } from '../../lib/store-errors.ts';
import { removeFileSync } from './atomic-write.ts';
import { fileMode, giveToOwner, makePassingFolder, rightfulOwner } from './folders.ts';
import { readWholeFileSync } from './open-file.ts';
import type { Processes } from './processes.ts';

/*
 * The folder that stands for a lock: `owner.json` names its holder, and what lies in `passage` goes with the lock when that is
 * taken over. All is asked on this thread: each change of each file has a lock, and each question handed to another thread
 * takes as long as twenty asked here.
 */

interface LockOwner {
  /** Differs for each time that a lock is taken. */
  readonly token: string;
  /** Null when the holder did not say. */
  readonly pid: number | null;
  readonly scope: string | null;
}

/** A lock as it was seen. Links are never followed. */
interface LockLook {
  /** Differs when the lock was renewed or is another one. */
  readonly mark: string;
  readonly changedAt: EpochMs;
}

const ownerName = 'owner.json';
const passageName = 'passage';

/** The file that names a lock's holder. */
export const ownerPath = (lockPath: string): string => join(lockPath, ownerName);

/** Where files wait that go with the lock. */
export const passagePath = (lockPath: string): string => join(lockPath, passageName);

/** What the system says where no owner can be read: one of another user's lock need not be readable to us. */
const ownerUnknown = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);

/** Who holds a lock; null when there is none or it does not say, or not to us. Throws what the system throws. */
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

/** Whether the holder is known to have died; one on another machine never is. */
export function isDead(owner: LockOwner, processes: Processes | null): boolean {
  if (processes === null || owner.pid === null || owner.scope !== processes.scope()) return false;
  return owner.pid !== processes.pid && !processes.isRunning(owner.pid);
}

/** The holder in words, for a message. */
export function ownerWords(owner: LockOwner | null, processes: Processes | null): string {
  if (owner === null || owner.pid === null) return 'another process';
  if (processes !== null && owner.pid === processes.pid && owner.scope === processes.scope()) return 'this process';
  const where = processes === null || owner.scope === processes.scope() ? '' : ' on another machine';
  return `another process${where} (process id ${owner.pid})`;
}

/** What is in the place of a lock; null for nothing. */
export function lookAtLock(path: string): LockLook | null {
  const stats = statsOf(path);
  return stats === null ? null : { mark: `${stats.ino}-${stats.mtimeMs}`, changedAt: stats.mtimeMs };
}

const statsOf = (path: string): Stats | null => nullIfMissingSync(() => lstatSync(path));

/** What time it is for the file system in which a lock is: its clock is the one that dates the locks of all machines. */
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
 * Puts a lock with its holder's name into its place, in one step: a process that is stopped in the middle of it leaves no lock
 * without an owner. Returns false when something is there.
 */
export async function placeLock(path: string, owner: LockOwner, random: Random): Promise<boolean> {
  const prepared = tempPath(path, random);
  makePassingFolder(prepared);
  try {
    writeFileSync(ownerPath(prepared), `${JSON.stringify(owner)}\n`, { mode: fileMode, flag: 'wx' });
    makePassingFolder(passagePath(prepared));
    if (rightfulOwner(prepared, lstatSync(prepared)) !== null) {
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

/** What moving a folder to a place says where something is; it may be gone by the time that one looks. */
const somethingThere = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR']);

function isSomethingThere(path: string, error: unknown): boolean {
  const code = systemCode(error) ?? '';
  if (somethingThere.has(code)) return true;
  // In a folder of others, and on some systems, the code for what is there and not ours is that for what we may not do at all.
  return (code === 'EPERM' || code === 'EACCES') && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Removes the lock with this token; one that another process has taken over stays. */
export function removeOwnLock(path: string, token: string, random: Random): void {
  if (readLockOwner(path)?.token !== token) return;
  const aside = moveAside(path, random);
  if (aside !== null) removeLockFolder(aside);
}

/** In one step, so that no process sees half a lock. Returns where it is then, null when there was none. */
function moveAside(path: string, random: Random): string | null {
  const aside = tempPath(path, random);
  return nullIfMissingSync(() => {
    renameSync(path, aside);
    return aside;
  });
}

/**
 * Removes a lock that its holder has left. Another process may have done so and taken the lock anew since we looked, so
 * it is moved aside first and looked at again there; a lock that turns out to be in use is put back. A link in the place
 * of a lock is removed as a lock is. Throws a `StoreError` for what can be no lock, which stays where it is.
 */
export function removeAbandonedLock(path: string, owner: LockOwner | null, look: LockLook, random: Random): void {
  refuseWhatIsNoLock(path);
  const aside = moveAside(path, random);
  if (aside === null) return;
  const isTheSame = readLockOwner(aside)?.token === owner?.token && lookAtLock(aside)?.mark === look.mark;
  try {
    if (!isTheSame) {
      renameSync(aside, path);
      return;
    }
  } catch (error) {
    // Taken by a third one in between. The holder notices before it writes, and begins anew.
    const code = systemCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
  try {
    if (lstatSync(aside).isSymbolicLink()) removeFileSync(aside);
    else removeLockFolder(aside);
  } catch (error) {
    // One that the administrator made may be moved by the owner of its folder, but not emptied. It is out of the way.
    const code = systemCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}

/** Removes a folder that holds what a lock of ours does and nothing else; with anything else in it, it stays. */
export function removeLockFolder(path: string): void {
  removeFileSync(ownerPath(path));
  const passage = passagePath(path);
  if (!removeEmptyFolder(passage)) {
    for (const name of namesOrNone(passage)) if (readTempName(name) !== null) removeFileSync(join(passage, name));
    removeEmptyFolder(passage);
  }
  removeEmptyFolder(path);
}

/** Returns whether no folder is there any more. */
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

/** A folder that another process removes at the same time holds nothing. */
const namesOrNone = (path: string): readonly string[] =>
  nullIfMissingSync(() => (lstatSync(path).isDirectory() ? readdirSync(path) : [])) ?? [];

function refuseWhatIsNoLock(path: string): void {
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
      what: `${path} is where parcel-monitor puts a lock, but it is not a lock.`,
      advice: 'Move it away and try again.',
    },
    path,
  );
}

import { lstatSync, lutimesSync, readdirSync, renameSync, rmdirSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs, Random } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';
import { readTempName, tempPath } from '../../lib/paths.ts';
import { NotAFileError, nullIfMissingSync, StoreError, systemCode } from '../../lib/store-errors.ts';
import { removeFileSync } from './atomic-write.ts';
import { fileMode, giveToOwner, intendedOwner, makeBareFolder } from './folders.ts';
import { readWholeFileSync } from './open-file.ts';
import type { Processes } from './processes.ts';

/*
 * A lock is a folder: `owner.json` names its holder, and the files in `passage` move with the lock when it is taken over.
 * The functions make synchronous system calls: every change takes a lock, and a call on another thread costs as much as
 * twenty on this one.
 */

interface LockOwner {
  readonly token: string;
  /** Null if the holder is unknown. */
  readonly pid: number | null;
  readonly scope: string | null;
}

/** A lock as found on disk. Links are never followed. */
interface LockSnapshot {
  /** Changes when the lock is renewed or replaced. */
  readonly mark: string;
  readonly changedAt: EpochMs;
}

const ownerName = 'owner.json';
const carriedName = 'passage';

export const ownerPath = (lockPath: string): string => join(lockPath, ownerName);

/** The folder for files that move with the lock. */
export const carriedPath = (lockPath: string): string => join(lockPath, carriedName);

/** Error codes if there is no owner file, or if we may not read it because the lock belongs to another user. */
const ownerUnknownCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);

/** Returns who has a lock, or null if it is free or its holder is unknown. Throws system errors. */
export function readLockOwner(lockPath: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(readWholeFileSync(ownerPath(lockPath)).toString('utf8'));
    if (!isJsonObject(owner)) return null;
    const { token, pid, scope } = owner;
    if (typeof token !== 'string') return null;
    return { token, pid: typeof pid === 'number' ? pid : null, scope: typeof scope === 'string' ? scope : null };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotAFileError) return null;
    if (ownerUnknownCodes.has(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** Whether the holder is known to have died. Never true for a holder on another machine. */
export function isDead(owner: LockOwner, processes: Processes | null): boolean {
  if (processes === null || owner.pid === null || owner.scope !== processes.scope()) return false;
  return owner.pid !== processes.pid && !processes.isRunning(owner.pid);
}

export function ownerText(owner: LockOwner | null, processes: Processes | null): string {
  if (owner === null || owner.pid === null) return 'another process';
  if (processes !== null && owner.pid === processes.pid && owner.scope === processes.scope()) return 'this process';
  const where = processes === null || owner.scope === processes.scope() ? '' : ' on another machine';
  return `another process${where} (process id ${owner.pid})`;
}

/** Returns what is at a lock's path, or null if there is nothing. */
export function inspectLock(path: string): LockSnapshot | null {
  const stats = lstatOrNull(path);
  return stats === null ? null : { mark: `${stats.ino}-${stats.mtimeMs}`, changedAt: stats.mtimeMs };
}

const lstatOrNull = (path: string): Stats | null => nullIfMissingSync(() => lstatSync(path));

/** Returns the time of the lock's file system. All machines judge the age of a lock by this clock. */
export function fileSystemTime(path: string, random: Random): Date {
  const folder = tempPath(path, random);
  makeBareFolder(folder);
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
 * Creates a lock together with its holder's name, in one step, so that a process that is killed midway leaves no lock
 * without an owner. Returns false if something is already there.
 */
export async function placeLock(path: string, owner: LockOwner, random: Random): Promise<boolean> {
  const prepared = tempPath(path, random);
  makeBareFolder(prepared);
  try {
    writeFileSync(ownerPath(prepared), `${JSON.stringify(owner)}\n`, { mode: fileMode, flag: 'wx' });
    makeBareFolder(carriedPath(prepared));
    if (intendedOwner(prepared, lstatSync(prepared)) !== null) {
      await giveToOwner(prepared);
      await giveToOwner(ownerPath(prepared), 0);
      await giveToOwner(carriedPath(prepared));
    }
    renameSync(prepared, path);
    return true;
  } catch (error) {
    removeLockFolder(prepared);
    if (isOccupied(path, error)) return false;
    throw error;
  }
}

/** Error codes for moving a folder to a path that was occupied. It may be free again by now. */
const occupiedCodes = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR']);

function isOccupied(path: string, error: unknown): boolean {
  const code = systemCode(error) ?? '';
  if (occupiedCodes.has(code)) return true;
  // In another user's folder, some systems use the same code for an occupied path and for missing permissions.
  return (code === 'EPERM' || code === 'EACCES') && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Removes the lock if it still has this token, which means that it was not taken over. */
export function removeOwnLock(path: string, token: string, random: Random): void {
  if (readLockOwner(path)?.token !== token) return;
  const aside = moveAside(path, random);
  if (aside !== null) removeLockFolder(aside);
}

/**
 * Moves a lock aside in one step, so that no process sees half a lock. Returns the new path, or null if there was no
 * lock.
 */
function moveAside(path: string, random: Random): string | null {
  const aside = tempPath(path, random);
  return nullIfMissingSync(() => {
    renameSync(path, aside);
    return aside;
  });
}

/**
 * Removes an abandoned lock. Another process may have replaced it since `snapshot` was taken, so the lock is moved aside and checked
 * again; if it is in use, it is put back. A link at the lock's path is removed like a lock. Anything that cannot be a lock
 * is left there, and a `StoreError` is thrown.
 */
export function removeAbandonedLock(
  path: string,
  owner: LockOwner | null,
  snapshot: LockSnapshot,
  random: Random,
): void {
  assertIsLock(path);
  const aside = moveAside(path, random);
  if (aside === null) return;
  const isSameLock = readLockOwner(aside)?.token === owner?.token && inspectLock(aside)?.mark === snapshot.mark;
  try {
    if (!isSameLock) {
      renameSync(aside, path);
      return;
    }
  } catch (error) {
    // A third process took the lock in the meantime. The holder notices this before it writes, and retries.
    const code = systemCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
  try {
    if (lstatSync(aside).isSymbolicLink()) removeFileSync(aside);
    else removeLockFolder(aside);
  } catch (error) {
    // The folder's owner can move a lock that root owns, but cannot empty it. At least it is out of the way.
    const code = systemCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}

/** Removes a folder if it contains nothing but a lock's files. */
export function removeLockFolder(path: string): void {
  removeFileSync(ownerPath(path));
  const carried = carriedPath(path);
  if (!removeEmptyFolder(carried)) {
    for (const name of listNamesIfPresent(carried))
      if (readTempName(name) !== null) removeFileSync(join(carried, name));
    removeEmptyFolder(carried);
  }
  removeEmptyFolder(path);
}

/** Returns whether the folder no longer exists. */
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

/** Returns no names if another process removes the folder at the same time. */
const listNamesIfPresent = (path: string): readonly string[] =>
  nullIfMissingSync(() => (lstatSync(path).isDirectory() ? readdirSync(path) : [])) ?? [];

function assertIsLock(path: string): void {
  try {
    const stats = lstatOrNull(path);
    if (stats === null || stats.isSymbolicLink()) return;
    const isOurs = (name: string): boolean => name === ownerName || name === carriedName;
    if (stats.isDirectory() && (nullIfMissingSync(() => readdirSync(path)) ?? []).every(isOurs)) return;
  } catch (error) {
    if (systemCode(error) === 'EACCES') return;
    throw error;
  }
  throw new StoreError(
    'locked',
    {
      what: `${path} is not a lock, but parcel-monitor needs this path for its lock.`,
      advice: 'Move it somewhere else and try again.',
    },
    path,
  );
}

import { constants, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nullIfMissingSync, systemCode } from '../../lib/store-errors.ts';

/** The user id of root. On systems without users, all files have it. */
const rootUid = 0;

/** Error codes if files have no owners, or if we may not change them. */
const chownUnsupported = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** Only the user may read our files: they contain orders, postal codes and phone numbers. */
export const fileMode = 0o600;

const folderMode = 0o700;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns who should own a new file or folder: if root creates it (with `sudo`) in a user's folder, that user, who would
 * otherwise be locked out. Returns null if its creator should keep it.
 */
export function intendedOwner(path: string, creator: Owner): Owner | null {
  if (creator.uid !== rootUid) return null;
  const { uid, gid } = statSync(dirname(path));
  return uid === rootUid ? null : { uid, gid };
}

/**
 * Gives a new file or folder to its intended owner if possible. Works on open files, because the owner of the containing
 * folder can swap paths at any time, and could otherwise gain one of root's files.
 * @param type 0 for a new file
 */
export async function giveToOwner(path: string, type = constants.O_DIRECTORY): Promise<void> {
  const stats = lstatSync(path);
  if (intendedOwner(path, stats) === null) return;
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  await using folder = await open(dirname(path), flags | constants.O_DIRECTORY);
  const owner = await folder.stat();
  if (owner.uid === rootUid) return;
  await using entry = await open(entryPath(folder, owner, path), flags | type | constants.O_NOFOLLOW);
  const opened = await entry.stat();
  const isOurs = opened.uid === rootUid && opened.ino === stats.ino && opened.dev === stats.dev;
  // A file with several links could be one of root's files.
  if (isOurs && (opened.isDirectory() || opened.nlink === 1)) await changeOwner(entry, owner);
}

/**
 * Returns a path to an entry of an open folder that cannot be redirected, or the plain path if the system does not support
 * this.
 */
function entryPath(folder: FileHandle, { dev, ino }: Stats, path: string): string {
  const folderPath = `/proc/self/fd/${folder.fd}`;
  const stats = statSync(folderPath, { throwIfNoEntry: false });
  return stats?.ino === ino && stats.dev === dev ? join(folderPath, basename(path)) : path;
}

export async function changeOwner(file: FileHandle, { uid, gid }: Owner): Promise<boolean> {
  try {
    await file.chown(uid, gid);
    return true;
  } catch (error) {
    if (chownUnsupported.has(systemCode(error) ?? '')) return false;
    throw error;
  }
}

const maxTries = 3;

/**
 * Creates a folder (0700) with its missing parents, and fsyncs them. The folder may already exist. Folders created by
 * root get the owner of the nearest existing folder. (Node's own recursive mkdir never returns on file systems that
 * always fail with ENOENT, such as `/proc`.) Throws system errors: ENOTDIR if something else is there, ENOENT if no
 * folder can be created.
 */
export async function makeFolder(path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    if (isFolder(path)) return;
    try {
      makeBareFolder(path);
      await giveToOwner(path);
      await syncFolder(dirname(path));
      return;
    } catch (error) {
      const code = systemCode(error);
      // Another process has created it, or there is a broken link.
      if (code === 'EEXIST' && tries < maxTries) continue;
      if (code === 'EEXIST') throw Object.assign(new Error(`${path} is a broken link`), { code: 'ENOENT' });
      if (code !== 'ENOENT' || dirname(path) === path || tries === maxTries) throw error;
    }
    await makeFolder(dirname(path));
  }
}

/** Creates a single folder (0700). Does not set its owner, so use it only for temporary folders, or set the owner. */
export function makeBareFolder(path: string): void {
  mkdirSync(path, { mode: folderMode });
}

function isFolder(path: string): boolean {
  const stats = nullIfMissingSync(() => statSync(path));
  if (stats === null || stats.isDirectory()) return stats !== null;
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
}

/** Error codes of systems that cannot sync folders. There, the rename has to suffice. */
const folderSyncUnsupported = new Set(['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EACCES', 'EBADF']);

/** Flags that open nothing but a folder, and never block. */
const folderOnly = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function syncFolder(folder: string): Promise<void> {
  try {
    await using file = await open(folder, folderOnly);
    await file.sync();
  } catch (error) {
    if (!folderSyncUnsupported.has(systemCode(error) ?? '')) throw error;
  }
}

import { constants, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nullIfMissingSync, systemCode } from '../../lib/store-errors.ts';

/** User id of root. On systems without users, it owns all files. */
const administrator = 0;

/** Error codes of systems without owners, or where users cannot change them. */
const cannotChange = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** Only the user may read our files, because they contain orders, postal codes and phone numbers. */
export const fileMode = 0o600;

const folderMode = 0o700;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns who should own a new file or folder. If the administrator (with `sudo`) creates it in another user's folder,
 * that user should own it, or would be locked out. Null if its creator keeps it.
 */
export function wantedOwner(path: string, made: Owner): Owner | null {
  if (made.uid !== administrator) return null;
  const { uid, gid } = statSync(dirname(path));
  return uid === administrator ? null : { uid, gid };
}

/**
 * Gives a new file or folder to its intended owner if possible. `folder` contains it: the owner of that folder can swap
 * paths at any time and could otherwise get one of the administrator's files.
 * @param type 0 for a new file
 */
export async function giveToOwner(path: string, type = constants.O_DIRECTORY): Promise<void> {
  const made = lstatSync(path);
  if (wantedOwner(path, made) === null) return;
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  await using folder = await open(dirname(path), flags | constants.O_DIRECTORY);
  const owner = await folder.stat();
  if (owner.uid === administrator) return;
  await using entry = await open(entryOf(folder, owner, path), flags | type | constants.O_NOFOLLOW);
  const found = await entry.stat();
  const isMade = found.uid === administrator && found.ino === made.ino && found.dev === made.dev;
  // It may be a hard link to one of root's files.
  if (isMade && (found.isDirectory() || found.nlink === 1)) await giveTo(entry, owner);
}

/**
 * Returns a path to an entry of an open folder that cannot be redirected, or the plain path if the system has no such
 * paths.
 */
function entryOf(folder: FileHandle, { dev, ino }: Stats, path: string): string {
  const open = `/proc/self/fd/${folder.fd}`;
  const facts = statSync(open, { throwIfNoEntry: false });
  return facts?.ino === ino && facts.dev === dev ? join(open, basename(path)) : path;
}

export async function giveTo(file: FileHandle, { uid, gid }: Owner): Promise<boolean> {
  try {
    await file.chown(uid, gid);
    return true;
  } catch (error) {
    if (cannotChange.has(systemCode(error) ?? '')) return false;
    throw error;
  }
}

const maxTries = 3;

/**
 * Creates a folder (0700) and its missing parents, and fsyncs them. Existing folders are fine. Folders created by the
 * administrator get the owner of the nearest existing folder. Node's own recursive mkdir never returns on file systems
 * that always fail with ENOENT, such as `/proc`. Throws system errors: ENOTDIR if something else is there, ENOENT if no
 * folder can be created.
 */
export async function makeFolder(path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    if (isFolder(path)) return;
    try {
      makePassingFolder(path);
      await giveToOwner(path);
      await syncFolder(dirname(path));
      return;
    } catch (error) {
      const code = systemCode(error);
      // Another process created it, or it is a broken link.
      if (code === 'EEXIST' && tries < maxTries) continue;
      if (code === 'EEXIST') throw Object.assign(new Error(`${path} leads nowhere`), { code: 'ENOENT' });
      if (code !== 'ENOENT' || dirname(path) === path || tries === maxTries) throw error;
    }
    await makeFolder(dirname(path));
  }
}

/** Creates one folder (0700) for a process that removes it again at once or gives it to its owner. */
export function makePassingFolder(path: string): void {
  mkdirSync(path, { mode: folderMode });
}

function isFolder(path: string): boolean {
  const stats = nullIfMissingSync(() => statSync(path));
  if (stats === null || stats.isDirectory()) return stats !== null;
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
}

/** Error codes of systems that cannot sync a folder. There, the rename has to be enough. */
const folderSyncUnsupported = new Set(['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EACCES', 'EBADF']);

/** Flags that open only a folder, without waiting, even if something else has taken its place. */
const folderOnly = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function syncFolder(folder: string): Promise<void> {
  try {
    await using file = await open(folder, folderOnly);
    await file.sync();
  } catch (error) {
    if (!folderSyncUnsupported.has(systemCode(error) ?? '')) throw error;
  }
}

import { constants, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nullIfMissingSync, systemCode } from '../../lib/store-errors.ts';

/** User id of the administrator; where there are no users, everything has it. */
const administrator = 0;

/** What a system says that knows no owners, or lets no user change them. */
const cannotChange = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** Only the user may read our files: they hold what the user ordered, postal codes and phone numbers. */
export const fileMode = 0o600;

const folderMode = 0o700;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whom a new file or folder should belong to: made by the administrator (with `sudo`) in a folder of somebody else, to
 * them, since it would lock them out otherwise. Null when it is theirs who made it.
 */
export function rightfulOwner(path: string, made: Owner): Owner | null {
  if (made.uid !== administrator) return null;
  const { uid, gid } = statSync(dirname(path));
  return uid === administrator ? null : { uid, gid };
}

/**
 * Gives a new folder to whom it should belong, where that can be arranged: what was made, in the folder in which it is. Who owns
 * that folder can exchange all on the way to it at any time, and would be given something of the administrator's otherwise.
 * @param type 0 for a new file
 */
export async function giveToOwner(path: string, type = constants.O_DIRECTORY): Promise<void> {
  const made = lstatSync(path);
  if (rightfulOwner(path, made) === null) return;
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  await using folder = await open(dirname(path), flags | constants.O_DIRECTORY);
  const owner = await folder.stat();
  if (owner.uid === administrator) return;
  await using entry = await open(entryOf(folder, owner, path), flags | type | constants.O_NOFOLLOW);
  const found = await entry.stat();
  const isMade = found.uid === administrator && found.ino === made.ino && found.dev === made.dev;
  // A second name of a file of the administrator's may have been put there.
  if (isMade && (found.isDirectory() || found.nlink === 1)) await giveTo(entry, owner);
}

/** A path to what lies in an open folder under the last name of another, which leads nowhere else; that other where systems have none. */
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
      makePassingFolder(path);
      await giveToOwner(path);
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

/** Makes one folder (0700), for a process that removes it again in the same moment or gives it to its owner. */
export function makePassingFolder(path: string): void {
  mkdirSync(path, { mode: folderMode });
}

function isFolder(path: string): boolean {
  const stats = nullIfMissingSync(() => statSync(path));
  if (stats === null || stats.isDirectory()) return stats !== null;
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}

/** What a system answers that cannot sync a folder; there the rename itself has to do. */
const folderSyncUnsupported = new Set(['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EACCES', 'EBADF']);

/** Nothing else than a folder is opened, and nothing is waited for, even if something else is there by now. */
const folderOnly = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function syncFolder(folder: string): Promise<void> {
  try {
    await using file = await open(folder, folderOnly);
    await file.sync();
  } catch (error) {
    if (!folderSyncUnsupported.has(systemCode(error) ?? '')) throw error;
  }
}

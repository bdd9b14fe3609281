import { constants, lstatSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../errors.ts';

/** User id of the administrator; where there are no users, everything has it. */
const administrator = 0;

/** What a system says that knows no owners, or lets nobody change them. */
const cannotChange = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** Only the user may read our files: they hold what the user ordered, postal codes and phone numbers. */
export const fileMode = 0o600;

/** Only the user may list our folders. */
export const folderMode = 0o700;

/** Whom something belongs to. */
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
 * Gives a new folder to whom it should belong, where that can be arranged.
 * @param type 0 for a new file
 */
export async function giveToOwner(path: string, type = constants.O_DIRECTORY): Promise<void> {
  const owner = rightfulOwner(path, lstatSync(path));
  if (owner === null) return;
  // Not by its name: whoever may write beside it could have put something else in its place.
  await using made = await open(path, constants.O_RDONLY | type | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await made.stat()).uid === administrator) await giveTo(made, owner);
}

/** Gives an open file away, where that can be arranged; answers whether it was. */
export async function giveTo(file: FileHandle, { uid, gid }: Owner): Promise<boolean> {
  try {
    await file.chown(uid, gid);
    return true;
  } catch (error) {
    if (cannotChange.has(systemCode(error) ?? '')) return false;
    throw error;
  }
}

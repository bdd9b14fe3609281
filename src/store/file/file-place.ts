import { type BigIntStats, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { shellWord } from '../../lib/paths.ts';
import { nullIfMissing, nullIfMissingSync, StoreError } from '../../lib/store-errors.ts';
import { refuseOtherThanFileSync } from './open-file.ts';

/** More links than this count as a loop, as in the system. */
const mostLinks = 40;

/**
 * Follows symbolic links, so that a rename replaces the target and not the link. The file and its folder need not
 * exist. Throws system errors; ELOOP for a loop.
 */
export async function resolvePath(path: string, links = 0): Promise<string> {
  const real = await nullIfMissing(realpath(path));
  if (real !== null) return real;
  const target = nullIfMissingSync(() => readlinkSync(path), ['ENOENT', 'EINVAL']);
  if (target !== null) {
    if (links >= mostLinks) throw Object.assign(new Error(`too many links at ${path}`), { code: 'ELOOP' });
    return await resolvePath(resolve(dirname(path), target), links + 1);
  }
  const folder = nullIfMissingSync(() => realpathSync.native(dirname(path)));
  return folder === null ? resolve(path) : join(folder, basename(path));
}

const everybodyMayWrite = 0o002;
/** Error codes that we skip here, because the code that uses the path reports them. */
const cannotLook = ['ENOENT', 'ENOTDIR', 'EACCES'];

/**
 * Refuses a link that another user could have put there: one in a folder that every user may write to, owned neither by
 * us nor by the folder's owner. We would read, move or replace a file of their choice. Checks only the path itself and
 * its folder. Throws a {@link StoreError}.
 * @param uid our user; null if the system has no users, then nothing is refused
 */
function assertTrustedLinks(path: string, uid: number | null): void {
  if (uid === null) return;
  for (const link of [dirname(path), path]) {
    const stats = nullIfMissingSync(() => lstatSync(link), cannotLook);
    if (stats === null || !stats.isSymbolicLink() || stats.uid === uid) continue;
    const folder = nullIfMissingSync(() => lstatSync(dirname(link)), cannotLook);
    if (folder === null || (folder.mode & everybodyMayWrite) === 0 || folder.uid === stats.uid) continue;
    throw new StoreError(
      'no-permission',
      {
        what: `${link} is a link that another user (user id ${stats.uid}) put into a folder that everyone may write to, so it is not followed.`,
        advice: `Remove it, and run: chmod o-w ${shellWord(dirname(link))}`,
      },
      link,
    );
  }
}

/**
 * Resolves the path of a file to read or replace: follows links like {@link resolvePath}, but refuses links of other
 * users and anything but a regular file. Throws a `StoreError` or system errors.
 * @param uid our user; null if the system has no users, then all links are followed
 */
export async function findFilePlace(given: string, uid: number | null): Promise<string> {
  // A disk that hangs must not block us: we ask on this thread only after another thread got an answer.
  const [place] = await Promise.allSettled([resolvePath(given)]);
  assertTrustedLinks(given, uid);
  if (place.status === 'rejected') throw place.reason;
  refuseOtherThanFileSync(place.value, given);
  return place.value;
}

/** The mark of a file that does not exist. */
export const noFile = 'none';

/**
 * Returns a mark that changes whenever the file is replaced or written: we create a new file each time, others change
 * its time.
 */
export async function fileMark(path: string): Promise<string> {
  const stats = await nullIfMissing(stat(path, { bigint: true }));
  return stats === null ? noFile : markOf(stats);
}

export function fileMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : markOf(stats);
}

/** Returns a mark that also changes with the owner and the permissions. */
export function rightsMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : `${markOf(stats)}-${stats.mode}-${stats.uid}`;
}

export const markOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

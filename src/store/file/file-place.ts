import { type BigIntStats, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { shellWord } from '../../lib/paths.ts';
import { nullIfMissing, nullIfMissingSync, StoreError } from '../../lib/store-errors.ts';
import { refuseOtherThanFileSync } from './open-file.ts';

/** A chain of links longer than this is taken for a circle, as systems do. */
const mostLinks = 40;

/**
 * Follows symbolic links to the file that is to be read or replaced, so that a rename replaces the target and not the
 * link. The file, and even its folder, need not exist yet. Throws what the system throws; ELOOP for a circle.
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
/** Then what uses the path says what is wrong with it. */
const cannotLook = ['ENOENT', 'ENOTDIR', 'EACCES'];

/**
 * Refuses a link that a stranger could have put there: one in a folder that everybody may write, and that belongs neither
 * to us nor to whom the folder belongs. Following it would read, move or replace a file of the stranger's choice. What
 * is looked at is the path itself and the folder that it is in. Throws a {@link StoreError}.
 * @param uid our user; null where there are no users, and then nothing is refused
 */
function refuseUntrustedLinks(path: string, uid: number | null): void {
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
 * Where a file is that is to be read or replaced: links are followed, as {@link resolvePath} does, but none of a
 * stranger's, and what is there and no regular file is refused. Throws a `StoreError`, else what the system throws.
 * @param uid our user; null where there are no users, and then no link is a stranger's
 */
export async function findFilePlace(given: string, uid: number | null): Promise<string> {
  // A disk that hangs must not hang us: what is asked on this thread is asked when another one has got an answer.
  const [place] = await Promise.allSettled([resolvePath(given)]);
  refuseUntrustedLinks(given, uid);
  if (place.status === 'rejected') throw place.reason;
  refuseOtherThanFileSync(place.value, given);
  return place.value;
}

/** The mark of a file that does not exist. */
export const noFile = 'none';

/** Changes whenever the file is replaced or written: we write a new file each time, others change its time. */
export async function fileMark(path: string): Promise<string> {
  const stats = await nullIfMissing(stat(path, { bigint: true }));
  return stats === null ? noFile : markOf(stats);
}

export function fileMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : markOf(stats);
}

/** As {@link fileMarkSync}; changes with the owner and the permissions, too. */
export function rightsMarkSync(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? noFile : `${markOf(stats)}-${stats.mode}-${stats.uid}`;
}

export const markOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

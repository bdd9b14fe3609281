import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { nullIfMissingSync, StoreError } from '../errors.ts';
import { shellWord } from './shell-word.ts';

const everybodyMayWrite = 0o002;
/** Then whoever uses the path hears what is wrong with it. */
const cannotLook = ['ENOENT', 'ENOTDIR', 'EACCES'];

/**
 * Refuses a link that a stranger could have put there: one in a folder that everybody may write, and that belongs neither
 * to us nor to whom the folder belongs. Following it would read, move or replace a file of the stranger's choice. What
 * is looked at is the path itself and the folder that it is in. Throws a {@link StoreError}.
 * @param uid our user; null where there are no users, and then nothing is refused
 */
export function refuseStrangeLinks(path: string, uid: number | null): void {
  if (uid === null) return;
  for (const link of [dirname(path), path]) {
    const stats = nullIfMissingSync(() => lstatSync(link), cannotLook);
    if (stats === null || !stats.isSymbolicLink() || stats.uid === uid) continue;
    const folder = nullIfMissingSync(() => lstatSync(dirname(link)), cannotLook);
    if (folder === null || (folder.mode & everybodyMayWrite) === 0 || folder.uid === stats.uid) continue;
    throw new StoreError(
      'no-permission',
      `${link} is a link that another user (user id ${stats.uid}) has put into a folder that everybody may write, and is not followed. Remove it, and run: chmod o-w ${shellWord(dirname(link))}`,
      link,
    );
  }
}

import { refuseOtherThanFileSync } from './open-file.ts';
import { resolvePath } from './resolve-path.ts';
import { refuseStrangeLinks } from './strange-links.ts';

/**
 * Where a file is that is to be read or replaced: links are followed, as {@link resolvePath} does, but none of a
 * stranger's, and what is there and no regular file is refused. Throws a `StoreError`, else what the system throws.
 * @param uid our user; null where there are no users, and then no link is a stranger's
 */
export async function findFilePlace(given: string, uid: number | null): Promise<string> {
  // A disk that hangs must not hang us: what is asked on this thread is asked when another one has got an answer.
  const [place] = await Promise.allSettled([resolvePath(given)]);
  refuseStrangeLinks(given, uid);
  if (place.status === 'rejected') throw place.reason;
  refuseOtherThanFileSync(place.value, given);
  return place.value;
}

import { join } from 'node:path';
import type { ProgramPaths } from '../configuration/paths.ts';

/**
 * A file of this machine about one watchlist of those that are in databases, such as how far its change log was notified: each
 * log counts from 1.
 * @param name what it is about: `notify`, `view`
 * @param watchlist names the database and the account in it
 */
export function ofWatchlistPath(
  { state }: Pick<ProgramPaths, 'state'>,
  name: 'notify' | 'view',
  watchlist: string,
): string {
  let sum = 0;
  for (const letter of watchlist) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return join(state, `${name}-${(sum >>> 0).toString(36)}.json`);
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { printableText } from '../../service/text/clean-text.ts';
import type { ProgramPaths } from '../configuration/paths.ts';

/** The sentence that names the newest watchlist that was damaged and put aside, and what can be done; null when there is none. */
export async function damagedWatchlist({ data }: Pick<ProgramPaths, 'data'>): Promise<string | null> {
  // A folder that is not there or cannot be read holds none that could be named; what needs it says so.
  const names = await readdir(data).catch(() => []);
  const newest = names
    .filter((name) => name.startsWith('watchlist.json.damaged-'))
    .sort()
    .at(-1);
  if (newest === undefined) return null;
  const path = printableText(join(data, newest));
  return `An earlier watchlist was damaged and put aside as ${path}: its numbers can still be found with "parcel-monitor add --scan FILE --dry-run".`;
}

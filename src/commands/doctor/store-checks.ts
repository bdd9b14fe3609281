import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largeWatchlistAdvice } from '../../board/status/large-watchlist.ts';
import { StoreError, systemCode } from '../../watchlist/errors.ts';
import { shellWord } from '../../watchlist/files/shell-word.ts';
import { createFileStore } from '../../watchlist/store/file-store.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import type { Check } from '../output/json-schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { fail, ok, warn } from './check.ts';
import { checkFolders } from './folder-checks.ts';
import { mendStore } from './mending.ts';

/** Looks at the watchlist's files: readable, writable, for the user's eyes only, damaged ones lying beside. */
export async function checkStore(context: CommandContext, paths: ProgramPaths): Promise<readonly Check[]> {
  const folders = await checkFolders(context, paths);
  const files = [await watchlistCheck(context, paths), await changeLogCheck(context, paths)];
  // Behind the files, since a damaged one has been moved aside by then.
  const modes = context.platform === 'win32' ? [] : await modeChecks(paths);
  return [...files, ...folders, ...modes, ...(await damageChecks(paths))];
}

async function watchlistCheck(
  { clock, platform, random, processes }: CommandContext,
  { data, watchlist }: ProgramPaths,
): Promise<Check> {
  if (await isMissing(watchlist)) return ok('watchlist', `none at ${watchlist} yet`);
  try {
    const store = createFileStore({ directory: data, clock, random, processes });
    const { parcels } = await store.read();
    const archived = parcels.filter(({ archivedAt }) => archivedAt !== null).length;
    const found = `${parcels.length} parcels, ${archived} of them archived (${watchlist})`;
    const advice = largeWatchlistAdvice(parcels.length);
    const notices = [...store.takeNotices().map(({ message }) => message), ...(advice === null ? [] : [advice])];
    return notices.length === 0 ? ok('watchlist', found) : warn('watchlist', found, notices.join(' '));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail('watchlist', `${watchlist} cannot be read`, error.message, mendStore(error, platform));
  }
}

async function changeLogCheck(
  { clock, platform, random, processes }: CommandContext,
  { changes, data }: ProgramPaths,
): Promise<Check> {
  if (await isMissing(changes)) return ok('change log', `none at ${changes} yet`);
  try {
    const lines = await createFileStore({ directory: data, clock, random, processes }).changeLogAfter(0);
    const count = lines.length === 1 ? '1 line' : `${lines.length} lines`;
    return ok('change log', `${count}, kept for 90 days (${changes})`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail('change log', `${changes} cannot be read`, error.message, mendStore(error, platform));
  }
}

const forOthers = 0o077;

async function modeChecks({ data, watchlist, history, changes, state }: ProgramPaths): Promise<readonly Check[]> {
  const paths = [data, watchlist, history, changes, join(data, 'trash'), join(data, 'backups'), state];
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: await modeOf(path) })));
  const open = modes.filter(({ mode }) => mode !== null && (mode & forOthers) !== 0);
  if (open.length === 0) return [ok('modes', 'files and folders are for your eyes only')];
  return open.map(({ path, mode }) =>
    warn(
      'modes',
      `others on this machine can see ${path} (mode ${((mode ?? 0) & 0o777).toString(8)})`,
      `Run: chmod go-rwx ${shellWord(path)}`,
    ),
  );
}

async function damageChecks({ data, history }: ProgramPaths): Promise<readonly Check[]> {
  const names = await Promise.all(
    [data, history].map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name))),
  );
  const damaged = names.flat().filter((path) => path.includes('.damaged-'));
  if (damaged.length === 0) return [ok('damaged files', 'none')];
  return damaged.map((path) =>
    warn('damaged files', path, 'It was moved aside. Take out by hand what you need, then delete it.'),
  );
}

/** What is there and cannot be reached is not missing: reading it says why. */
async function isMissing(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    return systemCode(error) === 'ENOENT';
  }
}

async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode;
  } catch {
    // Not there, or not to be looked at: what needs the file says so.
    return null;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    // As above.
    return [];
  }
}

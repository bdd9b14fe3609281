import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError, systemCode } from '../../watchlist/errors.ts';
import { createFileStore } from '../../watchlist/file-store.ts';
import type { CommandContext } from '../context.ts';
import type { ProgramPaths } from '../paths.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { tryToWrite } from './write-trial.ts';

/** Looks at the watchlist's files: readable, writable, for the user's eyes only, damaged ones lying beside. */
export async function checkStore(context: CommandContext, paths: ProgramPaths): Promise<readonly Check[]> {
  const folders = await Promise.all([paths.data, paths.state].map((folder) => writableCheck(folder, context)));
  const modes = context.platform === 'win32' ? [] : await modeChecks(paths);
  return [await watchlistCheck(context, paths), ...folders, ...modes, ...(await damageChecks(paths))];
}

async function watchlistCheck({ clock, random }: CommandContext, { data, watchlist }: ProgramPaths): Promise<Check> {
  if ((await modeOf(watchlist)) === null) return ok('watchlist', `none at ${watchlist} yet`);
  try {
    const store = createFileStore({ directory: data, clock, random });
    const { parcels } = await store.read();
    const archived = parcels.filter(({ archivedAt }) => archivedAt !== null).length;
    const found = `${parcels.length} parcels, ${archived} of them archived (${watchlist})`;
    const notices = store.takeNotices().map(({ message }) => message);
    return notices.length === 0 ? ok('watchlist', found) : warn('watchlist', found, notices.join(' '));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail('watchlist', `${watchlist} cannot be read`, error.message);
  }
}

/**
 * A folder that is not there yet is made when it is needed, where the nearest one above it can be written. That is tried:
 * rights alone tell nothing of a full disk, nor of a file system that has no place for files.
 */
async function writableCheck(folder: string, context: CommandContext): Promise<Check> {
  const existing = await nearestExisting(folder);
  try {
    await tryToWrite(existing, context);
    return ok('folder', `${folder} ${existing === folder ? 'can be written' : 'is not there yet and can be made'}`);
  } catch (error) {
    const code = systemCode(error);
    return fail('folder', `${folder} cannot be written${code === null ? '' : ` (${code})`}`, adviceFor(code, existing));
  }
}

function adviceFor(code: string | null, folder: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'No space is left there. Free some.';
  return `Check owner, mode and file system of ${folder}.`;
}

async function nearestExisting(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await modeOf(path)) !== null ? path : await nearestExisting(parent);
}

const forOthers = 0o077;

async function modeChecks({ data, watchlist, history, state }: ProgramPaths): Promise<readonly Check[]> {
  const paths = [data, watchlist, history, state];
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: await modeOf(path) })));
  const open = modes.filter(({ mode }) => mode !== null && (mode & forOthers) !== 0);
  if (open.length === 0) return [ok('modes', 'files and folders are for your eyes only')];
  return open.map(({ path, mode }) =>
    warn(
      'modes',
      `others on this machine can see ${path} (mode ${((mode ?? 0) & 0o777).toString(8)})`,
      `Run: chmod go-rwx ${path}`,
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

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largeWatchlistAdvice } from '../../board/status/large-watchlist.ts';
import { counted } from '../../board/text/counted.ts';
import { StoreError, systemCode } from '../../watchlist/errors.ts';
import { shellWord } from '../../watchlist/files/shell-word.ts';
import type { WatchlistStore } from '../../watchlist/store/store.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import type { Check } from '../output/json-schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { fail, ok, warn } from './check.ts';
import { checkFolders } from './folder-checks.ts';
import { mendStore } from './mending.ts';

/** Looks at the watchlist's files: readable, writable, for the user's eyes only, damaged ones lying beside. */
export async function checkStore(
  context: CommandContext,
  paths: ProgramPaths,
  store: WatchlistStore,
): Promise<readonly Check[]> {
  const folders = await checkFolders(context, paths);
  const { platform } = context;
  const { changes, watchlist } = paths;
  const files = [
    await fileCheck('watchlist', watchlist, platform, () => parcelsCheck(store, watchlist)),
    await fileCheck('change log', changes, platform, async () => {
      const lines = await store.changeLogAfter(0);
      return ok('change log', `${counted(lines.length, 'line')}, kept for 90 days (${changes})`);
    }),
  ];
  // Behind the files, since a damaged one has been moved aside by then.
  const modes = platform === 'win32' ? [] : await modeChecks(paths);
  return [...files, ...folders, ...modes, ...(await damageChecks(paths))];
}

/** Looks at a file of the store, which need not be there yet. */
async function fileCheck(name: string, path: string, platform: string, look: () => Promise<Check>): Promise<Check> {
  // What is there and cannot be reached is not missing: reading it says why.
  const code = await stat(path).then(() => null, systemCode);
  if (code === 'ENOENT') return ok(name, `none at ${path} yet`);
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail(name, `${path} cannot be read`, error.message, mendStore(error, platform));
  }
}

async function parcelsCheck(store: WatchlistStore, path: string): Promise<Check> {
  const { parcels } = await store.read();
  const archived = parcels.filter(({ archivedAt }) => archivedAt !== null).length;
  const late = parcels.filter(({ archivedAt, plannedFor }) => archivedAt === null && plannedFor !== undefined).length;
  const hasty = late === 0 ? '' : `, ${late} checked less often than the service plans (polling.leastMinutes)`;
  const found = `${counted(parcels.length, 'parcel')}, ${archived} of them archived${hasty} (${path})`;
  const advice = largeWatchlistAdvice(parcels.length);
  const notices = [...store.takeNotices(), ...(advice === null ? [] : [advice])];
  return notices.length === 0 ? ok('watchlist', found) : warn('watchlist', found, notices.join(' '));
}

const forOthers = 0o077;

async function modeChecks({ data, watchlist, history, changes, state }: ProgramPaths): Promise<readonly Check[]> {
  const paths = [data, watchlist, history, changes, join(data, 'trash'), join(data, 'backups'), state];
  // Of what is not there, or not to be looked at, whatever needs it says so.
  const modes = await Promise.all(
    paths.map(async (path) => ({ path, mode: (await stat(path).catch(() => null))?.mode ?? null })),
  );
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
    [data, history].map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  );
  const damaged = names.flat().filter((path) => path.includes('.damaged-'));
  if (damaged.length === 0) return [ok('damaged files', 'none')];
  return damaged.map((path) =>
    warn('damaged files', path, 'It was moved aside. Take out by hand what you need, then delete it.'),
  );
}

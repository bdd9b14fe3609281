import { lstatSync } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Check } from '../../board/json-schemas.ts';
import { largeWatchlistAdvice } from '../../board/status/watchlist-status.ts';
import type { Random } from '../../lib/clock.ts';
import { systemText } from '../../lib/error-text.ts';
import { shellWord, tempPath } from '../../lib/paths.ts';
import { findRootOwned, StoreError, systemCode } from '../../lib/store-errors.ts';
import { counted } from '../../lib/text.ts';
import { removeFile } from '../../store/file/atomic-write.ts';
import { conflictCopies, removeStaleTempFiles } from '../../store/file/damaged-files.ts';
import { fileMode } from '../../store/file/folders.ts';
import type { WatchlistStore } from '../../store/store.ts';
import type { ProgramPaths } from '../config-file.ts';
import type { CommandContext } from '../session/context.ts';
import { fail, fixForFolder, fixForStore, ok, warn } from './fix-hints.ts';

const trialName = 'parcel-monitor-trial';

/**
 * Returns the path of a test file in a folder. It looks like our temp files, so that a file from a killed program is
 * recognised.
 */
export const trialPath = (folder: string, random: Random): string => tempPath(join(folder, trialName), random);

/**
 * Writes a file into a folder and removes it again. Also removes files left by killed tests, because nothing else
 * tidies up the user's folder. Throws the system's error if the folder is not writable.
 */
export async function probeFolder(
  folder: string,
  { clock, random }: Pick<CommandContext, 'clock' | 'random'>,
): Promise<void> {
  const trial = trialPath(folder, random);
  const file = await open(trial, 'wx', fileMode);
  try {
    await file.writeFile('trial');
  } finally {
    await file.close();
    await removeFile(trial);
  }
  try {
    await removeStaleTempFiles(folder, clock.now(), (base) => base === trialName);
  } catch (error) {
    // Some folders can be written to but not listed.
    if (systemCode(error) === null) throw error;
  }
}

/** Checks that all of the program's folders are writable, and that the user owns the files in them. */
export async function checkFolders(context: CommandContext, paths: ProgramPaths): Promise<readonly Check[]> {
  const { data, history, state, couriers, config } = paths;
  const folders = [data, history, join(data, 'trash'), join(data, 'backups'), state, dirname(couriers)];
  const files = [
    paths.watchlist,
    paths.changes,
    join(state, 'polling.json'),
    join(state, 'meter.json'),
    couriers,
    config,
  ];
  return [
    ...(await Promise.all(folders.map((folder) => writableCheck(folder, context)))),
    ...(await ownerChecks([...folders, dirname(config), ...files], context)),
    ...(await copyChecks(paths, context)),
  ];
}

/** Reports conflicting copies, which may contain parcels that the watchlist lacks. */
async function copyChecks(paths: ProgramPaths, { platform }: CommandContext): Promise<readonly Check[]> {
  const copies = await conflictCopies([paths.watchlist, paths.changes, paths.config]);
  return copies.map((copy) => {
    const path = shellWord(copy, platform);
    const isWatchlist = basename(copy).startsWith('watchlist');
    return warn(
      'copy',
      `${copy} is a conflicting copy from a sync tool, because two machines changed the file at the same time; it is not used`,
      isWatchlist
        ? `Import what is missing, then remove it. Run: parcel-monitor import ${path} --dry-run`
        : 'Compare it with the file, and remove it.',
    );
  });
}

/**
 * A missing folder is created on first use, so this tries to write to the nearest existing folder. Permissions alone do
 * not reveal a full disk or a file system without room for files.
 */
async function writableCheck(folder: string, context: CommandContext): Promise<Check> {
  const existing = await nearestExisting(folder);
  try {
    await probeFolder(existing, context);
    return ok(
      'folder',
      `${folder} ${existing === folder ? 'can be written' : 'does not exist yet and can be created'}`,
    );
  } catch (error) {
    const code = systemCode(error);
    const found = `${folder} cannot be written${systemText(code)}`;
    const [advice, command = fixForFolder(existing, context.platform, code)] = adviceFor(code, existing, context);
    return fail('folder', found, advice, command);
  }
}

function adviceFor(
  code: string | null,
  folder: string,
  { userId }: Pick<CommandContext, 'userId'>,
): readonly [string, string?] {
  if (code === 'ENOSPC' || code === 'EDQUOT') return ['No space is left there. Free some.'];
  const rootEntry = code === 'EACCES' || code === 'EPERM' ? findRootOwned(folder) : null;
  if (rootEntry !== null) return ['Take back ownership.', rootEntry.command];
  const [owner, ownerAbove] = [folder, dirname(folder)].map((path) => lstatSync(path).uid);
  // Files in the user's folder should belong to the user. For other files, we do not advise changing the owner.
  if (userId !== null && ownerAbove === userId && owner !== userId) {
    return [
      `It belongs to another user (user id ${owner}). If it is meant to be yours, change its owner.`,
      chownCommand(userId, folder),
    ];
  }
  return [`Check owner, mode and file system of ${folder}.`];
}

const chownCommand = (uid: number, path: string): string => `sudo chown -R ${uid} ${shellWord(path)}`;

async function nearestExisting(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  try {
    await stat(path);
    return path;
  } catch {
    // Missing or unreadable, so it is not writable either.
    return await nearestExisting(parent);
  }
}

/** Reports files of other users, which cannot always be replaced even in a writable folder. */
async function ownerChecks(paths: readonly string[], { platform, userId }: CommandContext): Promise<readonly Check[]> {
  if (platform === 'win32' || userId === null) return [];
  const ownerProblems = (await Promise.all(paths.map((path) => ownerCheck(path, userId)))).flat();
  const listedAdvice = new Set<string | null>();
  // One command may fix several problems. List it once.
  const distinct = ownerProblems.filter(({ advice }) => !listedAdvice.has(advice) && listedAdvice.add(advice));
  return distinct.length === 0 ? [ok('owner', 'files and folders are yours')] : distinct;
}

async function ownerCheck(path: string, uid: number): Promise<readonly Check[]> {
  const stats = await lstat(path).catch(() => null);
  // Other checks look at the target of a link.
  if (stats?.isSymbolicLink() === true) return [];
  // Must come before the check for a missing file, because it may be in a folder that this user cannot read.
  const rootEntry = findRootOwned(path);
  if (rootEntry !== null) {
    return [
      warn('owner', `${rootEntry.top} belongs to the administrator`, `Take back ownership: ${rootEntry.command}`),
    ];
  }
  if (stats === null) return [];
  if (uid === 0 || stats.uid === uid || stats.uid === 0) return [];
  return [
    warn(
      'owner',
      `${path} belongs to another user (user id ${stats.uid})`,
      `If it is meant to be yours, run: ${chownCommand(uid, path)}`,
    ),
  ];
}

/** Checks that the watchlist's files are readable, writable and private, and looks for damaged ones. */
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
  // After the files, because a damaged one has been moved aside by then.
  const modes = platform === 'win32' ? [] : await modeChecks(paths);
  return [...files, ...folders, ...modes, ...(await damageChecks(paths))];
}

async function fileCheck(name: string, path: string, platform: string, check: () => Promise<Check>): Promise<Check> {
  // For any other error, the file is not missing, and reading it reveals the problem.
  const code = await stat(path).then(() => null, systemCode);
  if (code === 'ENOENT') return ok(name, `none at ${path} yet`);
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail(name, `${path} cannot be read`, error.message, fixForStore(error, platform));
  }
}

async function parcelsCheck(store: WatchlistStore, path: string): Promise<Check> {
  const { parcels } = await store.read();
  const archived = parcels.filter(({ archivedAt }) => archivedAt !== null).length;
  const late = parcels.filter(({ archivedAt, plannedFor }) => archivedAt === null && plannedFor !== undefined).length;
  const lateText = late === 0 ? '' : `, ${late} checked less often than the service suggests (polling.leastMinutes)`;
  const found = `${counted(parcels.length, 'parcel')}, ${archived} of them archived${lateText} (${path})`;
  const advice = largeWatchlistAdvice(parcels.length);
  const notices = [...store.takeNotices(), ...(advice === null ? [] : [advice])];
  return notices.length === 0 ? ok('watchlist', found) : warn('watchlist', found, notices.join(' '));
}

const othersMask = 0o077;

async function modeChecks({ data, watchlist, history, changes, state }: ProgramPaths): Promise<readonly Check[]> {
  const paths = [data, watchlist, history, changes, join(data, 'trash'), join(data, 'backups'), state];
  // Other checks report missing and unreadable files.
  const modes = await Promise.all(
    paths.map(async (path) => ({ path, mode: (await stat(path).catch(() => null))?.mode ?? null })),
  );
  const open = modes.filter(({ mode }) => mode !== null && (mode & othersMask) !== 0);
  if (open.length === 0) return [ok('modes', 'only you can read files and folders')];
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
    warn('damaged files', path, 'It was moved aside. Copy what you need from it, then delete it.'),
  );
}

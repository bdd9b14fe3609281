import { lstatSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemWords } from '../../service/failures/system-words.ts';
import { systemCode } from '../../watchlist/errors.ts';
import { conflictCopies } from '../../watchlist/files/conflict-copies.ts';
import { leftToAdministrator } from '../../watchlist/files/left-to-administrator.ts';
import { shellWord } from '../../watchlist/files/shell-word.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import type { Check } from '../output/json-schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { fail, ok, warn } from './check.ts';
import { mendFolder } from './mending.ts';
import { tryToWrite } from './write-trial.ts';

/** Looks at every folder that the program writes, whether it can be written, and whose everything in them is. */
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

/** What only one of two machines knows stands in a copy that nobody reads. */
async function copyChecks(paths: ProgramPaths, { platform }: CommandContext): Promise<readonly Check[]> {
  const copies = await conflictCopies([paths.watchlist, paths.changes, paths.config]);
  return copies.map((copy) => {
    const path = shellWord(copy, platform);
    const isWatchlist = basename(copy).startsWith('watchlist');
    return warn(
      'copy',
      `${copy} was kept by a synchroniser, since two machines had changed the file at once; nothing reads it`,
      isWatchlist
        ? `Take over what is missing, then remove it. Run: parcel-monitor import ${path} --dry-run`
        : 'Compare it with the file, and remove it.',
    );
  });
}

/**
 * A folder that is not there yet is made when it is needed, where the nearest one above it can be written. That is tried:
 * rights alone say nothing of a full disk, nor of a file system that has no place for files.
 */
async function writableCheck(folder: string, context: CommandContext): Promise<Check> {
  const existing = await nearestExisting(folder);
  try {
    await tryToWrite(existing, context);
    return ok('folder', `${folder} ${existing === folder ? 'can be written' : 'is not there yet and can be made'}`);
  } catch (error) {
    const code = systemCode(error);
    const found = `${folder} cannot be written${systemWords(code)}`;
    const [advice, command = mendFolder(existing, context.platform, code)] = adviceFor(code, existing, context);
    return fail('folder', found, advice, command);
  }
}

/** What to do, and the command for it where that is not the usual one. */
function adviceFor(
  code: string | null,
  folder: string,
  { userId }: Pick<CommandContext, 'userId'>,
): readonly [string, string?] {
  if (code === 'ENOSPC' || code === 'EDQUOT') return ['No space is left there. Free some.'];
  const left = code === 'EACCES' || code === 'EPERM' ? leftToAdministrator(folder) : null;
  if (left !== null) return [`Make it yours again: ${left.command}`, left.command];
  const [owner, ownerAbove] = [folder, dirname(folder)].map((path) => lstatSync(path).uid);
  // What lies in a folder of the user is meant to be theirs; any other is not to be taken from its owner.
  if (userId !== null && ownerAbove === userId && owner !== userId) {
    const command = giveTo(userId, folder);
    return [`It belongs to another user (user id ${owner}). Make it yours, if it is: ${command}`, command];
  }
  return [`Check owner, mode and file system of ${folder}.`];
}

const giveTo = (uid: number, path: string): string => `sudo chown -R ${uid} ${shellWord(path)}`;

async function nearestExisting(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  try {
    await stat(path);
    return path;
  } catch {
    // Not there, or not to be looked at: then that cannot be written either.
    return await nearestExisting(parent);
  }
}

/** What belongs to somebody else can be replaced by no change of ours, though its folder can be written. */
async function ownerChecks(paths: readonly string[], { platform, userId }: CommandContext): Promise<readonly Check[]> {
  if (platform === 'win32' || userId === null) return [];
  const strange = (await Promise.all(paths.map((path) => ownerCheck(path, userId)))).flat();
  const adviceOf = new Set<string | null>();
  // One command may mend several; it is distinct once.
  const distinct = strange.filter(({ advice }) => !adviceOf.has(advice) && adviceOf.add(advice));
  return distinct.length === 0 ? [ok('owner', 'files and folders are yours')] : distinct;
}

async function ownerCheck(path: string, uid: number): Promise<readonly Check[]> {
  const stats = await lstat(path).catch(() => null);
  // Of a link, what it leads to counts, which the other checks look at.
  if (stats?.isSymbolicLink() === true) return [];
  // It may lie in a folder that cannot be looked into, too.
  const left = leftToAdministrator(path);
  if (left !== null) {
    return [warn('owner', `${left.top} belongs to the administrator`, `Make it yours again: ${left.command}`)];
  }
  if (stats === null) return [];
  if (uid === 0 || stats.uid === uid || stats.uid === 0) return [];
  return [
    warn(
      'owner',
      `${path} belongs to another user (user id ${stats.uid})`,
      `Make it yours, if it is: ${giveTo(uid, path)}`,
    ),
  ];
}

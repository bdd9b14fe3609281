import type { Stats } from 'node:fs';
import { lstat, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, parse, resolve, sep } from 'node:path';
import { systemCode } from '../lib/store-errors.ts';

export interface TrustIssue {
  readonly found: string;
  readonly advice: string;
  readonly command: string;
}

/** The configuration file that a setting comes from. */
export interface SettingFile {
  /** Its folder, for relative paths in it. */
  readonly folder?: string;
  /** How other users can change it. Absent or null if they cannot. */
  readonly foreignWriter?: TrustIssue | null;
}

/**
 * Returns, as sentences, why a setting is ignored while other users can write the file. Such a setting runs or reads
 * something, or decides where a secret is sent.
 */
export const refusalReason = (setting: string, use: 'read' | 'run' | 'used', { advice }: TrustIssue): string =>
  `"${setting}" is not ${use} while another user can change it. ${advice}`;

const othersCanRead = 0o044;
const groupCanWrite = 0o020;
const othersCanWrite = 0o002;
/** In a folder with this bit, only a file's owner can replace it. */
const sticky = 0o1000;
/** User ID that a container shows for owners outside it, including root. */
const unknownUser = 65_534;

/**
 * Returns how users other than this one and root can change a file: through its owner, its mode or its folders. Null if
 * they cannot.
 * @param userId the user who runs the program
 * @param opened the file that was read, because the path may refer to a different one by now; null if none was read
 */
export async function foreignWriter(
  path: string,
  userId: number,
  opened: Stats | null = null,
): Promise<TrustIssue | null> {
  const file = opened ?? (await nullIfInaccessible(stat(path)));
  // The file is gone, or is a pipe from the shell, which is in no folder.
  if (file === null || !file.isFile()) return null;
  const steps = await resolveSteps(resolve(path));
  // The file, the link at this path and their folders are checked strictly, the folders above them more leniently.
  const ends = [resolve(path), ...steps.slice(-1).map(([name]) => name)];
  const near = new Set([...ends, ...ends.map((name) => dirname(name))]);
  for (const [name, stats] of steps) {
    const isFolder = stats.isDirectory();
    // A folder's owner can replace what is in it, and a link's owner decides where it points.
    const isKnown = near.has(name) || stats.uid !== unknownUser;
    if (isForeign(stats, userId) && isKnown) return foreignOwnerRisk(name, stats, userId);
    // For a link, the mode of its folder decides.
    const isSticky = isFolder && (stats.mode & sticky) !== 0;
    if (!stats.isSymbolicLink() && !isSticky && isWritableByOthers(stats)) return othersCanWriteRisk(name);
  }
  if (isForeign(file, userId)) return foreignOwnerRisk(path, file, userId);
  return isWritableByOthers(file) ? othersCanWriteRisk(path) : null;
}

const maxLinks = 40;

/** Returns every path component and link on the way to a file, up to the first one that cannot be resolved. */
async function resolveSteps(path: string): Promise<readonly (readonly [name: string, stats: Stats])[]> {
  const steps = new Map<string, Stats>();
  let rest = pathParts(path);
  let current: string = parse(path).root;
  let links = 0;
  const inspect = async (name: string): Promise<Stats | null> => {
    const stats = await nullIfInaccessible(lstat(name));
    // A component that appears twice counts at its last position.
    if (stats !== null) steps.delete(name);
    if (stats !== null) steps.set(name, stats);
    return stats;
  };
  await inspect(current);
  for (let [part, ...later] = rest; part !== undefined; [part, ...later] = rest) {
    const name = resolve(current, part);
    const stats = await inspect(name);
    if (stats?.isSymbolicLink() === true && links < maxLinks) {
      links += 1;
      const target = await nullIfInaccessible(readlink(name));
      if (target === null) break;
      const isAbsoluteTarget = isAbsolute(target);
      if (isAbsoluteTarget) current = parse(target).root;
      rest = [...(isAbsoluteTarget ? pathParts(target) : target.split(sep).filter((name) => name !== '')), ...later];
    } else {
      current = name;
      rest = later;
    }
  }
  return [...steps];
}

const pathParts = (path: string): readonly string[] =>
  path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((part) => part !== '');

const isForeign = ({ uid }: Stats, userId: number): boolean => uid !== userId && uid !== 0;

function foreignOwnerRisk(path: string, stats: Stats, userId: number): TrustIssue {
  const command = `sudo chown ${stats.isSymbolicLink() ? '-h ' : ''}${userId} ${path}`;
  return {
    found: `${path} belongs to another user (user id ${stats.uid}), who can change the configuration.`,
    advice: `If you trust its content, make it yours: ${command}`,
    command,
  };
}

function othersCanWriteRisk(path: string): TrustIssue {
  const command = `chmod go-w ${path}`;
  return {
    found: `Other users can write ${path} and so change the configuration.`,
    advice: `Check its content, then run: ${command}`,
    command,
  };
}

/** Many systems give each user a private group with the same id. */
function isWritableByOthers({ mode, uid, gid }: Stats): boolean {
  return (mode & othersCanWrite) !== 0 || ((mode & groupCanWrite) !== 0 && gid !== uid);
}

/** Returns null for a component that cannot be inspected, such as a folder far above. It is trusted. */
async function nullIfInaccessible<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

export async function foreignReader(path: string): Promise<TrustIssue | null> {
  const file = await nullIfInaccessible(stat(path));
  if (file === null || !file.isFile() || (file.mode & othersCanRead) === 0) return null;
  const command = `chmod 600 ${path}`;
  return { found: `Other users can read ${path} and the API key in it.`, advice: `Run: ${command}`, command };
}
